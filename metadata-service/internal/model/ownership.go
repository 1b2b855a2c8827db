package model

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// BuiltInOwnershipType is the prefix of the keys of the built-in ownership types.
const BuiltInOwnershipType = "__system__"

// OwnershipType returns the type of an owner, which is an element of owners in the aspect
// ownership. It is the typeUrn or, for an owner with only the older enumeration, the built-in type
// of that name. It is empty for an owner with neither.
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
