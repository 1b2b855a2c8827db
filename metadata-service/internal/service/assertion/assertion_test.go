package assertion_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/assertion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	revenue urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
	secret  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.secret,PROD)"
	ghost   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.ghost,PROD)"
	daily   urn.URN = "urn:li:assertion:daily"
	hidden  urn.URN = "urn:li:assertion:hidden"
	older   urn.URN = "urn:li:assertion:older"
	empty   urn.URN = "urn:li:assertion:empty"
)

const now = `{"actor":"urn:li:corpuser:jo","time":1772445600000}`

func ptr[T any](v T) *T { return &v }

// setup returns a world in which Jo may edit assertions of all datasets except one.
func setup(t *testing.T) (*servicetest.World, *assertion.Service) {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, revenue, secret} {
		w.Put(t, u, "status", `{"removed":false}`)
	}
	w.Put(t, hidden, "assertionInfo", `{"type":"CUSTOM","customAssertion":{"type":"x","entity":"`+string(secret)+`"}}`)
	w.Put(t, older, "assertionInfo", `{"type":"DATASET","datasetAssertion":{"dataset":"`+string(orders)+`","scope":"DATASET_ROWS","operator":"NOT_NULL"}}`)
	w.Put(t, empty, "status", `{"removed":false}`)
	return w, assertion.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.EditAssertions, auth.EditOperations}, revenue: {auth.EditEntity}, ghost: {auth.EditEntity}, secret: {auth.EditDocs},
	}}))
}

func draft(of urn.URN) assertion.Draft {
	return assertion.Draft{Asset: string(of), Type: "Fresh", Description: "Every day.", PlatformName: "checker"}
}

