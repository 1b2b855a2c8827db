package homepage_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/homepage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	everybodys = "urn:li:dataHubPageTemplate:home_default_1"
	jos        = "urn:li:dataHubPageTemplate:jos"
	notes      = "urn:li:dataHubPageModule:notes"
	platforms  = "urn:li:dataHubPageModule:platforms"
)

func text(s string) *string { return &s }

func template(u, scope string, modules ...string) homepage.Template {
	return homepage.Template{URN: u, Scope: scope, Surface: "HOME_PAGE", Rows: [][]string{modules}}
}

func module(u, scope string) homepage.Module {
	return homepage.Module{URN: u, Name: "Notes", Kind: "RICH_TEXT", Scope: scope, Text: text("Hello")}
}

func TestTemplateIsReplacedAndRemembersItsCreator(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	pages, jo := homepage.New(w.Granting(servicetest.Grants{})), w.As(t, servicetest.Jo)
	first := template(jos, homepage.Personal, platforms)
	first.Summary = &[]homepage.Element{{Kind: "OWNERS"}}
	if _, err := pages.PutTemplate(jo, first); err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Second)
	if _, err := pages.PutTemplate(jo, template(jos, homepage.Personal)); err != nil {
		t.Fatal(err)
	}
	want := `{"assetSummary":{"summaryElements":[{"elementType":"OWNERS"}]},"created":{"actor":"urn:li:corpuser:jo","time":1772445600000},` +
		`"lastModified":{"actor":"urn:li:corpuser:jo","time":1772445601000},"rows":[{"modules":[]}],"surface":{"surfaceType":"HOME_PAGE"},"visibility":{"scope":"PERSONAL"}}`
	if got := w.Get(t, jos, "dataHubPageTemplateProperties"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhoMayWriteAndDelete(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	plain := homepage.New(w.Granting(servicetest.Grants{}))
	manager := homepage.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageHomePage}}))
	jo, mia := w.As(t, servicetest.Jo), w.As(t, servicetest.Mia)
	if _, err := plain.PutTemplate(jo, template(jos, homepage.Personal, platforms)); err != nil {
		t.Fatal(err)
	}
	if _, err := plain.PutModule(jo, module(notes, homepage.Personal)); err != nil {
		t.Fatal(err)
	}
	put := func(p *homepage.Service, actor urn.URN, u, scope string) error {
		_, err := p.PutTemplate(w.As(t, actor), template(u, scope))
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"a personal one of somebody else":                  {put(plain, servicetest.Mia, jos, homepage.Personal), fault.Forbidden},
		"a personal one of somebody else, by a manager":    {put(manager, servicetest.Mia, jos, homepage.Global), fault.Forbidden},
		"a new global one":                                 {put(plain, servicetest.Jo, "", homepage.Global), fault.Forbidden},
		"a new global one, by a manager":                   {put(manager, servicetest.Jo, "", homepage.Global), nil},
		"a global one made personal":                       {put(plain, servicetest.Jo, everybodys, homepage.Personal), fault.Forbidden},
		"a global one, by a manager":                       {put(manager, servicetest.Jo, everybodys, homepage.Global), nil},
		"deleting a template of somebody else":             {plain.DeleteTemplate(mia, jos), fault.Forbidden},
		"deleting a module of somebody else":               {plain.DeleteModule(mia, notes), fault.Forbidden},
		"deleting a global module":                         {plain.DeleteModule(jo, platforms), fault.Forbidden},
		"deleting everybody's page":                        {plain.DeleteTemplate(jo, everybodys), fault.Forbidden},
		"deleting everybody's page, by a manager":          {manager.DeleteTemplate(jo, everybodys), fault.Invalid},
		"deleting what is not there":                       {plain.DeleteTemplate(jo, "urn:li:dataHubPageTemplate:gone"), nil},
		"deleting a template that is a module":             {manager.DeleteTemplate(jo, platforms), fault.Malformed},
		"deleting without saying who":                      {plain.DeleteTemplate(t.Context(), jos), fault.Unauthenticated},
		"writing without saying who":                       {func() error { _, err := plain.PutModule(t.Context(), module("", homepage.Personal)); return err }(), fault.Unauthenticated},
		"a module of somebody else":                        {func() error { _, err := plain.PutModule(mia, module(notes, homepage.Personal)); return err }(), fault.Forbidden},
		"a template under the URN of something else":       {put(plain, servicetest.Jo, notes, homepage.Personal), fault.Malformed},
		"deleting ones own template":                       {plain.DeleteTemplate(jo, jos), nil},
		"a module of ones own made global without a right": {func() error { _, err := plain.PutModule(jo, module(notes, homepage.Global)); return err }(), fault.Forbidden},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

func TestDeletedPartsAreTakenOffPages(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	pages, jo := homepage.New(w.Edit), w.As(t, servicetest.Jo)
	if _, err := pages.PutModule(jo, module(notes, homepage.Personal)); err != nil {
		t.Fatal(err)
	}
	if _, err := pages.PutTemplate(jo, template(jos, homepage.Personal, notes, platforms)); err != nil {
		t.Fatal(err)
	}
	w.Put(t, servicetest.Jo, "corpUserSettings", `{"appearance":{},"homePage":{"pageTemplate":"`+jos+`"}}`)
	if err := pages.DeleteModule(jo, notes); err != nil {
		t.Fatal(err)
	}
	e := w.Edit
	page, err := e.Read(jo, jos, "dataHubPageTemplateProperties")
	if err != nil {
		t.Fatal(err)
	}
	if rows, _ := page["rows"].([]any); len(rows) != 1 || len(rows[0].(map[string]any)["modules"].([]any)) != 1 {
		t.Errorf("rows are %v", page["rows"])
	}
	if err := pages.DeleteTemplate(jo, jos); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, servicetest.Jo, "corpUserSettings"); got != `{"appearance":{},"homePage":{}}` {
		t.Errorf("settings are %s", got)
	}
}

