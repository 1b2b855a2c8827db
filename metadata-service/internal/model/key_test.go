package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"one part", "urn:li:tag:pii", ""},
		{"one part with colons", "urn:li:tag:a:b:c", ""},
		{"one part in parentheses", "urn:li:tag:(a,b)", ""},
		{"one part with a comma", "urn:li:tag:a,b", ""},
		{"one part with parentheses inside", "urn:li:tag:f(x)", ""},
		{"parts that are URNs", "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", ""},
		{"URNs in URNs", "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD),a.b)", ""},
		{"percent-encoded comma stays in its part", "urn:li:dataset:(urn:li:dataPlatform:hive,a%2Cb,PROD)", ""},
		{"no URN", "tag:pii", "must start with urn:li:"},
		{"other namespace", "urn:xx:tag:pii", "must start with urn:li:"},
		{"no key", "urn:li:tag", "no key"},
		{"empty key", "urn:li:tag:", "key is empty"},
		{"entity type in capitals", "urn:li:Tag:pii", "entity type must be"},
		{"entity type of another case", "urn:li:dataSet:(urn:li:dataPlatform:hive,t,PROD)", "is written dataset"},
		{"entity type that is unknown", "urn:li:tagg:pii", "unknown entity type tagg"},
		{"too few parts", "urn:li:dataset:(urn:li:dataPlatform:hive,t)", "the key has 2 parts, dataset has 3: platform, name, origin"},
		{"too many parts", "urn:li:dataset:(urn:li:dataPlatform:hive,a,b,PROD)", "the key has 4 parts"},
		{"one part where several belong", "urn:li:dataset:t", "the key has 1 parts"},
		{"empty part", "urn:li:dataset:(urn:li:dataPlatform:hive,,PROD)", "empty part"},
		{"symbol that is none", "urn:li:dataset:(urn:li:dataPlatform:hive,t,PRODUCTION)", "origin must be one of"},
		{"symbol of another case", "urn:li:dataset:(urn:li:dataPlatform:hive,t,prod)", "origin must be one of"},
		{"part that must be a URN", "urn:li:dataset:(hive,t,PROD)", "platform must be a URN"},
		{"open parenthesis", "urn:li:dataset:(urn:li:dataPlatform:hive,t(,PROD)", "do not balance"},
		{"closing parenthesis first", "urn:li:tag:a)(b", "do not balance"},
	}
	r := registry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, spec, err := r.Resolve(tt.text)
			if tt.want == "" {
				if err != nil || string(u) != tt.text || spec.Name != u.Type() {
					t.Fatalf("got %q, %v", u, err)
				}
				return
			}
			var bad *model.URNError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Fatalf("got %v, want a URNError with %q", err, tt.want)
			}
			if fault.KindOf(err) != fault.Malformed || fault.Message(err) != err.Error() {
				t.Errorf("kind is %v, message %q", fault.KindOf(err), fault.Message(err))
			}
		})
	}
}

func TestLongURNsAreCutInErrors(t *testing.T) {
	t.Parallel()
	_, _, err := registry(t).Resolve("urn:li:nothing:" + strings.Repeat("ä", 5000))
	if err == nil || len(err.Error()) > 400 {
		t.Errorf("got %v", err)
	}
}

func TestCheckWritable(t *testing.T) {
	t.Parallel()
	path := "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD),%)"
	tests := []struct{ name, text, want string }{
		{"plain", "urn:li:tag:pii", ""},
		{"white space inside", "urn:li:tag:a b", ""},
		{"letters outside ASCII", "urn:li:tag:größe", ""},
		{"white space at the end", "urn:li:tag:pii ", "white space"},
		{"no-break space at the end", "urn:li:tag:pii\u00a0", "white space"},
		{"line feed at the end", "urn:li:tag:pii\n", "white space"},
		{"separator of browse paths", "urn:li:tag:a\u241fb", "U+241F"},
		{"control character", "urn:li:tag:a\x00b", "control character"},
		{"delete character", "urn:li:tag:a\x7fb", "control character"},
		{"as long as allowed", "urn:li:tag:" + strings.Repeat("a", 495), ""},
		{"one byte too long", "urn:li:tag:" + strings.Repeat("a", 496), "longer than 512"},
		{"too long once encoded", "urn:li:tag:" + strings.Repeat("ä", 100), "longer than 512"},
		{"long path of a schema field", strings.Replace(path, "%", strings.Repeat("a.", 2000), 1), ""},
		{"endless path of a schema field", strings.Replace(path, "%", strings.Repeat("a.", 5000), 1), "longer than 8192"},
	}
	r := registry(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, spec, err := r.Resolve(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			err = model.CheckWritable(u, spec)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if err != nil && fault.KindOf(err) != fault.Malformed {
				t.Errorf("kind is %v", fault.KindOf(err))
			}
		})
	}
}

func TestKeyOfOnePartIsTheWholeText(t *testing.T) {
	t.Parallel()
	key := entity(t, "tag").KeyValue("urn:li:tag:(a,b)")
	if len(key) != 1 || key["name"] != "(a,b)" {
		t.Errorf("got %v", key)
	}
}

func TestURNOfRefusesBadKeys(t *testing.T) {
	t.Parallel()
	dataset := func(name any) model.Object {
		return model.Object{"platform": "urn:li:dataPlatform:hive", "name": name, "origin": "PROD"}
	}
	tests := []struct {
		name string
		key  model.Object
		want string
	}{
		{"part that is absent", model.Object{"platform": "urn:li:dataPlatform:hive", "origin": "PROD"}, "field name"},
		{"part that is empty", dataset(""), "field name"},
		{"part that is no text", dataset(true), "field name"},
		{"raw comma in a part", dataset("a,b"), "percent-encoded"},
		{"parentheses that do not balance", dataset("a(b"), "balance"},
		{"parts that swallow each other", dataset("a),(b"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			u, err := entity(t, "dataset").URNOf(tt.key)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %q, %v", u, err)
			}
			if fault.KindOf(err) != fault.Malformed {
				t.Errorf("kind is %v", fault.KindOf(err))
			}
		})
	}
}

func TestURNOfKeepsBalancedParentheses(t *testing.T) {
	t.Parallel()
	got, err := entity(t, "dataset").URNOf(model.Object{"platform": "urn:li:dataPlatform:hive", "name": "f(a,b)", "origin": "DEV"})
	if want := urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,f(a,b),DEV)"); err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
}
