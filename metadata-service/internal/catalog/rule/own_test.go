package rule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// underPolicies is a catalog with two users that have no roles.
func underPolicies(t *testing.T) *catalogtest.Fixture {
	t.Helper()
	f := catalogtest.New(t, catalogtest.InMemory().WithPolicies(t, policy.Config{}))
	for _, user := range []urn.URN{jo, mia} {
		f.MustAs(model.SystemActor, catalogtest.Proposal(user, "corpUserInfo", `{"active":true}`))
	}
	return f
}

func writeAs(f *catalogtest.Fixture, actor urn.URN, batch ...catalog.Proposal) error {
	_, err := f.Write(f.As(actor), batch, catalog.WriteOptions{})
	return err
}

func cliSource(id, name string) catalog.Proposal {
	return catalogtest.Proposal(urn.Make("dataHubIngestionSource", "cli-"+id), "dataHubIngestionSourceInfo",
		fmt.Sprintf(`{"name":%q,"type":"mysql","config":{"recipe":"{}","executorId":"__datahub_cli_"}}`, name))
}

func cliRun(id string) catalog.Proposal {
	return catalogtest.Proposal(urn.Make("dataHubExecutionRequest", id), "dataHubExecutionRequestInput",
		`{"task":"CLI Ingestion","args":{},"executorId":"__datahub_cli_","requestedAt":1,"source":{"type":"CLI_INGESTION_SOURCE","ingestionSource":"urn:li:dataHubIngestionSource:cli-x"}}`)
}

func stepOf(user urn.URN, id, text string) catalog.Proposal {
	return catalogtest.Proposal(urn.Make("dataHubStepState", string(user)+"-"+id), "dataHubStepStateProperties",
		fmt.Sprintf(`{"properties":{"a":%q},"lastModified":{"time":0,"actor":%q}}`, text, user))
}

func times(n int, p func(id string) catalog.Proposal) []catalog.Proposal {
	batch := make([]catalog.Proposal, n)
	for i := range batch {
		batch[i] = p(fmt.Sprintf("n%05d", i))
	}
	return batch
}

func TestOwnEntitiesAreLimitedInNumber(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit   int
		one     func(user urn.URN, id string) catalog.Proposal
		refused string
	}{
		"sources of reported pipelines": {
			rule.MaxOwnSources, func(user urn.URN, id string) catalog.Proposal { return cliSource(user.Key()+id, "p") },
			"has created 1000 ingestion sources of reported pipelines, and no more are possible; delete some that nothing uses, which takes the privilege MANAGE_INGESTION",
		},
		"keys of sources alone": {
			rule.MaxOwnSources, func(user urn.URN, id string) catalog.Proposal {
				id = "cli-" + user.Key() + id
				return catalogtest.Proposal(urn.Make("dataHubIngestionSource", id), "dataHubIngestionSourceKey", fmt.Sprintf(`{"id":%q}`, id))
			}, "has created 1000 ingestion sources",
		},
		"step states": {
			rule.MaxOwnSteps, func(user urn.URN, id string) catalog.Proposal { return stepOf(user, id, "") }, "has created 500 step states",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := underPolicies(t)
			of := func(user urn.URN) func(string) catalog.Proposal {
				return func(id string) catalog.Proposal { return c.one(user, id) }
			}
			catalogtest.WantFault(t, writeAs(f, jo, times(c.limit+1, of(jo))...), fault.Invalid, c.refused)
			if err := writeAs(f, jo, times(c.limit, of(jo))...); err != nil {
				t.Fatal(err)
			}
			catalogtest.WantFault(t, writeAs(f, jo, c.one(jo, "more")), fault.Invalid, c.refused)
			if err := writeAs(f, jo, c.one(jo, "n00000")); err != nil {
				t.Errorf("one that there is, written again: %v", err)
			}
			if err := writeAs(f, mia, c.one(mia, "x")); err != nil {
				t.Errorf("another user: %v", err)
			}
			if _, err := f.DeleteEntity(f.As(model.SystemActor), urn.URN(c.one(jo, "n00001").URN)); err != nil {
				t.Fatal(err)
			}
			if err := writeAs(f, jo, c.one(jo, "more")); err != nil {
				t.Errorf("after one was deleted: %v", err)
			}
			f.Grant(jo)
			if err := writeAs(f, jo, c.one(jo, "privileged")); err != nil {
				t.Errorf("with the privilege: %v", err)
			}
		})
	}
}

