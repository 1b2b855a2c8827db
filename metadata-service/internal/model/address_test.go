package model_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

var (
	goodAddresses = []string{
		"https://example.com/a?b=c#d", "http://wiki", "HTTPS://example.com", " https://example.com ", "https://example.com/a b/100%", "https://[2001:db8::1]:80/",
		"/assets/platforms/hive.png", "assets/platforms/hive.png", "../x", "//cdn.example.com/x.png", "wiki.example.com/a:b", "?q=a:b", "#a:b", "", " ", "größe:x", "a/b:c",
		"file:///share/a.pdf", "ftp://example.com", "mailto:jo@example.com", "s3://bucket/key", "slack://channel?id=1", "notes:x", "x:", "localhost:8080/a", "javascript", "/javascript:x", "datax:y",
	}
	badAddresses = []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "\u00a0javascript:alert(1)", "\u2028javascript:alert(1)",
		"\tjavascript:alert(1)", "java\tscript:alert(1)", "java\nscript:alert(1)", "java\rscript:alert(1)", "\x01javascript:alert(1)", "javascript\t:alert(1)", "https://a\n.example.com",
		"javascript://example.com/%0aalert(1)", "javascript:1/alert(1)", "vbscript:x", "data:text/html,x", "data:image/svg+xml;base64,x", "DATA:,x",
		"javascript:", "vbscript:msgbox", "Data:application/javascript,x", "\x00https://example.com", "https://example.com/\u0085",
	}
)

// addressesIn returns the JSON Pointers of addresses in a type, with * for elements.
func addressesIn(t *model.Type, at string, open map[*model.Type]bool) []string {
	if t.Web {
		return []string{at}
	}
	if open[t] {
		return nil
	}
	open[t] = true
	defer delete(open, t)
	var found []string
	for _, f := range t.Fields {
		found = append(found, addressesIn(f.Type, at+"/"+f.Name, open)...)
	}
	for _, m := range t.Members {
		found = append(found, addressesIn(m.Type, at+"/"+m.Key, open)...)
	}
	if t.Elem != nil {
		found = append(found, addressesIn(t.Elem, at+"/*", open)...)
	}
	return found
}

// set puts v at the places of a value that match a pointer of addressesIn.
func set(at any, path string, v string) (found bool) {
	step, rest, deeper := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	rest = "/" + rest
	switch at := at.(type) {
	case model.Object:
		for name, e := range at {
			switch {
			case name != step && step != "*":
			case deeper:
				found = set(e, rest, v) || found
			default:
				at[name], found = v, true
			}
		}
	case []any:
		for i, e := range at {
			if deeper {
				found = set(e, rest, v) || found
			} else {
				at[i], found = v, true
			}
		}
	}
	return found
}

func TestEveryAddressOfTheModelIsOfTheWeb(t *testing.T) {
	t.Parallel()
	r := registry(t)
	places := 0
	for _, a := range r.Aspects() {
		for _, path := range addressesIn(a.Record, "", map[*model.Type]bool{}) {
			places++
			tried := false
			for variant := 0; variant < 12 && !tried; variant++ { // a union contains one of its members at a time
				value := maximal(r, a, variant)
				if tried = set(value, path, badAddresses[0]); !tried {
					continue
				}
				for _, bad := range badAddresses {
					set(value, path, bad)
					_, _, err := r.Conform(a, jsontree.Clone(value).(model.Object))
					if err == nil || !strings.Contains(err.Error(), "must be an address") {
						t.Errorf("%s%s takes %q: %v", a.Name, path, bad, err)
					}
				}
				for _, good := range goodAddresses {
					set(value, path, good)
					if _, _, err := r.Conform(a, jsontree.Clone(value).(model.Object)); err != nil {
						t.Errorf("%s%s refuses %q: %v", a.Name, path, good, err)
					}
				}
			}
			if !tried {
				t.Errorf("%s%s was not reached", a.Name, path)
			}
		}
	}
	if places < 45 {
		t.Errorf("%d places hold addresses, there were 49", places)
	}
}

// TestFieldsNamedAsAddressesAreMarked finds fields that are added without the mark. The listed
// fields contain no address that a page shows.
func TestFieldsNamedAsAddressesAreMarked(t *testing.T) {
	t.Parallel()
	exempt := map[string]string{
		"com.linkedin.dataset.DatasetProperties.uri":   "where a dataset is stored, such as s3://bucket/key",
		"com.linkedin.service.McpServerProperties.url": "what agents connect to, a WebSocket maybe",
	}
	seen := map[*model.Type]bool{}
	var walk func(t *model.Type) []string
	walk = func(t *model.Type) (unmarked []string) {
		if t == nil || seen[t] {
			return nil
		}
		seen[t] = true
		for _, f := range t.Fields {
			name := strings.ToLower(f.Name)
			named := strings.HasSuffix(name, "url") || strings.HasSuffix(name, "uri") || strings.HasSuffix(name, "link")
			place := t.Name + "." + f.Name
			if named && f.Type.Shape == model.String && !f.Type.Web && exempt[place] == "" {
				unmarked = append(unmarked, place)
			}
			unmarked = append(unmarked, walk(f.Type)...)
		}
		for _, m := range t.Members {
			unmarked = append(unmarked, walk(m.Type)...)
		}
		return append(unmarked, walk(t.Elem)...)
	}
	for _, a := range registry(t).Aspects() {
		for _, place := range walk(a.Record) {
			t.Errorf("%s of %s is not marked as an address of the web", place, a.Name)
		}
	}
}
