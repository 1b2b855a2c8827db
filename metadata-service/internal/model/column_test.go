package model_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const invoices urn.URN = "urn:li:dataset:(urn:li:dataPlatform:mssql,erp.dbo.invoice,PROD)"

// columnPaths are field paths, and the last parts of the URNs that clients make for them.
var columnPaths = []struct{ path, encoded string }{
	{"id", "id"},
	{"Amount (EUR)", "Amount %28EUR%29"},
	{"Last, First", "Last%2C First"},
	{"half (", "half %28"},
	{")(,", "%29%28%2C"},
	{"100%", "100%"},
	{"%25", "%25"},
	{"a%2528b", "a%2528b"}, // decoded once
	{`"quoted" 'name'`, `"quoted" 'name'`},
	{"[version=2.0].[type=struct].x", "[version=2.0].[type=struct].x"},
	{"prix 💶", "prix 💶"},
	{"شحن (كغ)", "شحن %28كغ%29"},
	{"\u202eright\u202c", "\u202eright\u202c"},
	{"tab\tnul\x00", "tab\tnul\x00"},
	{"path\u241fpiece", "path%E2%90%9Fpiece"},
}

func TestURNsOfColumnsEncodeTheirPaths(t *testing.T) {
	registry := registry(t)
	for _, c := range columnPaths {
		u := model.ColumnURN(invoices, c.path)
		if want := urn.URN("urn:li:schemaField:(" + string(invoices) + "," + c.encoded + ")"); u != want {
			t.Errorf("the URN of %q is %q, want %q", c.path, u, want)
		}
		bound, spec, err := registry.Resolve(string(u))
		if err != nil {
			t.Errorf("%q: %v", c.path, err)
			continue
		}
		parent, path, ok := model.SplitColumn(bound)
		if !ok || parent != invoices || path != c.path {
			t.Errorf("%q was split into %q and %q", u, parent, path)
		}
		if again := model.ColumnURN(invoices, c.encoded); again != u {
			t.Errorf("an encoded path was encoded again: %q", again)
		}
		key := spec.KeyValue(bound)
		if got := jsontree.Text(key, "fieldPath"); got != c.path {
			t.Errorf("the key of %q has the path %q", u, got)
		}
		if made, err := spec.URNOf(key); err != nil || made != u {
			t.Errorf("the key of %q makes the URN %q: %v", u, made, err)
		}
	}
}

func TestURNsOfColumnsWithoutEncodingAreRead(t *testing.T) {
	for text, path := range map[string]string{
		"urn:li:schemaField:(urn:li:chart:(looker,a),Amount (EUR))":    "Amount (EUR)",
		"urn:li:schemaField:(urn:li:chart:(looker,a),Last, First)":     "Last, First",
		"urn:li:schemaField:(urn:li:chart:(looker,a),Last%2c%20First)": "Last,%20First",
	} {
		parent, got, ok := model.SplitColumn(urn.URN(text))
		if !ok || parent != "urn:li:chart:(looker,a)" || got != path {
			t.Errorf("%s was split into %q and %q", text, parent, got)
		}
		if c := model.CanonicalColumn(urn.URN(text)); c != model.ColumnURN(parent, path) {
			t.Errorf("the canonical URN of %s is %s", text, c)
		}
	}
	for _, other := range []urn.URN{"", "urn:li:schemaField:x", "urn:li:schemaField:(a,b)", "urn:li:dataset:(urn:li:dataPlatform:a,b,PROD)"} {
		if parent, path, ok := model.SplitColumn(other); ok || model.ParentOfColumn(other) != "" {
			t.Errorf("%q was split into %q and %q", other, parent, path)
		}
		if c := model.CanonicalColumn(other); c != other {
			t.Errorf("the canonical URN of %q is %q", other, c)
		}
	}
}
