package setting_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/setting"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	global urn.URN = "urn:li:globalSettings:0"
	own            = "corpUserSettings"
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"
	page   urn.URN = "urn:li:dataHubPageTemplate:home_default_1"
)

// world returns a world with a global view and a personal one of Jo.
func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	for u, kind := range map[urn.URN]string{"urn:li:dataHubView:ours": "GLOBAL", "urn:li:dataHubView:jos": "PERSONAL"} {
		const stamp = `{"time":1,"actor":"urn:li:corpuser:jo"}`
		w.Put(t, u, "dataHubViewInfo", `{"name":"v","type":"`+kind+`","definition":{"entityTypes":[],"filter":{"or":[]}},"created":`+stamp+`,"lastModified":`+stamp+`}`)
	}
	return w
}

func TestDefaultViewOfEverybody(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings := setting.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageGlobalViews}}))
	mia := w.As(t, servicetest.Mia)
	for _, c := range []struct {
		view string
		err  error
		want urn.URN
	}{
		{"urn:li:dataHubView:ours", nil, "urn:li:dataHubView:ours"},
		{"urn:li:dataHubView:jos", fault.Malformed, "urn:li:dataHubView:ours"},
		{"urn:li:dataHubView:gone", fault.Malformed, "urn:li:dataHubView:ours"},
		{"urn:li:tag:pii", fault.Malformed, "urn:li:dataHubView:ours"},
		{"", nil, ""},
	} {
		if err := settings.SetDefaultView(mia, c.view); !errors.Is(err, c.err) {
			t.Errorf("%q: %v", c.view, err)
		}
		if got, err := settings.Global(mia); err != nil || got != (setting.Global{View: c.want, Template: page, Propagation: true}) {
			t.Errorf("%q: %+v, %v", c.view, got, err)
		}
	}
	if err := setting.New(w.Edit).SetDefaultView(mia, ""); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the privilege: %v", err)
	}
}