// A service that has decided about them writes views.
func TestPersonalViewsAreLimitedInNumberAndText(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	view := func(id, description string) error {
		u := urn.Make("dataHubView", id)
		decided, err := auth.Require(f.As(jo), f.Authorizer, auth.Over(u, auth.Own))
		if err != nil {
			return err
		}
		_, err = f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(u, "dataHubViewInfo", fmt.Sprintf(
			`{"name":"v","type":"PERSONAL","description":%q,"definition":{"entityTypes":[],"filter":{"or":[]}},"created":{"time":1,"actor":%[2]q},"lastModified":{"time":1,"actor":%[2]q}}`, description, jo))},
			catalog.WriteOptions{Decisions: decided})
		return err
	}
	for i := range rule.MaxOwnViews {
		if err := view(fmt.Sprint(i), ""); err != nil {
			t.Fatal(err)
		}
	}
	catalogtest.WantFault(t, view("more", ""), fault.Invalid, "has created 200 views, and no more are possible; delete some that nothing uses")
	catalogtest.WantFault(t, view("1", strings.Repeat("x", 140_000)), fault.Invalid, "at most 131072 are possible")
	if err := view("1", strings.Repeat("x", 100_000)); err != nil {
		t.Error(err)
	}
}

// Catalogs of earlier versions have entities without the terms by which they are counted.
func TestWhatEarlierVersionsStoredCounts(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	steps := times(rule.MaxOwnSteps, func(id string) catalog.Proposal { return stepOf(jo, id, "") })
	if err := writeAs(f, jo, steps...); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Store.Update(t.Context(), func(tx store.Tx) error {
		for _, p := range steps {
			if err := tx.RemoveTerm(t.Context(), rule.CreatedBy("dataHubStepState", jo), urn.URN(p.URN)); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.Boot.Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	catalogtest.WantFault(t, writeAs(f, jo, stepOf(jo, "more", "")), fault.Invalid, "has created 500 step states")
}

// Pipelines report a run each day, for years.
func TestTheOldestReportedRunsMakeRoom(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	if err := writeAs(f, jo, cliRun("z-oldest")); err != nil {
		t.Fatal(err)
	}
	f.Clock.Add(1)
	if err := writeAs(f, jo, times(rule.MaxOwnRuns-1, cliRun)...); err != nil {
		t.Fatal(err)
	}
	f.MustAs(model.SystemActor, cliRun("of-another"))
	there := func(id string) bool {
		return f.Record(urn.Make("dataHubExecutionRequest", id), "dataHubExecutionRequestInput") != nil
	}
	if !there("z-oldest") || !there("n00000") {
		t.Error("runs within the limit went")
	}
	f.Clock.Add(1)
	if err := writeAs(f, jo, cliRun("a-newest")); err != nil {
		t.Fatal(err)
	}
	if there("z-oldest") || !there("a-newest") || !there("of-another") {
		t.Errorf("oldest %v, newest %v, of another %v", there("z-oldest"), there("a-newest"), there("of-another"))
	}
	left := 0
	for _, p := range times(rule.MaxOwnRuns-1, cliRun) {
		if f.Record(urn.URN(p.URN), p.Aspect) != nil {
			left++
		}
	}
	if want := rule.MaxOwnRuns - rule.MaxOwnRuns/10; left != want {
		t.Errorf("%d runs of before are left, want %d", left, want)
	}
	if err := writeAs(f, jo, times(3*rule.MaxOwnRuns, func(id string) catalog.Proposal { return cliRun("b" + id) })...); err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, p := range times(3*rule.MaxOwnRuns, func(id string) catalog.Proposal { return cliRun("b" + id) }) {
		if f.Record(urn.URN(p.URN), p.Aspect) != nil {
			held++
		}
	}
	if held > rule.MaxOwnRuns {
		t.Errorf("one batch left %d runs, at most %d are possible", held, rule.MaxOwnRuns)
	}
}

// A report of the stock client may have 800,000 characters.
func TestTheOldestLargeReportsAreShortened(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	reported := func(id string, size int) []catalog.Proposal {
		run := cliRun(id)
		return []catalog.Proposal{run, catalogtest.Proposal(urn.URN(run.URN), "dataHubExecutionRequestResult",
			fmt.Sprintf(`{"status":"SUCCESS","report":%q,"structuredReport":{"type":"CLI_INGEST","serializedValue":%q,"contentType":"application/json"}}`,
				strings.Repeat("é", size/4)+"end", strings.Repeat("x", size/2)))}
	}
	size := func(id string) int {
		return len(f.Record(urn.Make("dataHubExecutionRequest", id), "dataHubExecutionRequestResult").Value)
	}
	write := func(batch ...catalog.Proposal) {
		t.Helper()
		f.Clock.Add(1)
		if err := writeAs(f, jo, batch...); err != nil {
			t.Fatal(err)
		}
	}
	write(reported("z", 100_000)...)
	write(reported("small", 10_000)...)
	for i := range rule.MaxOwnReports - 1 {
		write(reported(fmt.Sprintf("n%03d", i), 100_000)...)
	}
	if size("z") < 100_000 {
		t.Error("a report within the limit was shortened")
	}
	write(reported("newest", 100_000)...)
	z := urn.Make("dataHubExecutionRequest", "z")
	if got := f.Member(z, "dataHubExecutionRequestResult", "report"); len(got) > 33_000 || !strings.HasSuffix(got, `end"`) && !strings.HasSuffix(got, "end") {
		t.Errorf("the oldest report has %d bytes, which end in %q", len(got), got[max(0, len(got)-10):])
	}
	if got := f.Member(z, "dataHubExecutionRequestResult", "status"); !strings.Contains(got, "SUCCESS") {
		t.Errorf("status %s", got)
	}
	rows, err := f.Store.Rows(t.Context(), store.Key{URN: z, Aspect: "dataHubExecutionRequestResult"})
	if err != nil || len(rows) > 1 {
		t.Errorf("%d versions stay of a report that was shortened: %v", len(rows), err)
	}
	if size("n000") > 40_000 || size("n001") < 100_000 || size("newest") < 100_000 || size("small") < 7_000 {
		t.Errorf("sizes %d %d %d %d", size("n000"), size("n001"), size("newest"), size("small"))
	}
}

func TestWhatIsWrittenAsOnesOwnIsLimitedInText(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	run := cliRun("r")
	result := func(text string) catalog.Proposal {
		return catalogtest.Proposal(urn.URN(run.URN), "dataHubExecutionRequestResult", fmt.Sprintf(`{"status":"SUCCESS","report":%q}`, text))
	}
	recipe := cliSource("recipe", "p")
	recipe.Value = []byte(strings.Replace(string(recipe.Value), `"{}"`, fmt.Sprintf("%q", strings.Repeat("x", 140_000)), 1))
	profile := func(n int) catalog.Proposal {
		return catalogtest.Proposal(jo, "corpUserEditableInfo", fmt.Sprintf(`{"aboutMe":%q}`, strings.Repeat("x", n)))
	}
	for _, c := range []struct {
		name    string
		write   catalog.Proposal
		refused string
	}{
		{"a name", cliSource("a", strings.Repeat("é", 500)), ""},
		{"a long name", cliSource("b", strings.Repeat("é", 501)), "dataHubIngestionSourceInfo: /name :: has 501 characters, at most 500 are possible in personal content"},
		{"a recipe", recipe, "at most 131072 are possible"},
		{"a run", run, ""},
		{"the report of the stock client", result(strings.Repeat("é", 800_000)), ""},
		{"a step", stepOf(jo, "s", strings.Repeat("x", 16_000)), ""},
		{"a large step", stepOf(jo, "s", strings.Repeat("x", 17_000)), "at most 16384 are possible"},
		{"a profile", profile(200_000), ""},
		{"a large profile", profile(300_000), "at most 262144 are possible"},
		{"a patch", catalogtest.Proposal(jo, "corpUserEditableInfo", fmt.Sprintf(`{"forceGenericPatch":true,"arrayPrimaryKeys":{},"patch":[{"op":"add","path":"/title","value":%q}]}`, strings.Repeat("x", 100_000)), model.Patch), "at most 262144 are possible"},
	} {
		err := writeAs(f, jo, c.write)
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.refused != "":
			catalogtest.WantFault(t, err, fault.Invalid, c.refused)
		}
	}
	if err := writeAs(f, jo, cliRun("large")); err != nil {
		t.Fatal(err)
	}
	large := result(strings.Repeat("x", 2<<20))
	large.URN = string(urn.Make("dataHubExecutionRequest", "large"))
	catalogtest.WantFault(t, writeAs(f, jo, large), fault.Invalid, "at most 2097152 are possible")
	f.MustAs(model.SystemActor, profile(400_000))
	if err := writeAs(f, jo, profile(300_000)); err != nil {
		t.Errorf("less than there was: %v", err)
	}
}

// A history of pipeline reports and of step states would multiply the limits.
func TestReportsAndStepsKeepNoHistory(t *testing.T) {
	t.Parallel()
	f := underPolicies(t)
	for i := range 5 {
		for _, p := range []catalog.Proposal{stepOf(jo, "s", fmt.Sprint(i)), cliSource("s", fmt.Sprint(i))} {
			if err := writeAs(f, jo, p); err != nil {
				t.Fatal(err)
			}
			if old, err := f.Store.Rows(t.Context(), store.Key{URN: urn.URN(p.URN), Aspect: p.Aspect}); err != nil || len(old) > 1 {
				t.Errorf("%s has %d versions: %v", p.URN, len(old), err)
			}
		}
	}
}

// TestWhatIsOnesOwnHasLimits finds types without a limit that actors may write as their own by
// interfaces that accept any aspect.
func TestWhatIsOnesOwnHasLimits(t *testing.T) {
	t.Parallel()
	reg, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, entity := range reg.Entities() {
		for _, aspect := range entity.All() {
			u := urn.Make(entity.Name, "cli-x")
			if !slices.Contains(privilege.Needed(auth.OpCreate, u, aspect.Name), auth.Own) {
				continue
			}
			found++
			if aspect.Timeseries || !rule.LimitsOwn(entity.Name) {
				t.Errorf("%s of %s is written as one's own, and has no limit", aspect.Name, entity.Name)
			}
		}
	}
	if found < 8 {
		t.Errorf("%d aspects are one's own: the test looks at nothing", found)
	}
}
