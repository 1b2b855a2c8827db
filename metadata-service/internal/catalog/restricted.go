package catalog

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RestrictedType is the entity type of what stands for an entity that the actor may
// not view. Its key is the concealed URN of the entity.
const RestrictedType = auth.RestrictedType

// restrictedPurpose is the purpose for which URNs of restricted entities are concealed.
const restrictedPurpose = "restricted"

// Names conceals texts that callers are handed and may send back; encryption.Names
// does. The name of a text is always the same.
type Names interface {
	Conceal(purpose, text string) string
	// Reveal fails for what Conceal did not give for the purpose.
	Reveal(purpose, name string) (string, error)
}

// Restrict returns the URN that stands for an entity that the actor may not view.
func Restrict(names Names, u urn.URN) urn.URN {
	return urn.Make(RestrictedType, names.Conceal(restrictedPurpose, string(u)))
}

// Unrestrict returns the URN for which a restricted one stands. ok is false for every
// URN that Restrict did not return. Callers must not show it to an actor.
func Unrestrict(names Names, u urn.URN) (stands urn.URN, ok bool) {
	name, restricted := strings.CutPrefix(string(u), urn.TypePrefix(RestrictedType))
	if !restricted || names == nil {
		return "", false
	}
	text, err := names.Reveal(restrictedPurpose, name)
	return urn.URN(text), err == nil
}
