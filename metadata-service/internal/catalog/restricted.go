package catalog

import (
	"crypto/sha256"
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

// Restrict returns the URN that stands for an entity that the actor may not view, within what shows it:
// the aspect that names it (see WithinAspect), the URN of the entity whose lineage does, or the name of a list. It
// is the same each time within one place, and another one within another: an actor who writes the URN of a guess
// where it may write cannot tell by comparison what stands elsewhere.
func Restrict(names Names, within string, u urn.URN) urn.URN {
	return urn.Make(RestrictedType, names.Conceal(restrictedPurpose, placeOf(within)+string(u)))
}

// WithinAspect is the place of what an aspect of an entity names.
func WithinAspect(of urn.URN, aspect string) string { return aspect + " of " + string(of) }

// placeOf is the text of a place in a concealed URN. It has placeSize bytes.
func placeOf(within string) string {
	sum := sha256.Sum256([]byte(within))
	return string(sum[:placeSize])
}

const placeSize = 16

// Unrestrict returns the URN for which a restricted one stands within a place. ok is false for every
// URN that Restrict did not return there. Callers must not show it to an actor.
func Unrestrict(names Names, within string, u urn.URN) (stands urn.URN, ok bool) {
	text := reveal(names, u)
	if !strings.HasPrefix(text, placeOf(within)) {
		return "", false
	}
	return urn.URN(text[placeSize:]), true
}

// IsRestricted reports whether Restrict returned a URN within any place.
func IsRestricted(names Names, u urn.URN) bool { return reveal(names, u) != "" }

// reveal is the place and the URN that a restricted one stands for, empty for every other URN.
func reveal(names Names, u urn.URN) string {
	name, restricted := strings.CutPrefix(string(u), urn.TypePrefix(RestrictedType))
	if !restricted || names == nil {
		return ""
	}
	text, err := names.Reveal(restrictedPurpose, name)
	if err != nil {
		return ""
	}
	return text
}
