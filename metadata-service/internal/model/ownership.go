package model

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// BuiltInOwnershipType begins the keys of the ownership types that the product brings along.
const BuiltInOwnershipType = "__system__"

// OwnershipType gives the type of an owner, an element of owners of the aspect ownership:
// its typeUrn or, of an owner that has the older enumeration alone, the built-in type of
// that name. It is empty for an owner with neither.
func OwnershipType(owner jsontree.Object) urn.URN {
	if u := jsontree.Text(owner, "typeUrn"); u != "" {
		return urn.URN(u)
	}
	kind := jsontree.Text(owner, "type")
	if kind == "" {
		return ""
	}
	return urn.Make("ownershipType", BuiltInOwnershipType+strings.ToLower(kind))
}
