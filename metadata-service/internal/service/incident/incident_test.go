package incident_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/incident"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	revenue urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.revenue,PROD)"
	secret  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.secret,PROD)"
	ghost   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.ghost,PROD)"
	late            = "urn:li:incident:late"
)

func ptr[T any](v T) *T { return &v }

func about(list ...urn.URN) *[]string {
	out := []string{}
	for _, u := range list {
		out = append(out, string(u))
	}
	return &out
}

// setup returns a world in which Jo may edit incidents of all datasets except one.
func setup(t *testing.T) (*servicetest.World, *incident.Service) {
	t.Helper()
	w := servicetest.New(t)
	for _, u := range []urn.URN{orders, revenue, secret} {
		w.Put(t, u, "status", `{"removed":false}`)
	}
	return w, incident.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{
		orders: {auth.EditIncidents}, revenue: {auth.EditEntity}, ghost: {auth.EditIncidents}, secret: {auth.EditDocs},
	}}))
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

func TestRaise(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	u, err := s.Raise(jo, incident.Kind{Type: "CUSTOM", CustomType: "Smell"}, incident.Content{
		Title: ptr("Late"), Description: ptr("No orders."), StartedAt: ptr(int64(7)), Priority: ptr("LOW"),
		Resources: about(orders, revenue, orders), Assignees: &[]string{string(servicetest.Mia)},
		Status: &incident.Status{State: "ACTIVE", Stage: ptr("TRIAGE"), Message: ptr("Looking.")},
	})
	must(t, err)
	const now = `{"actor":"urn:li:corpuser:jo","time":1772445600000}`
	want := `{"assignees":[{"actor":"urn:li:corpuser:mia","assignedAt":` + now + `}],"created":` + now + `,"customType":"Smell","description":"No orders.",` +
		`"entities":["` + string(orders) + `","` + string(revenue) + `"],"priority":3,"source":{"type":"MANUAL"},"startedAt":7,` +
		`"status":{"lastUpdated":` + now + `,"message":"Looking.","stage":"TRIAGE","state":"ACTIVE"},"title":"Late","type":"CUSTOM"}`
	if got := w.Get(t, u, "incidentInfo"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, asset := range []urn.URN{orders, revenue} {
		if got := w.Get(t, asset, "incidentsSummary"); !strings.Contains(got, string(u)) {
			t.Errorf("%s knows of %s", asset, got)
		}
	}

	u, err = s.Raise(jo, incident.Kind{}, incident.Content{Resources: about(orders)})
	must(t, err)
	if got, want := w.Get(t, u, "incidentInfo"), `"status":{"lastUpdated":`+now+`,"state":"ACTIVE"},"type":"OPERATIONAL"`; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s in it", got, want)
	}
}

func TestRaisesThatAreRefused(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	for _, c := range []struct {
		name    string
		kind    incident.Kind
		content incident.Content
		want    fault.Kind
	}{
		{"about nothing", incident.Kind{}, incident.Content{}, fault.Malformed},
		{"about an empty list", incident.Kind{}, incident.Content{Resources: about()}, fault.Malformed},
		{"no right over one of the assets", incident.Kind{}, incident.Content{Resources: about(orders, secret)}, fault.Forbidden},
		{"an asset that is not there", incident.Kind{}, incident.Content{Resources: about(ghost)}, fault.Malformed},
		{"no URN", incident.Kind{}, incident.Content{Resources: &[]string{"orders"}}, fault.Malformed},
		{"a kind of its own without a name", incident.Kind{Type: "CUSTOM"}, incident.Content{Resources: about(orders)}, fault.Malformed},
		{"a priority there is not", incident.Kind{}, incident.Content{Resources: about(orders), Priority: ptr("URGENT")}, fault.Malformed},
		{"somebody who is a tag", incident.Kind{}, incident.Content{Resources: about(orders), Assignees: &[]string{"urn:li:tag:x"}}, fault.Malformed},
		{"a time before all times", incident.Kind{}, incident.Content{Resources: about(orders), StartedAt: ptr(int64(-1))}, fault.Malformed},
		{"a title that is a book", incident.Kind{}, incident.Content{Resources: about(orders), Title: ptr(strings.Repeat("x", 2000))}, fault.TooLarge},
		{"too many assets", incident.Kind{}, incident.Content{Resources: ptr(make([]string, 1001))}, fault.TooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.Raise(w.As(t, servicetest.Jo), c.kind, c.content)
			wants(t, err, c.want)
		})
	}
}

