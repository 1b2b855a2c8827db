// Package collection stores named groups of assets: data products and applications. Both can form a
// hierarchy and can be in a domain.
//
// A data product lists its assets. For filters, each asset mirrors the list in the aspect
// dataProducts, if its type has that aspect. Both are written together. An asset may be in several
// data products.
//
// An application is listed by its assets. An asset may be in several applications.
package collection
