// Package username defines the requirements on every user name before a URN is built from it, for
// all sources: a form, an invitation, an identity provider or an API call. The service has further
// requirements on the names of new users.
package username

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// EntityType is the entity type of users.
	EntityType = "corpuser"
	// maxURN is the maximum size of the URN of a user, in bytes.
	maxURN = 512
	// MaxBytes is the maximum size of a name, so that its URN has at most 512 bytes.
	MaxBytes = maxURN - len("urn:li:"+EntityType+":")
)

// structure lists the separators of URN parts. The last one, U+241F, is the separator in indexes
// that clients build.
const structure = ",()\u241f"

// Check returns nil for a valid user name, or else the reason, worded to follow "the name". A name
// is not empty, not a URN, and has at most MaxBytes bytes of valid UTF-8 without white space,
// control, invisible or formatting characters, commas and parentheses.
func Check(name string) error {
	switch {
	case name == "":
		return errors.New("must not be empty")
	case len(name) > MaxBytes:
		return fmt.Errorf("must have at most %d bytes, found %d", MaxBytes, len(name))
	case urn.Looks(name):
		return errors.New("must be an id, not a URN")
	}
	if err := CheckText(name); err != nil {
		return err
	}
	if strings.ContainsFunc(name, unicode.IsSpace) {
		return errors.New("must not contain white space")
	}
	if i := strings.IndexAny(name, structure); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		return fmt.Errorf("must not contain %q, which separates the parts of a URN", r)
	}
	return nil
}

// CheckText is the part of Check that also applies to group names: valid UTF-8 that does not begin
// or end with white space, and has no control, invisible or formatting characters, such as those
// that change the direction of text.
func CheckText(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("must be valid UTF-8 text")
	}
	for _, r := range text {
		if isHidden(r) {
			return fmt.Errorf("must not contain %U, which is a control, invisible or formatting character", r)
		}
	}
	if strings.TrimSpace(text) != text {
		return errors.New("must not begin or end with white space")
	}
	return nil
}

// isHidden reports whether a character is invisible or changes how others are shown. Fillers of
// Hangul and the empty Braille cell count as letters and symbols, but show nothing.
func isHidden(r rune) bool {
	const brailleBlank = 0x2800
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) ||
		r == brailleBlank || r == unicode.ReplacementChar
}
