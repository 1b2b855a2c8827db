package view_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/view"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const aspect = "dataHubViewInfo"

func text(s string) *string { return &s }

func TestViewsAreKeptAsTheyWereDrawn(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	views := view.New(w.Granting(servicetest.Grants{}))
	filters := []view.Filter{{Field: "tags", Condition: "EQUAL", Values: []string{"a", "b"}}, {Field: "name", Condition: "EXISTS", Negated: true}}
	const tags, name = `{"condition":"EQUAL","field":"tags","negated":false,"values":["a","b"]}`, `{"condition":"EXISTS","field":"name","negated":true,"values":[]}`
	for title, c := range map[string]struct {
		d    view.Definition
		want string
	}{
		"all must hold":    {view.Definition{Types: []string{"dataset"}, Filters: filters}, `{"entityTypes":["dataset"],"filter":{"or":[{"and":[` + tags + `,` + name + `]}]}}`},
		"one is enough":    {view.Definition{Any: true, Filters: filters}, `{"entityTypes":[],"filter":{"or":[{"and":[` + tags + `]},{"and":[` + name + `]}]}}`},
		"nothing filtered": {view.Definition{}, `{"entityTypes":[],"filter":{"or":[]}}`},
	} {
		u, err := views.Create(w.As(t, servicetest.Jo), view.Draft{Kind: view.Personal, Name: "Mine", Definition: c.d})
		if err != nil {
			t.Fatalf("%s: %v", title, err)
		}
		const stamp = `{"actor":"urn:li:corpuser:jo","time":1772445600000}`
		if got, want := w.Get(t, u, aspect), `{"created":`+stamp+`,"definition":`+c.want+`,"lastModified":`+stamp+`,"name":"Mine","type":"PERSONAL"}`; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", title, got, want)
		}
	}
}

func TestUpdateLeavesWhatIsNotNamed(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	views, jo := view.New(w.Edit), w.As(t, servicetest.Jo)
	u, err := views.Create(jo, view.Draft{Kind: view.Personal, Name: "Mine", Description: text("What I need.")})
	if err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Second)
	if err := views.Update(jo, u, view.Update{Name: text("Yours")}); err != nil {
		t.Fatal(err)
	}
	want := `{"created":{"actor":"urn:li:corpuser:jo","time":1772445600000},"definition":{"entityTypes":[],"filter":{"or":[]}},"description":"What I need.",` +
		`"lastModified":{"actor":"urn:li:corpuser:jo","time":1772445601000},"name":"Yours","type":"PERSONAL"}`
	if got := w.Get(t, u, aspect); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhoMayChangeAView(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, "urn:li:dataHubView:jos", aspect, stored("PERSONAL", servicetest.Jo))
	w.Put(t, "urn:li:dataHubView:ours", aspect, stored("GLOBAL", servicetest.Jo))
	plain, granted := view.New(w.Granting(servicetest.Grants{})), view.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageGlobalViews}}))
	for name, c := range map[string]struct {
		views *view.Service
		actor urn.URN
		on    urn.URN
		want  error
	}{
		"ones own":                            {plain, servicetest.Jo, "urn:li:dataHubView:jos", nil},
		"somebody else's":                     {plain, servicetest.Mia, "urn:li:dataHubView:jos", fault.Forbidden},
		"somebody else's, with the privilege": {granted, servicetest.Mia, "urn:li:dataHubView:jos", fault.Forbidden},
		"a global one, by its creator":        {plain, servicetest.Jo, "urn:li:dataHubView:ours", fault.Forbidden},
		"a global one, with the privilege":    {granted, servicetest.Mia, "urn:li:dataHubView:ours", nil},
		"one that is not there":               {granted, servicetest.Mia, "urn:li:dataHubView:gone", fault.Malformed},
	} {
		if err := c.views.Update(w.As(t, c.actor), c.on, view.Update{Name: text("x")}); !errors.Is(err, c.want) {
			t.Errorf("update %s: %v", name, err)
		}
	}
	if err := plain.Delete(w.As(t, servicetest.Mia), "urn:li:dataHubView:jos"); !errors.Is(err, fault.Forbidden) {
		t.Errorf("delete somebody else's: %v", err)
	}
	if err := plain.Update(t.Context(), "urn:li:dataHubView:jos", view.Update{}); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody asks: %v", err)
	}
	for range 2 {
		if err := plain.Delete(w.As(t, servicetest.Jo), "urn:li:dataHubView:jos"); err != nil {
			t.Errorf("delete ones own: %v", err)
		}
	}
	if got := w.Get(t, "urn:li:dataHubView:jos", aspect); got != "" {
		t.Errorf("still there: %s", got)
	}
}

func stored(kind string, creator urn.URN) string {
	stamp := `{"time":1,"actor":"` + string(creator) + `"}`
	return `{"name":"v","type":"` + kind + `","definition":{"entityTypes":[],"filter":{"or":[]}},"created":` + stamp + `,"lastModified":` + stamp + `}`
}

func TestDeletedViewIsNobodysDefault(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, "urn:li:dataHubView:ours", aspect, stored("GLOBAL", servicetest.Jo))
	w.Put(t, "urn:li:globalSettings:0", "globalSettingsInfo", `{"views":{"defaultView":"urn:li:dataHubView:ours"}}`)
	if err := view.New(w.Edit).Delete(w.As(t, servicetest.Root), "urn:li:dataHubView:ours"); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, "urn:li:globalSettings:0", "globalSettingsInfo"); got != `{"views":{}}` {
		t.Errorf("settings are %s", got)
	}
}

func TestViewThatIsRefused(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	views, jo := view.New(w.Edit), w.As(t, servicetest.Jo)
	for name, c := range map[string]struct {
		d    view.Draft
		want fault.Kind
	}{
		"global without the privilege": {view.Draft{Kind: view.Global, Name: "x"}, fault.Forbidden},
		"no name":                      {view.Draft{Kind: view.Personal, Name: " "}, fault.Malformed},
		"no field":                     {view.Draft{Kind: view.Personal, Name: "x", Definition: view.Definition{Filters: []view.Filter{{Condition: "EQUAL"}}}}, fault.Malformed},
		"too many filters":             {view.Draft{Kind: view.Personal, Name: "x", Definition: view.Definition{Filters: make([]view.Filter, 201)}}, fault.TooLarge},
		"too many values":              {view.Draft{Kind: view.Personal, Name: "x", Definition: view.Definition{Filters: []view.Filter{{Field: "f", Values: make([]string, 1001)}}}}, fault.TooLarge},
		"no condition the model knows": {view.Draft{Kind: view.Personal, Name: "x", Definition: view.Definition{Filters: []view.Filter{{Field: "f", Condition: "LOOKS"}}}}, fault.Invalid},
	} {
		if u, err := views.Create(jo, c.d); fault.KindOf(err) != c.want {
			t.Errorf("%s: %s, %v", name, u, err)
		}
	}
}