func TestPropagationLeavesOtherSettings(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings := setting.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageFeatures}}))
	mia, off := w.As(t, servicetest.Mia), false
	if err := settings.SetPropagation(mia, &off); err != nil {
		t.Fatal(err)
	}
	if err := settings.SetPropagation(mia, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"docPropagation":{"columnPropagationEnabled":false,"enabled":true},"homePage":{"defaultTemplate":"` + string(page) + `"},"views":{}}`
	if got := w.Get(t, global, "globalSettingsInfo"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, on := range []*bool{&off, nil} {
		if err := setting.New(w.Edit).SetPropagation(mia, on); !errors.Is(err, fault.Forbidden) {
			t.Errorf("without the privilege: %v", err)
		}
	}
}

func TestOwnSettingsNeedNoPrivilegeAndKeepEachOther(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings, jo := setting.New(w.Granting(servicetest.Grants{})), w.As(t, servicetest.Jo)
	for _, err := range []error{
		settings.SetSwitch(jo, setting.ThemeV2, true), settings.SetLanguage(jo, "de"), settings.SetOwnView(jo, "urn:li:dataHubView:jos"),
		settings.UpdateHomePage(jo, setting.HomePage{Template: string(page), Dismissed: []string{"urn:li:post:a"}}),
		settings.SetSwitch(jo, setting.SimplifiedHomepage, false),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `{"appearance":{"showSimplifiedHomepage":false,"showThemeV2":true},"homePage":{"dismissedAnnouncements":["urn:li:post:a"],"pageTemplate":"` + string(page) + `"},` +
		`"locale":{"language":"de"},"views":{"defaultView":"urn:li:dataHubView:jos"}}`
	if got := w.Get(t, servicetest.Jo, own); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, err := range []error{settings.SetLanguage(jo, ""), settings.SetOwnView(jo, ""), settings.UpdateHomePage(jo, setting.HomePage{Template: string(page), Reset: true})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want = `{"appearance":{"showSimplifiedHomepage":false,"showThemeV2":true},"homePage":{"dismissedAnnouncements":["urn:li:post:a"]},"locale":{},"views":{}}`
	if got := w.Get(t, servicetest.Jo, own); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := w.Get(t, servicetest.Mia, own); got != "" {
		t.Errorf("Mia has %s", got)
	}
}

func TestOldestDismissalsAreForgotten(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings, jo := setting.New(w.Edit), w.As(t, servicetest.Jo)
	posts := make([]string, 1000)
	for i := range posts {
		posts[i] = fmt.Sprintf("urn:li:post:%d", i)
	}
	for _, dismissed := range [][]string{posts, {"urn:li:post:last", "urn:li:post:5"}} {
		if err := settings.UpdateHomePage(jo, setting.HomePage{Dismissed: dismissed}); err != nil {
			t.Fatal(err)
		}
	}
	got := w.Get(t, servicetest.Jo, own)
	if n := strings.Count(got, "urn:li:post:"); n != 1000 || strings.Contains(got, `"urn:li:post:0"`) || !strings.Contains(got, `"urn:li:post:last"`) {
		t.Errorf("%d announcements are kept: %.100s", n, got)
	}
}

func TestOwnSettingsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings, mia := setting.New(w.Edit), w.As(t, servicetest.Mia)
	for name, c := range map[string]struct {
		err  error
		want fault.Kind
	}{
		"no such switch":        {settings.SetSwitch(mia, "SHOW_NOTHING", true), fault.Malformed},
		"view of somebody else": {settings.SetOwnView(mia, "urn:li:dataHubView:jos"), fault.Malformed},
		"view that is gone":     {settings.SetOwnView(mia, "urn:li:dataHubView:gone"), fault.Malformed},
		"long language":         {settings.SetLanguage(mia, strings.Repeat("x", 101)), fault.TooLarge},
		"page that is gone":     {settings.UpdateHomePage(mia, setting.HomePage{Template: "urn:li:dataHubPageTemplate:gone"}), fault.Malformed},
		"no post":               {settings.UpdateHomePage(mia, setting.HomePage{Dismissed: []string{"urn:li:tag:pii"}}), fault.Malformed},
		"switch of nobody":      {settings.SetSwitch(context.Background(), setting.ThemeV2, true), fault.Unauthenticated},
		"view of nobody":        {settings.SetOwnView(context.Background(), ""), fault.Unauthenticated},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if got := w.Get(t, servicetest.Mia, own); got != "" {
		t.Errorf("a refused call wrote %s", got)
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings, jo := setting.New(w.Granting(servicetest.Grants{})), w.As(t, servicetest.Jo)
	saved, err := settings.SaveSteps(jo, []setting.Step{
		{ID: "urn:li:corpuser:jo-tour", Properties: map[string]string{"seen": "yes"}}, {ID: ""}, {ID: strings.Repeat("x", 401)}, {ID: "blank", Properties: map[string]string{"": "x"}}, {ID: "urn:li:corpuser:jo-next"},
		{ID: "a\x00b"}, {ID: strings.Repeat("é", 150)}, {ID: "urn:li:corpuser:jo-twice", Properties: map[string]string{"n": "1"}}, {ID: "urn:li:corpuser:jo-twice", Properties: map[string]string{"n": "2"}},
	})
	if err != nil || fmt.Sprint(saved) != "[true false false false true false false true true]" {
		t.Fatalf("saved %v, %v", saved, err)
	}
	saved, err = settings.SaveSteps(jo, []setting.Step{{ID: "tour"}, {ID: "urn:li:corpuser:mia-tour"}, {ID: "urn:li:corpuser:jo-other"}})
	if err != nil || fmt.Sprint(saved) != "[false false true]" {
		t.Errorf("beside steps of others %v are saved, %v", saved, err)
	}
	if _, err = settings.SaveSteps(jo, []setting.Step{{ID: "urn:li:corpuser:mia-tour"}}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("a step of others: %v", err)
	}
	got, err := settings.Steps(jo, []string{"urn:li:corpuser:jo-next", "blank", "urn:li:corpuser:jo-tour", "urn:li:corpuser:jo-twice"})
	if err != nil || fmt.Sprint(got) != "[{urn:li:corpuser:jo-next map[]} {urn:li:corpuser:jo-tour map[seen:yes]} {urn:li:corpuser:jo-twice map[n:2]}]" {
		t.Errorf("known are %v, %v", got, err)
	}
	if _, err := settings.Steps(jo, make([]string, 1001)); !errors.Is(err, fault.TooLarge) {
		t.Errorf("too many ids: %v", err)
	}
	if _, err := settings.SaveSteps(jo, make([]setting.Step, 1001)); !errors.Is(err, fault.TooLarge) {
		t.Errorf("too many steps: %v", err)
	}
	if _, err := settings.SaveSteps(t.Context(), nil); !errors.Is(err, fault.Unauthenticated) {
		t.Errorf("nobody asks: %v", err)
	}
}

func TestSummaryOfAnAsset(t *testing.T) {
	t.Parallel()
	w := world(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	jo := w.As(t, servicetest.Jo)
	with := func(p auth.Privilege) *setting.Service {
		return setting.New(w.Granting(servicetest.Grants{Over: map[urn.URN][]auth.Privilege{orders: {p}}}))
	}
	for _, p := range []auth.Privilege{auth.ManageAssetSummary, auth.EditEntity} {
		if u, err := with(p).SetSummary(jo, string(orders), string(page)); err != nil || u != page {
			t.Errorf("with %s: %s, %v", p, u, err)
		}
	}
	if got := w.Get(t, orders, "assetSettings"); got != `{"assetSummary":{"templates":[{"template":"`+string(page)+`"}]}}` {
		t.Errorf("settings are %s", got)
	}
	if _, err := with(auth.EditDocs).SetSummary(jo, string(orders), string(page)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the privilege: %v", err)
	}
	root := w.As(t, servicetest.Root)
	for name, c := range map[string][2]string{
		"asset that is not there":    {"urn:li:container:gone", string(page)},
		"template that is not there": {string(orders), "urn:li:dataHubPageTemplate:gone"},
		"template that is none":      {string(orders), "urn:li:tag:pii"},
		"no template":                {string(orders), ""},
	} {
		if _, err := setting.New(w.Edit).SetSummary(root, c[0], c[1]); !errors.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheServiceAloneReadsTheSecretOfTheIdentityProvider(t *testing.T) {
	t.Parallel()
	w := world(t)
	settings := setting.New(w.Edit)
	if got, err := settings.SignOn(w.As(t, model.SystemActor)); err != nil || got != nil {
		t.Errorf("before it is set up: %v, %v", got, err)
	}
	w.Put(t, global, "globalSettingsInfo", `{"sso":{"baseUrl":"https://catalog.example","oidcSettings":{"enabled":true,"clientId":"c","clientSecret":"provider-secret","discoveryUri":"https://id.example"}}}`)
	// A change of another setting reads and writes the aspect without decrypting the secret.
	if err := settings.SetDefaultView(w.As(t, servicetest.Root), "urn:li:dataHubView:ours"); err != nil {
		t.Fatal(err)
	}
	got, err := settings.SignOn(w.As(t, model.SystemActor))
	if oidc, _ := got["oidcSettings"].(jsontree.Object); err != nil || oidc["clientSecret"] != "provider-secret" {
		t.Errorf("the service reads %v, %v", got, err)
	}
	if _, err := settings.SignOn(w.As(t, servicetest.Root)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("the administrator: %v", err)
	}
	if shown := w.Get(t, global, "globalSettingsInfo"); strings.Contains(shown, "provider-secret") {
		t.Errorf("others read %s", shown)
	}
}
