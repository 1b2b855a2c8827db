package username_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/pkg/urn"
	"github.com/cartulary/cartulary/pkg/username"
)

func TestNamesOfUsers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"jo", "Jo.May+x@example.org", "étienne", "日本", "a:b", "a/b", "a%2Cb", "DOMAIN\\jo", "o'neil", strings.Repeat("x", username.MaxBytes),
	} {
		if err := username.Check(name); err != nil {
			t.Errorf("%.40q: %v", name, err)
		}
		made, err := urn.Parse(string(urn.Make(username.EntityType, name)))
		if err != nil || made.Key() != name || len(made.Parts()) != 1 || len(made) > 512 {
			t.Errorf("%.40q makes %.80q, %v", name, made, err)
		}
	}
	for name, says := range map[string]string{
		"":                          "must not be empty",
		"jo\n":                      "U+000A",
		"\njo":                      "U+000A",
		"j\ro":                      "U+000D",
		"j\x00o":                    "U+0000",
		"j\x7fo":                    "U+007F",
		"j\u0085o":                  "U+0085",
		"j\u2028o":                  "U+2028",
		" jo":                       "begin or end with white space",
		"jo ":                       "begin or end with white space",
		"jo\u00a0":                  "begin or end with white space",
		"jo may":                    "white space",
		"jo\u3000may":               "white space",
		"j\u00ado":                  "U+00AD",
		"j\u200bo":                  "U+200B",
		"j\u200do":                  "U+200D",
		"j\u202eo":                  "U+202E",
		"j\u2066o":                  "U+2066",
		"\ufeffjo":                  "U+FEFF",
		"jo\ufe0f":                  "U+FE0F",
		"j\u034fo":                  "U+034F",
		"j\u3164o":                  "U+3164",
		"j\u2800o":                  "U+2800",
		"j\ufffdo":                  "U+FFFD",
		"j\U000e0041o":              "U+E0041",
		"j\ue000o":                  "U+E000",
		"j\xe9":                     "valid UTF-8",
		"a,b":                       "separates the parts",
		"(a":                        "separates the parts",
		"a)":                        "separates the parts",
		"a\u241fb":                  "separates the parts",
		"urn:li:corpuser:jo":        "not a URN",
		strings.Repeat("x", 497):    "at most 496 bytes",
		strings.Repeat("\n", 10000): "at most 496 bytes",
	} {
		if err := username.Check(name); err == nil || !strings.Contains(err.Error(), says) || len(err.Error()) > 200 {
			t.Errorf("%.40q: got %v, want %q", name, err, says)
		}
	}
}

func TestNamesOfGroupsMayHaveBlanksAndCommas(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Data team", "CN=Data,OU=x (y)", "/realm/group"} {
		if err := username.CheckText(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{" Data", "Data\u00a0", "Da\nta", "Da\u202eta", "Da\u200bta", "\xff"} {
		if err := username.CheckText(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
