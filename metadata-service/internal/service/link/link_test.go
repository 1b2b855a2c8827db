package link_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/link"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	table   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)"
	nowhere urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,shop.none,PROD)"
	term    urn.URN = "urn:li:glossaryTerm:order"
	wiki            = "https://wiki.example.com/orders"
)

// rule is a Glossary that permits all changes, or refuses them with err.
type rule struct{ err error }

func (r rule) MayEdit(ctx context.Context, _ urn.URN) (auth.Decisions, error) {
	if r.err != nil {
		return nil, r.err
	}
	return auth.Require(ctx, servicetest.Grants{Platform: []auth.Privilege{auth.ManageGlossaries}}, auth.ForPlatform(auth.ManageGlossaries))
}

func ptr[T any](v T) *T { return &v }

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, table, "datasetProperties", `{"name":"orders"}`)
	w.Put(t, term, "glossaryTermInfo", `{"name":"Order","definition":"","termSource":"INTERNAL"}`)
	return w
}

// links formats the links of an entity: label, path, hours since midnight of creation and change,
// and whether previews show them.
func links(t *testing.T, w *servicetest.World, u urn.URN) string {
	t.Helper()
	text := w.Get(t, u, "institutionalMemory")
	if text == "" {
		return "absent"
	}
	value, err := jsontree.DecodeObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	when := func(stamp any) string {
		o, _ := stamp.(jsontree.Object)
		if o == nil {
			return "-"
		}
		var millis int64
		fmt.Sscan(fmt.Sprint(o["time"]), &millis)
		return fmt.Sprintf("%s@%d", urn.URN(o["actor"].(string)).Key(), time.UnixMilli(millis).UTC().Hour())
	}
	var all []string
	for _, e := range value["elements"].([]any) {
		o := e.(jsontree.Object)
		shown := ""
		if s, ok := o["settings"].(jsontree.Object); ok {
			shown = fmt.Sprintf(" shown=%v", s["showInAssetPreview"])
		}
		all = append(all, fmt.Sprintf("%s %s %s %s%s", o["description"], strings.TrimPrefix(o["url"].(string), wiki), when(o["createStamp"]), when(o["updateStamp"]), shown))
	}
	return strings.Join(all, ", ")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := link.New(w.Edit, rule{}), w.As(t, servicetest.Jo)
	mia := w.As(t, servicetest.Mia)
	for _, step := range []struct {
		name string
		do   func() error
		ok   bool
		want string
	}{
		{"none to remove", func() error { return s.Remove(ctx, table, wiki, nil) }, true, "absent"},
		{"none to update", func() error { return s.Update(ctx, table, wiki, "Wiki", link.Link{URL: wiki, Label: "x"}) }, false, "absent"},
		{"a link", func() error { return s.Add(ctx, table, link.Link{URL: wiki, Label: "Wiki"}) }, true, "Wiki  jo@13 -"},
		{"once more", func() error { return s.Add(ctx, table, link.Link{URL: wiki, Label: "Wiki"}) }, false, "Wiki  jo@13 -"},
		{"another label", func() error { return s.Put(ctx, table, link.Link{URL: wiki, Label: "Run", Preview: ptr(true)}) }, true, "Wiki  jo@13 -, Run  jo@15 - shown=true"},
		{"put in the place of the first", func() error { return s.Put(mia, table, link.Link{URL: wiki, Label: "Wiki", Preview: ptr(false)}) }, true, "Wiki  jo@13 mia@16 shown=false, Run  jo@15 - shown=true"},
		{"put without settings", func() error { return s.Put(ctx, table, link.Link{URL: wiki, Label: "Wiki"}) }, true, "Wiki  jo@13 jo@17, Run  jo@15 - shown=true"},
		{"updated into the other", func() error { return s.Update(ctx, table, wiki, "Wiki", link.Link{URL: wiki, Label: "Run"}) }, false, "Wiki  jo@13 jo@17, Run  jo@15 - shown=true"},
		{"updated, with its settings", func() error { return s.Update(mia, table, wiki, "Run", link.Link{URL: wiki + "/2", Label: "Go"}) }, true, "Wiki  jo@13 jo@17, Go /2 jo@15 mia@19 shown=true"},
		{"updated to other settings", func() error {
			return s.Update(ctx, table, wiki+"/2", "Go", link.Link{URL: wiki, Label: "Go", Preview: ptr(false)})
		}, true, "Wiki  jo@13 jo@17, Go  jo@15 jo@20 shown=false"},
		{"a label that is not there", func() error { return s.Remove(ctx, table, wiki, ptr("Run")) }, true, "Wiki  jo@13 jo@17, Go  jo@15 jo@20 shown=false"},
		{"one label off", func() error { return s.Remove(ctx, table, wiki, ptr("Go")) }, true, "Wiki  jo@13 jo@17"},
		{"all of another address off", func() error { return s.Remove(ctx, table, wiki+"/2", nil) }, true, "Wiki  jo@13 jo@17"},
		{"all of the address off", func() error { return s.Remove(ctx, table, wiki, nil) }, true, ""},
	} {
		w.Pass(time.Hour)
		if err := step.do(); (err == nil) != step.ok || err != nil && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v", step.name, err)
		}
		if got := links(t, w, table); got != step.want {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := link.New(w.Edit, rule{}), w.As(t, servicetest.Jo)
	for _, c := range []struct {
		url, label string
		want       fault.Kind // Internal means no error
	}{
		{"https://a.example.com/?q=1#2", "a", fault.Internal},
		{"mailto:team@example.com", "m", fault.Internal},
		{"file://share/orders.pdf", "f", fault.Internal},
		{"wiki/orders", "c", fault.Internal},
		{"", "d", fault.Malformed},
		{"  ", "d", fault.Malformed},
		{"javascript:alert(1)", "d", fault.Invalid},
		{"JaVaScRiPt:alert(1)", "d", fault.Invalid},
		{" javascript:alert(1)", "d", fault.Invalid},
		{"java\tscript:alert(1)", "d", fault.Invalid},
		{"data:text/html,x", "d", fault.Invalid},
		{"vbscript:x", "d", fault.Invalid},
		{"https://" + strings.Repeat("x", 8192), "d", fault.TooLarge},
		{wiki, "", fault.Malformed},
		{wiki, strings.Repeat("x", 1001), fault.TooLarge},
	} {
		for name, err := range map[string]error{
			"add": s.Add(ctx, table, link.Link{URL: c.url, Label: c.label}), "put": s.Put(ctx, table, link.Link{URL: c.url, Label: c.label}),
		} {
			if (err == nil) != (c.want == fault.Internal) || err != nil && fault.KindOf(err) != c.want {
				t.Errorf("%s %.40q %.40q: got %v", name, c.url, c.label, err)
			}
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	w := world(t)
	ctx := w.As(t, servicetest.Jo)
	refuse, allow := rule{fault.New(fault.Forbidden, "no")}, rule{}
	for _, c := range []struct {
		name     string
		u        urn.URN
		have     auth.Privilege
		glossary rule
		ok       bool
	}{
		{"the right over links", table, auth.EditLinks, refuse, true},
		{"the right over the entity", table, auth.EditEntity, refuse, true},
		{"another right", table, auth.EditDocs, refuse, false},
		{"the right over the glossary is none over a dataset", table, auth.EditDocs, allow, false},
		{"the right over the glossary", term, auth.EditDocs, allow, true},
		{"the right over links of a term", term, auth.EditLinks, refuse, true},
		{"neither right over a term", term, auth.EditDocs, refuse, false},
	} {
		s := link.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{c.u: {c.have}}}), c.glossary)
		l := link.Link{URL: wiki, Label: c.name}
		for _, err := range []error{s.Add(ctx, c.u, l), s.Put(ctx, c.u, l), s.Update(ctx, c.u, l.URL, l.Label, l), s.Remove(ctx, c.u, l.URL, &l.Label)} {
			if (err == nil) != c.ok || err != nil && fault.KindOf(err) != fault.Forbidden {
				t.Errorf("%s: got %v", c.name, err)
			}
		}
	}
}

func TestWhatDoesNotExistGetsNoLinks(t *testing.T) {
	t.Parallel()
	w := world(t)
	s, ctx := link.New(w.Edit, rule{}), w.As(t, servicetest.Jo)
	l := link.Link{URL: wiki, Label: "Wiki"}
	for _, err := range []error{s.Add(ctx, nowhere, l), s.Put(ctx, nowhere, l), s.Update(ctx, nowhere, wiki, "Wiki", l)} {
		if fault.KindOf(err) != fault.Malformed {
			t.Errorf("got %v", err)
		}
	}
	if err := s.Remove(ctx, nowhere, wiki, nil); err != nil {
		t.Errorf("removing: %v", err)
	}
	if there, err := w.Edit.Exists(ctx, nowhere); err != nil || there {
		t.Errorf("it was made: %v", err)
	}
}