func TestTemplateThatIsRefused(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	pages, jo := homepage.New(w.Edit), w.As(t, servicetest.Jo)
	with := func(elements ...homepage.Element) homepage.Template {
		out := template("", homepage.Personal)
		out.Summary = &elements
		return out
	}
	for name, c := range map[string]struct {
		t    homepage.Template
		want fault.Kind
	}{
		"module that is not there":     {template("", homepage.Personal, "urn:li:dataHubPageModule:gone"), fault.Malformed},
		"module that is none":          {template("", homepage.Personal, everybodys), fault.Malformed},
		"too many modules":             {template("", homepage.Personal, make([]string, 51)...), fault.TooLarge},
		"too many rows":                {homepage.Template{Scope: homepage.Personal, Rows: make([][]string, 101)}, fault.TooLarge},
		"too many elements":            {with(make([]homepage.Element, 101)...), fault.TooLarge},
		"property that is not named":   {with(homepage.Element{Kind: "STRUCTURED_PROPERTY"}), fault.Malformed},
		"property of another element":  {with(homepage.Element{Kind: "OWNERS", Property: "urn:li:structuredProperty:x"}), fault.Malformed},
		"property that is not there":   {with(homepage.Element{Kind: "STRUCTURED_PROPERTY", Property: "urn:li:structuredProperty:gone"}), fault.Malformed},
		"surface nobody knows":         {homepage.Template{Scope: homepage.Personal, Surface: "MOON"}, fault.Invalid},
		"scope that nobody may choose": {homepage.Template{Scope: "GALAXY", Surface: "HOME_PAGE"}, fault.Invalid},
	} {
		if u, err := pages.PutTemplate(jo, c.t); fault.KindOf(err) != c.want {
			t.Errorf("%s: %s, %v", name, u, err)
		}
	}
}

func TestModules(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	pages, jo := homepage.New(w.Edit), w.As(t, servicetest.Jo)
	link := homepage.Link{URL: "https://example.org", Image: text("https://example.org/x.png")}
	shop := homepage.Hierarchy{Assets: []string{"urn:li:domain:shop"}, Related: true, Filter: text(`{"a":1}`)}
	for name, c := range map[string]struct {
		m       homepage.Module
		refused bool
	}{
		"text":                       {module("", homepage.Personal), false},
		"link":                       {homepage.Module{Name: "x", Kind: "LINK", Link: &link}, false},
		"hierarchy":                  {homepage.Module{Name: "x", Kind: "HIERARCHY", Hierarchy: &shop}, false},
		"collection":                 {homepage.Module{Name: "x", Kind: "ASSET_COLLECTION", Collection: &homepage.Collection{Filter: text("")}}, false},
		"kind that needs nothing":    {homepage.Module{Name: "x", Kind: "DOMAINS"}, false},
		"no name":                    {homepage.Module{Kind: "DOMAINS"}, true},
		"text without one":           {homepage.Module{Name: "x", Kind: "RICH_TEXT", Link: &link}, true},
		"link without one":           {homepage.Module{Name: "x", Kind: "LINK"}, true},
		"link to nowhere":            {homepage.Module{Name: "x", Kind: "LINK", Link: &homepage.Link{}}, true},
		"link to a script":           {homepage.Module{Name: "x", Kind: "LINK", Link: &homepage.Link{URL: "javascript:x"}}, true},
		"collection without one":     {homepage.Module{Name: "x", Kind: "ASSET_COLLECTION"}, true},
		"hierarchy without one":      {homepage.Module{Name: "x", Kind: "HIERARCHY"}, true},
		"collection of no URN":       {homepage.Module{Name: "x", Kind: "ASSET_COLLECTION", Collection: &homepage.Collection{Assets: []string{"shop"}}}, true},
		"collection by a bad filter": {homepage.Module{Name: "x", Kind: "ASSET_COLLECTION", Collection: &homepage.Collection{Filter: text("{")}}, true},
		"kind nobody knows":          {homepage.Module{Name: "x", Kind: "MOON"}, true},
	} {
		c.m.Scope = homepage.Personal
		if u, err := pages.PutModule(jo, c.m); c.refused != (err != nil) || err != nil && fault.KindOf(err).Code() != 400 {
			t.Errorf("%s: %s, %v", name, u, err)
		}
	}
}
