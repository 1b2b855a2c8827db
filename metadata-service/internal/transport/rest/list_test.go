package rest_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestListParameter(t *testing.T) {
	t.Parallel()
	dataset := "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"
	for name, c := range map[string]struct {
		query string
		want  []string
	}{
		"absent":                                    {"other=List(a)", nil},
		"empty value":                               {"ids=", nil},
		"empty list":                                {"ids=List()", nil},
		"one plain value":                           {"ids=status", []string{"status"}},
		"several items":                             {"x=1&ids=List(a,b,c)&y=2", []string{"a", "b", "c"}},
		"repeated parameter":                        {"ids=a&ids=List(b,c)", []string{"a", "b", "c"}},
		"encoded items":                             {"ids=List(" + url.QueryEscape(dataset) + ",b)", []string{dataset, "b"}},
		"raw URN stays whole":                       {"ids=List(" + dataset + ",b)", []string{dataset, "b"}},
		"one raw URN without a list":                {"ids=" + dataset, []string{dataset}},
		"whole list encoded once":                   {"ids=" + url.QueryEscape("List("+dataset+",urn:li:tag:b)"), []string{dataset, "urn:li:tag:b"}},
		"whole list encoded on top of its items":    {"ids=" + url.QueryEscape("List("+url.QueryEscape(dataset)+",b)"), []string{dataset, "b"}},
		"encoded text inside a once encoded list":   {"ids=List%28urn:li:tag:a%252Cb%29", []string{"urn:li:tag:a%2Cb"}},
		"encoded text inside an item stays encoded": {"ids=List(urn%3Ali%3Atag%3Aa%252Cb)", []string{"urn:li:tag:a%2Cb"}},
		"plus is a plus":                            {"ids=List(urn:li:tag:c++)", []string{"urn:li:tag:c++"}},
		"slashes and dots":                          {"ids=List(urn:li:tag:a%2F..%2Fb,c/d)", []string{"urn:li:tag:a/../b", "c/d"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := rest.ListParam(c.query, "ids")
			if err != nil || !slices.Equal(got, c.want) {
				t.Fatalf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestListParameterRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		query, want string
		kind        fault.Kind
	}{
		"not closed":            {"ids=List(a,b", "not closed", fault.Malformed},
		"closed too often":      {"ids=List(a),b)", "do not balance", fault.Malformed},
		"opened too often":      {"ids=List((a,b)", "do not balance", fault.Malformed},
		"empty item":            {"ids=List(a,,b)", "item 2 of the list is empty", fault.Malformed},
		"comma at the end":      {"ids=List(a,)", "item 2 of the list is empty", fault.Malformed},
		"broken encoding":       {"ids=List(a%2)", "percent-encoded", fault.Malformed},
		"broken outer encoding": {"ids=List%28a%zz%29", "percent-encoded", fault.Malformed},
		"too many items":        {"ids=List(" + strings.Repeat("a,", 1000) + "a)", "more than 1000", fault.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := rest.ListParam(c.query, "ids")
			if !errors.Is(err, c.kind) || !strings.Contains(fault.Message(err), c.want) {
				t.Fatalf("got %v, want a %v error with %q", err, c.kind, c.want)
			}
		})
	}
}

func TestVersionStamp(t *testing.T) {
	t.Parallel()
	got, err := rest.ParseStamp("status:2;ownership:0;")
	if err != nil || len(got) != 2 || got["status"] != 2 || got["ownership"] != 0 {
		t.Fatalf("got %v, %v", got, err)
	}
	for _, bad := range []string{"status", "status:", ":1", "status:-1", "status:x"} {
		if _, err := rest.ParseStamp(bad); !errors.Is(err, fault.Malformed) {
			t.Errorf("%q: got %v, want a malformed error", bad, err)
		}
	}
}

func FuzzListParam(f *testing.F) {
	for _, seed := range []string{"ids=List(a,b)", "ids=List%28a%2Cb%29", "ids=a&ids=b", "ids=List((a,b),c)", "ids=%", "ids=List("} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		items, err := rest.ListParam(query, "ids")
		if err != nil {
			if fault.KindOf(err) == fault.Internal {
				t.Fatalf("%q: %v counts as a defect of the service", query, err)
			}
			return
		}
		// The parsed items, encoded in the strict form, must have the same meaning.
		encoded := make([]string, len(items))
		for i, item := range items {
			if encoded[i] = url.QueryEscape(item); item == "" {
				t.Skip("an empty item has no strict form")
			}
			encoded[i] = strings.ReplaceAll(encoded[i], "+", "%20")
		}
		again, err := rest.ListParam("ids=List("+strings.Join(encoded, ",")+")", "ids")
		if err != nil || !slices.Equal(again, items) {
			t.Fatalf("%q: read %q, said again and read %q, %v", query, items, again, err)
		}
	})
}
