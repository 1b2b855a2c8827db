package urn_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/urn"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, entityType, key string
		parts                       []string
	}{
		{"one part", "urn:li:corpuser:jo", "corpuser", "jo", []string{"jo"}},
		{"an id with colons", "urn:li:tag:a:b", "tag", "a:b", []string{"a:b"}},
		{"an id with commas", "urn:li:tag:a,b", "tag", "a,b", []string{"a,b"}},
		{"slashes and dots", "urn:li:tag:s3://b/../k", "tag", "s3://b/../k", []string{"s3://b/../k"}},
		{"percent signs stay", "urn:li:tag:a%2Cb", "tag", "a%2Cb", []string{"a%2Cb"}},
		{"letters of any script", "urn:li:tag:étiquette 標籤", "tag", "étiquette 標籤", []string{"étiquette 標籤"}},
		{"a camel-case type", "urn:li:mlModelGroup2_x:a", "mlModelGroup2_x", "a", []string{"a"}},
		{
			"a tuple that holds a URN", "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", "dataset",
			"(urn:li:dataPlatform:hive,db.t,PROD)", []string{"urn:li:dataPlatform:hive", "db.t", "PROD"},
		},
		{
			"nested tuples are split at the first depth", "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:x,(a),DEV),f(1,2))", "schemaField",
			"(urn:li:dataset:(urn:li:dataPlatform:x,(a),DEV),f(1,2))", []string{"urn:li:dataset:(urn:li:dataPlatform:x,(a),DEV)", "f(1,2)"},
		},
		{"two groups are one part", "urn:li:tag:(a)-(b)", "tag", "(a)-(b)", []string{"(a)-(b)"}},
		{"a tuple of one", "urn:li:tag:(a)", "tag", "(a)", []string{"a"}},
		{"a tuple in front", "urn:li:tag:(a,b)c", "tag", "(a,b)c", []string{"(a,b)c"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := urn.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if u.Type() != tt.entityType || u.Key() != tt.key || !reflect.DeepEqual(u.Parts(), tt.parts) {
				t.Errorf("got %q %q %q", u.Type(), u.Key(), u.Parts())
			}
			if u.String() != tt.text {
				t.Errorf("text changed to %q", u)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, reason string }{
		{"nothing", "", "must start with urn:li:"},
		{"another namespace", "urn:other:tag:a", "must start with urn:li:"},
		{"capitals in front", "URN:li:tag:a", "must start with urn:li:"},
		{"space in front", " urn:li:tag:a", "must start with urn:li:"},
		{"no key", "urn:li:tag", "no key"},
		{"an empty key", "urn:li:tag:", "key is empty"},
		{"a key that is not UTF-8", "urn:li:tag:caf\xe9", "is not valid UTF-8"},
		{"no type", "urn:li::a", "entity type"},
		{"a type that begins with a capital", "urn:li:Tag:a", "entity type"},
		{"a type that begins with a digit", "urn:li:1tag:a", "entity type"},
		{"a type with a slash", "urn:li:ta/g:a", "entity type"},
		{"a type with a letter outside ASCII", "urn:li:tág:a", "entity type"},
		{"an open parenthesis", "urn:li:tag:(a", "do not balance"},
		{"a closing parenthesis", "urn:li:tag:a)", "do not balance"},
		{"parentheses the wrong way", "urn:li:tag:)a(", "do not balance"},
		{"an empty tuple", "urn:li:tag:()", "empty part"},
		{"an empty first part", "urn:li:dataset:(,a)", "empty part"},
		{"an empty last part", "urn:li:dataset:(a,)", "empty part"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := urn.Parse(tt.text)
			var invalid *urn.Error
			if !errors.As(err, &invalid) || !strings.Contains(invalid.Reason, tt.reason) || u != "" {
				t.Errorf("got %q, %v, want the reason %q", u, err, tt.reason)
			}
		})
	}
}

func TestLongTextsAreCutInErrors(t *testing.T) {
	t.Parallel()
	_, err := urn.Parse(strings.Repeat("x", 1<<20))
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("message has %d bytes", len(err.Error()))
	}
}

func TestMakeIsUndoneByParts(t *testing.T) {
	t.Parallel()
	for _, parts := range [][]string{{"a"}, {"a", "b"}, {"urn:li:dataPlatform:hive", "(x,y)", "PROD"}} {
		made := urn.Make("dataset", parts...)
		parsed, err := urn.Parse(string(made))
		if err != nil || !reflect.DeepEqual(parsed.Parts(), parts) {
			t.Errorf("%q: got %q, %v", made, parsed.Parts(), err)
		}
		if !strings.HasPrefix(string(made), urn.TypePrefix("dataset")) || !urn.Looks(string(made)) {
			t.Errorf("%q lacks its prefix", made)
		}
	}
}

func TestMalformedValuesAreEmptyAndHarmless(t *testing.T) {
	t.Parallel()
	for _, u := range []urn.URN{"", "x", "urn:li:", "urn:li:tag", "urn:li:tag:"} {
		if u.Key() != "" || u.Parts() != nil {
			t.Errorf("%q: got %q %q", u, u.Key(), u.Parts())
		}
	}
	if urn.Looks("urn:x:tag:a") || urn.URN("x").Type() != "" {
		t.Error("a text without the prefix passes for a URN")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"urn:li:corpuser:jo", "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", "urn:li:tag:(a)-(b)", "urn:li:tag:(", "urn:li:tag:(,)", "", "\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := urn.Parse(text)
		if err != nil {
			// %q of the text must not produce invalid UTF-8 in the message.
			if !utf8.ValidString(err.Error()) {
				t.Errorf("message %q is not valid UTF-8", err.Error())
			}
			return
		}
		if string(u) != text || u.Type() == "" || u.Key() == "" {
			t.Fatalf("%q became %q, %q, %q", text, u, u.Type(), u.Key())
		}
		parts := u.Parts()
		for _, part := range parts {
			if part == "" {
				t.Errorf("%q has an empty part", text)
			}
		}
		if again := urn.Make(u.Type(), parts...); len(parts) > 1 && again != u {
			t.Errorf("%q was put together again as %q", text, again)
		}
		if urn.TypePrefix(u.Type())+u.Key() != text {
			t.Errorf("%q is not its prefix and key", text)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := urn.Parse("urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"); err != nil {
			b.Fatal(err)
		}
	}
}
