package catalog

import (
	"crypto/sha256"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// RestrictedType is the entity type that stands for entities that the actor may not view. Its key
// is the concealed URN of the entity.
const RestrictedType = auth.RestrictedType

// restrictedPurpose is the purpose for which URNs of restricted entities are concealed.
const restrictedPurpose = "restricted"

// Names conceals texts that clients receive and may send back; encryption.Names implements it.
// Conceal is deterministic.
type Names interface {
	Conceal(purpose, text string) string
	// Reveal fails for any name that Conceal did not return for the purpose.
	Reveal(purpose, name string) (string, error)
}

// Restrict returns the URN that stands for an entity that the actor may not view. within identifies
// the place that shows it: the aspect that names it (see WithinAspect), the URN of the entity whose
// lineage contains it, or the name of a list. The result is deterministic within one place and
// different in another: an actor that writes a guessed URN where it may write cannot compare the
// result with a restricted URN elsewhere.
func Restrict(names Names, within string, u urn.URN) urn.URN {
	return urn.Make(RestrictedType, names.Conceal(restrictedPurpose, placeOf(within)+string(u)))
}

// WithinAspect is the place of URNs that an aspect of an entity names.
func WithinAspect(of urn.URN, aspect string) string { return aspect + " of " + string(of) }

// placeOf is the encoding of a place in a concealed URN. It has placeSize bytes.
func placeOf(within string) string {
	sum := sha256.Sum256([]byte(within))
	return string(sum[:placeSize])
}

const placeSize = 16

// Unrestrict returns the URN that a restricted one stands for within a place. ok is false for every
// URN that Restrict did not return for that place. Callers must not show the result to an actor.
func Unrestrict(names Names, within string, u urn.URN) (stands urn.URN, ok bool) {
	text := reveal(names, u)
	if !strings.HasPrefix(text, placeOf(within)) {
		return "", false
	}
	return urn.URN(text[placeSize:]), true
}

// IsRestricted reports whether Restrict returned a URN, for any place.
func IsRestricted(names Names, u urn.URN) bool { return reveal(names, u) != "" }

// reveal returns the place and the URN that a restricted one stands for, empty for every other URN.
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