func wants(t *testing.T, err error, kind fault.Kind) {
	t.Helper()
	if err == nil || fault.KindOf(err) != kind {
		t.Errorf("got %v, want a failure of the kind %s", err, kind)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUpsert(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	d := draft(orders)
	d.Fields, d.Logic, d.Operator, d.Scope = []string{"id"}, ptr("select 1"), ptr("EQUAL_TO"), ptr("DATASET_ROWS")
	d.Parameters = jsontree.Object{"value": jsontree.Object{"value": "1", "type": "NUMBER"}}
	d.NativeParameters, d.ExternalURL = map[string]string{"a": "b"}, ptr("https://example.com")
	u, err := s.Upsert(jo, string(daily), d)
	must(t, err)
	column := `"urn:li:schemaField:(` + string(orders) + `,id)"`
	want := `{"customAssertion":{"entity":"` + string(orders) + `","field":` + column + `,"fields":[` + column + `],"logic":"select 1","nativeParameters":{"a":"b"},` +
		`"operator":"EQUAL_TO","parameters":{"value":{"type":"NUMBER","value":"1"}},"scope":"DATASET_ROWS","type":"Fresh"},` +
		`"description":"Every day.","entityUrn":"` + string(orders) + `","externalUrl":"https://example.com","lastUpdated":` + now + `,"source":{"created":` + now + `,"type":"EXTERNAL"},"type":"CUSTOM"}`
	if got := w.Get(t, u, "assertionInfo"); u != daily || got != want {
		t.Errorf("got %s %s, want %s", u, got, want)
	}
	if got := w.Get(t, u, "dataPlatformInstance"); got != `{"platform":"urn:li:dataPlatform:checker"}` {
		t.Errorf("got %s", got)
	}

	w.Pass(1e9)
	_, err = s.Upsert(jo, string(daily), draft(revenue))
	must(t, err)
	if got := w.Get(t, u, "assertionInfo"); !strings.Contains(got, `"source":{"created":`+now) || strings.Contains(got, "select 1") || !strings.Contains(got, string(revenue)) {
		t.Errorf("written again, it is %s", got)
	}
}

func TestUpsertsThatAreRefused(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	with := func(change func(*assertion.Draft)) assertion.Draft {
		d := draft(orders)
		change(&d)
		return d
	}
	for _, c := range []struct {
		name, id string
		draft    assertion.Draft
		kind     fault.Kind
	}{
		{"no right over the dataset", "", draft(secret), fault.Forbidden},
		{"no right over what it was about", string(hidden), draft(orders), fault.Forbidden},
		{"an assertion that is run here", string(older), draft(orders), fault.Malformed},
		{"no URN of an assertion", "urn:li:tag:x", draft(orders), fault.Malformed},
		{"no platform", "", with(func(d *assertion.Draft) { d.PlatformName = " " }), fault.Malformed},
		{"a platform that is none", "", with(func(d *assertion.Draft) { d.PlatformURN = "urn:li:tag:x" }), fault.Malformed},
		{"no type", "", with(func(d *assertion.Draft) { d.Type = "" }), fault.Malformed},
		{"a link that is a script", "", with(func(d *assertion.Draft) { d.ExternalURL = ptr("javascript:x") }), fault.Invalid},
		{"an empty column", "", with(func(d *assertion.Draft) { d.Fields = []string{""} }), fault.Malformed},
		{"too many columns", "", with(func(d *assertion.Draft) { d.Fields = make([]string, 2001) }), fault.TooLarge},
		{"an operator there is not", "", with(func(d *assertion.Draft) { d.Operator = ptr("LIKE") }), fault.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.Upsert(w.As(t, servicetest.Jo), c.id, c.draft)
			wants(t, err, c.kind)
		})
	}
}

// newest returns the newest document of a time-series aspect.
func newest(t *testing.T, w *servicetest.World, u urn.URN, aspect string) string {
	t.Helper()
	found, err := w.Catalog.Timeseries(w.As(t, servicetest.Root), catalog.TimeseriesQuery{URN: u, EntityType: u.Type(), Aspect: aspect, Limit: 1})
	must(t, err)
	if len(found) == 0 {
		return ""
	}
	return string(found[0].Event)
}

func TestReports(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	must(t, s.Report(jo, string(older), assertion.Result{
		Type: "ERROR", Severity: ptr("HIGH"), Properties: map[string]string{"rows": "7"}, Error: &assertion.Failure{Type: "UNKNOWN_ERROR", Message: "odd"},
	}))
	got := newest(t, w, older, "assertionRunEvent")
	for _, part := range []string{
		`"timestampMillis":1772445600000`, `"asserteeUrn":"` + string(orders) + `"`, `"status":"COMPLETE"`,
		`"error":{"properties":{"message":"odd"},"type":"UNKNOWN_ERROR"},"nativeResults":{"rows":"7"},"severity":"HIGH","type":"ERROR"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	wants(t, s.Report(jo, string(hidden), assertion.Result{Type: "SUCCESS"}), fault.Forbidden)
	wants(t, s.Report(jo, string(empty), assertion.Result{Type: "SUCCESS"}), fault.Forbidden)
	wants(t, s.Report(jo, string(older), assertion.Result{Type: "MAYBE"}), fault.Invalid)
	wants(t, s.Report(jo, string(older), assertion.Result{Type: "SUCCESS", Time: ptr(int64(-1))}), fault.Malformed)
	wants(t, s.Report(jo, string(older), assertion.Result{Type: "SUCCESS", ExternalURL: ptr("javascript:x")}), fault.Invalid)
	root := assertion.New(w.Edit)
	wants(t, root.Report(w.As(t, servicetest.Root), string(empty), assertion.Result{Type: "SUCCESS"}), fault.Malformed)
	wants(t, root.Report(w.As(t, servicetest.Root), "urn:li:assertion:ghost", assertion.Result{Type: "SUCCESS"}), fault.Malformed)
}

func TestOperations(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	must(t, s.ReportOperation(jo, assertion.Operation{
		Dataset: string(orders), Type: "CUSTOM", CustomType: ptr("OPTIMIZE"), Source: "DATA_PLATFORM", Time: ptr(int64(1772400000000)),
		Partition: ptr("day=1"), Rows: ptr(int64(12)), Properties: map[string]string{"a": "b"},
	}))
	got := newest(t, w, orders, "operation")
	for _, part := range []string{
		`"actor":"urn:li:corpuser:jo"`, `"customOperationType":"OPTIMIZE"`, `"customProperties":{"a":"b"}`, `"lastUpdatedTimestamp":1772400000000`,
		`"numAffectedRows":12`, `"partition":"day=1"`, `"timestampMillis":1772400000000`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is not in %s", part, got)
		}
	}
	insert := func(of urn.URN) assertion.Operation {
		return assertion.Operation{Dataset: string(of), Type: "INSERT", Source: "DATA_PROCESS"}
	}
	must(t, s.ReportOperation(jo, insert(revenue)))
	wants(t, s.ReportOperation(jo, insert(secret)), fault.Forbidden)
	wants(t, s.ReportOperation(jo, insert("urn:li:chart:(looker,x)")), fault.Malformed)
	wants(t, s.ReportOperation(jo, assertion.Operation{Dataset: string(orders), Type: "CUSTOM", Source: "DATA_PROCESS"}), fault.Malformed)
	wants(t, s.ReportOperation(jo, assertion.Operation{Dataset: string(orders), Type: "SHRED", Source: "DATA_PROCESS"}), fault.Invalid)
}

func TestDelete(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	wants(t, s.Delete(jo, string(hidden)), fault.Forbidden)
	wants(t, s.Delete(jo, string(empty)), fault.Forbidden)
	wants(t, s.Delete(jo, string(orders)), fault.Malformed)
	must(t, s.Delete(jo, string(older)))
	if got := w.Get(t, older, "assertionInfo"); got != "" {
		t.Errorf("it is still there: %s", got)
	}
	root, everything := w.As(t, servicetest.Root), assertion.New(w.Edit)
	must(t, everything.Delete(root, string(older)))
	must(t, everything.Delete(root, string(empty)))
}

// TestAssertionsAboutNothing: an assertion without an asset belongs to none, so a privilege on an
// asset does not permit taking it over.
func TestAssertionsAboutNothing(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	const nothing urn.URN = "urn:li:assertion:nothing"
	w.Put(t, nothing, "assertionInfo", `{"type":"CUSTOM"}`)
	jo := w.As(t, servicetest.Jo)
	for _, u := range []urn.URN{nothing, empty} {
		before := w.Get(t, u, "assertionInfo")
		_, err := s.Upsert(jo, string(u), draft(orders))
		wants(t, err, fault.Forbidden)
		wants(t, s.Delete(jo, string(u)), fault.Forbidden)
		wants(t, s.Report(jo, string(u), assertion.Result{Type: "SUCCESS"}), fault.Forbidden)
		if got := w.Get(t, u, "assertionInfo"); got != before {
			t.Errorf("%s is written: %s", u, got)
		}
	}
	may := assertion.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{orders: {auth.EditAssertions}, nothing: {auth.EditAssertions}}}))
	if _, err := may.Upsert(jo, string(nothing), draft(orders)); err != nil {
		t.Error(err)
	}
}