func TestUpdatesOfIncidents(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	jo := w.As(t, servicetest.Jo)
	wants(t, s.Update(jo, late, incident.Content{Title: ptr("x")}), fault.NotFound)
	must(t, s.Upsert(jo, late, incident.Content{Title: ptr("Late"), Resources: about(orders), Assignees: about(servicetest.Mia), Status: &incident.Status{State: "ACTIVE", Stage: ptr("TRIAGE")}}))
	must(t, s.Update(jo, late, incident.Content{Title: ptr("Very late")}))
	info := func() string { return w.Get(t, late, "incidentInfo") }
	for _, part := range []string{`"title":"Very late"`, `"stage":"TRIAGE"`, `"actor":"urn:li:corpuser:mia"`, string(orders)} {
		if !strings.Contains(info(), part) {
			t.Errorf("%s is not in %s", part, info())
		}
	}
	must(t, s.Update(jo, late, incident.Content{Status: &incident.Status{State: "RESOLVED"}, Resources: about(revenue)}))
	if strings.Contains(info(), "TRIAGE") || strings.Contains(info(), string(orders)) {
		t.Errorf("what was replaced is still in %s", info())
	}
	if got := w.Get(t, orders, "incidentsSummary"); strings.Contains(got, late) {
		t.Errorf("the first asset still knows of it: %s", got)
	}
	wants(t, s.Update(jo, late, incident.Content{Resources: about()}), fault.Malformed)
	wants(t, s.Update(jo, late, incident.Content{Resources: about(secret)}), fault.Forbidden)
	wants(t, s.Upsert(jo, string(orders), incident.Content{Resources: about(orders)}), fault.Malformed)

	must(t, incident.New(w.Edit).Update(w.As(t, servicetest.Root), late, incident.Content{Resources: about(secret)}))
	wants(t, s.Update(jo, late, incident.Content{Title: ptr("x")}), fault.Forbidden)
	wants(t, s.Upsert(jo, late, incident.Content{Resources: about(orders)}), fault.Forbidden)
}

// TestIncidentsAboutNothing: an incident without resources belongs to no asset, so a privilege on
// an asset does not permit taking it over.
func TestIncidentsAboutNothing(t *testing.T) {
	t.Parallel()
	w, s := setup(t)
	const at = `{"time":1,"actor":"urn:li:corpuser:mia"}`
	const nothing, bare urn.URN = "urn:li:incident:nothing", "urn:li:incident:bare"
	w.Put(t, nothing, "incidentInfo", `{"type":"OPERATIONAL","entities":[],"status":{"state":"ACTIVE","lastUpdated":`+at+`},"created":`+at+`}`)
	w.Put(t, bare, "incidentNotes", `{"notes":[]}`)
	jo := w.As(t, servicetest.Jo)
	for _, u := range []urn.URN{nothing, bare} {
		before := w.Get(t, u, "incidentInfo")
		for _, content := range []incident.Content{{Title: ptr("x")}, {Resources: about()}, {Resources: about(orders)}, {Resources: about(orders), Title: ptr("x")}, {}} {
			wants(t, s.Upsert(jo, string(u), content), fault.Forbidden)
			if u == nothing {
				wants(t, s.Update(jo, string(u), content), fault.Forbidden)
			}
		}
		if got := w.Get(t, u, "incidentInfo"); got != before {
			t.Errorf("%s is written: %s", u, got)
		}
	}
	may := incident.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{orders: {auth.EditIncidents}, nothing: {auth.EditIncidents}}}))
	must(t, may.Update(jo, string(nothing), incident.Content{Resources: about(orders)}))
	must(t, s.Update(jo, string(nothing), incident.Content{Title: ptr("x")}))
}
