package credentials

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

// punctuation lists the characters of a user name besides letters and digits: those that real
// addresses use. Characters such as percent signs and angle brackets have a special meaning for
// some reader of names.
const punctuation = ".-_+'@"

// reservedUsers are user names that are excluded from sign-up. Names with one of reservedPrefixes are
// reserved unless they are e-mail addresses: they belong to parts of the system and to service
// accounts.
var (
	reservedUsers    = []urn.URN{model.RootUser, model.SystemActor, model.UnknownActor}
	reservedPrefixes = []string{"__", "service_"}
)

// userOf returns the user whose name follows from an e-mail address.
func userOf(email string) urn.URN { return urn.Make(account.EntityType, email) }

// checkName checks a name for sign-in against the rules for all names, and against the profile of
// new users: letters and digits of one script, in the form of the username profile of PRECIS (RFC
// 8265), and a few punctuation characters. Two names of the profile that look alike have the same
// spelling. Ingested users keep the names of their directories; they do not sign in with a
// password.
func checkName(member, name string) error {
	if err := username.Check(name); err != nil {
		return fault.New(fault.Malformed, "%s: %.200q: the name %v", member, name, err)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return !inName(r) }); i >= 0 {
		return fault.New(fault.Malformed, "%s: %.200q must consist of letters, digits and %s; %q is neither", member, name, punctuation, []rune(name[i:])[0])
	}
	if !strings.ContainsFunc(name, isWordRune) {
		return fault.New(fault.Malformed, "%s: %.200q must have a letter or a digit", member, name)
	}
	prepared, err := precis.UsernameCasePreserved.String(name)
	if err != nil {
		return fault.Wrap(err, fault.Malformed, "%s: %.200q has characters that a user name may not have, or not there", member, name)
	}
	if prepared != name {
		return fault.New(fault.Malformed, "%s: %.200q must be written as %.200q", member, name, prepared)
	}
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !isWordRune(r) }) {
		if mixesScripts(word) {
			return fault.New(fault.Malformed, "%s: %.200q mixes letters of several scripts, which can look like other letters", member, word)
		}
	}
	return nil
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

func inName(r rune) bool { return isWordRune(r) || strings.ContainsRune(punctuation, r) }

// combinableScripts lists groups of scripts that may occur in one word.
var combinableScripts = [][]string{{"Han", "Hiragana", "Katakana"}, {"Han", "Hangul"}, {"Han", "Bopomofo"}}

func mixesScripts(word string) bool {
	var scripts []string
	for _, r := range word {
		if s := scriptOf(r); s != "" && !slices.Contains(scripts, s) {
			scripts = append(scripts, s)
		}
	}
	if len(scripts) < 2 {
		return false
	}
	return !slices.ContainsFunc(combinableScripts, func(group []string) bool {
		return !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(group, s) })
	})
}

// scriptOf returns the script of a character, or an empty text for digits and other characters that
// scripts share.
func scriptOf(r rune) string {
	switch {
	case unicode.Is(unicode.Latin, r):
		return "Latin"
	case unicode.In(r, unicode.Common, unicode.Inherited):
		return ""
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			return name
		}
	}
	return ""
}

// lookalikes maps lower-case letters of other scripts to similar Latin letters. Words of one such
// script can look like Latin words.
var lookalikes = strings.NewReplacer(
	"а", "a", "ь", "b", "с", "c", "ԁ", "d", "е", "e", "һ", "h", "н", "h", "і", "i", "ј", "j", "к", "k", "ӏ", "l", "м", "m", "п", "n", "о", "o",
	"р", "p", "ԛ", "q", "г", "r", "ѕ", "s", "т", "t", "ц", "u", "ѵ", "v", "ԝ", "w", "х", "x", "у", "y", // Cyrillic
	"α", "a", "β", "b", "ε", "e", "η", "n", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "γ", "y", "ω", "w", // Greek
	"ո", "n", "ս", "u", "օ", "o", "հ", "h", "ց", "g", "զ", "q", // Armenian
)

// spelling maps names that look alike to the same text: it ignores case, width, invisible
// characters, percent-encoding and script. It accepts any name, including names from directories.
func spelling(name string) string {
	// Most names are plain ASCII, and a sign-up compares all users.
	if !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == '%' || r >= 0x7f }) {
		return strings.ToLower(name)
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	visible := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, name)
	return norm.NFKC.String(lookalikes.Replace(cases.Fold().String(norm.NFKC.String(visible))))
}

// isReserved reports whether a name is reserved or, apart from accents, looks like a reserved one.
func isReserved(name string) bool {
	plain := withoutMarks(name)
	return slices.ContainsFunc(reservedUsers, func(u urn.URN) bool { return plain == withoutMarks(u.Key()) }) ||
		!strings.Contains(plain, "@") && slices.ContainsFunc(reservedPrefixes, func(prefix string) bool { return strings.HasPrefix(plain, prefix) })
}

func withoutMarks(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(spelling(name)))
}

// checkLabel checks a text that pages show with a user against the nickname profile of PRECIS (RFC
// 8266): no control and no invisible characters. It also refuses < and >, which some readers
// interpret as markup.
func checkLabel(member, text string) error {
	if strings.ContainsAny(text, "<>") {
		return fault.New(fault.Malformed, "%s must not contain < or >", member)
	}
	if _, err := precis.Nickname.String(text); err != nil {
		return fault.Wrap(err, fault.Malformed, "%s must not contain control or invisible characters", member)
	}
	return nil
}
