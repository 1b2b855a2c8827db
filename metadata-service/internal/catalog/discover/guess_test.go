package discover_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

var restrictedURN = regexp.MustCompile(`urn:li:restricted:[\w-]+`)

// Entities of the catalog with a guessed URN. Jo edits those named own, and views all others except
// the hidden ones.
var (
	ownTable, midTable, baseTable, secondTable = table("own"), table("mid"), table("base"), table("second")
	hiddenTable                                = table("hidden")
	ownJob, otherJob, columnJob                = lineageJob("own"), lineageJob("other"), lineageJob("columns")
	ownChart, otherChart, board                = urn.Make("chart", "looker", "own"), urn.Make("chart", "looker", "other"), urn.Make("dashboard", "looker", "b")
)

func lineageJob(name string) urn.URN {
	return urn.Make("dataJob", "urn:li:dataFlow:(airflow,f,PROD)", name)
}

func cOf(u urn.URN) urn.URN { return urn.Make("schemaField", string(u), "c") }

// guessed is a catalog in which all entities that jo edits name a guessed URN, and other entities
// name hidden ones.
func guessed(t *testing.T, guess urn.URN, names *encryption.Names) *fixture {
	t.Helper()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	upstream := func(of urn.URN, from ...urn.URN) {
		var tables, columns []string
		for _, u := range from {
			tables = append(tables, fmt.Sprintf(`{"dataset":%q,"type":"TRANSFORMED","auditStamp":{"time":1,"actor":"urn:li:corpuser:x"}}`, u))
			columns = append(columns, fmt.Sprintf(`{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}`, cOf(u), cOf(of)))
		}
		f.put(of, "upstreamLineage", `{"upstreams":[`+strings.Join(tables, ",")+`],"fineGrainedLineages":[`+strings.Join(columns, ",")+`]}`)
	}
	runs := func(job urn.URN, from, to []urn.URN) {
		list := func(urns []urn.URN) string {
			text, _ := json.Marshal(append([]urn.URN{}, urns...))
			return string(text)
		}
		f.put(job, "dataJobInputOutput", `{"inputDatasets":`+list(from)+`,"outputDatasets":`+list(to)+`}`)
	}
	f.put(hiddenTable, "datasetProperties", `{"name":"h"}`)
	upstream(hiddenTable, baseTable)
	for _, u := range []urn.URN{ownTable, midTable, baseTable, secondTable} {
		f.put(u, "datasetProperties", `{"name":"d"}`)
	}
	upstream(ownTable, midTable, guess)
	upstream(midTable, hiddenTable)
	upstream(secondTable, hiddenTable)
	runs(ownJob, []urn.URN{baseTable}, []urn.URN{guess})
	runs(otherJob, []urn.URN{baseTable}, []urn.URN{hiddenTable})
	f.put(columnJob, "dataJobInputOutput", fmt.Sprintf(`{"inputDatasets":[],"outputDatasets":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}]}`,
		cOf(guess), cOf(midTable)))
	const stamp = `"lastModified":{"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`
	shows := func(chart, of urn.URN) {
		f.put(chart, "chartInfo", fmt.Sprintf(`{"title":"c","description":"","inputEdges":[{"destinationUrn":%q}],%s}`, of, stamp))
	}
	shows(ownChart, guess)
	shows(otherChart, hiddenTable)
	f.put(board, "dashboardInfo", fmt.Sprintf(`{"title":"b","description":"","chartEdges":[{"destinationUrn":%q},{"destinationUrn":%q}],%s}`, ownChart, otherChart, stamp))
	for _, u := range []urn.URN{ownTable, midTable, baseTable, secondTable, ownJob, otherJob, columnJob, ownChart, otherChart, board} {
		f.put(u, "domains", `{"domains":["urn:li:domain:d"]}`)
	}
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	cfg := f.Config
	if names != nil {
		cfg.Names = names
	}
	f.Service = discover.New(cfg)
	return f
}

// An actor that writes a guessed URN into its own entity sees the same results whether or not
// others name that URN: the restricted entities that others name differ in name, total, degree and
// path.
func TestLineageDoesNotCompareAGuessWithWhatOthersName(t *testing.T) {
	t.Parallel()
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []*encryption.Names{names, nil} {
		var want map[string]string
		for _, guess := range []urn.URN{table("wrong"), hiddenTable} {
			got := answersAbout(t, guessed(t, guess, shown), guess, names)
			if want == nil {
				want = got
				if strings.Contains(fmt.Sprint(got), "R(") != (shown != nil) {
					t.Fatalf("nothing is restricted, or it should not be: %v", got)
				}
			}
			for name := range got {
				if got[name] != want[name] {
					t.Errorf("%s, with the guess %s:\n%s, and with another\n%s", name, guess, got[name], want[name])
				}
			}
		}
	}
}

// answersAbout returns the lineage results of jo. It labels restricted entities by the aspects that
// show the same name.
func answersAbout(t *testing.T, f *fixture, guess urn.URN, names *encryption.Names) map[string]string {
	t.Helper()
	label := map[string]string{}
	for _, within := range []urn.URN{ownTable, midTable, secondTable, ownJob, otherJob, columnJob, ownChart, otherChart} {
		for _, u := range []urn.URN{guess, hiddenTable, cOf(guess), cOf(hiddenTable)} {
			label[string(catalog.Restrict(names, string(within), u))] = "R(" + u.Type() + " of " + within.Type() + " " + within.Key() + ")"
		}
	}
	got := map[string]string{}
	answer := func(name string, err error, items ...any) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var lines []string
		others := map[string]bool{}
		for _, it := range items {
			lines = append(lines, restrictedURN.ReplaceAllStringFunc(fmt.Sprint(it), func(u string) string {
				if label[u] == "" {
					others[u] = true
					return "R()"
				}
				return label[u]
			}))
		}
		slices.Sort(lines)
		got[name] = fmt.Sprintf("%s and %d more names", strings.Join(lines, "\n"), len(others))
	}
	ctx := f.as(jo)
	for _, at := range []struct {
		urn urn.URN
		way lineage.Direction
	}{
		{ownTable, lineage.Upstream}, {cOf(ownTable), lineage.Upstream}, {cOf(midTable), lineage.Upstream}, {midTable, lineage.Upstream},
		{baseTable, lineage.Downstream}, {cOf(baseTable), lineage.Downstream}, {board, lineage.Upstream}, {ownJob, lineage.Downstream},
	} {
		name := fmt.Sprint(at.way, " of ", at.urn)
		for _, hops := range []int{0, 1, 2} {
			q := discover.LineageQuery{URN: at.urn, Direction: at.way, MaxHops: hops}
			q.Size, q.Facets = 100, []string{"degree", "platform"}
			found, err := f.SearchLineage(ctx, q)
			items := []any{found.Total, found.Facets, found.Truncated}
			for _, h := range found.Hits {
				slices.SortFunc(h.Paths, func(a, b []urn.URN) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				items = append(items, fmt.Sprint(h.URN, h.Type, h.Degree, h.Degrees, h.Paths, h.Explored))
			}
			answer(fmt.Sprintf("%s, %d hops", name, hops), err, items...)
			q.Size, items = 1, nil
			for q.From = range 8 {
				found, err = f.SearchLineage(ctx, q)
				items = append(items, fmt.Sprint(q.From, len(found.Hits), found.Total, found.Next != ""))
			}
			answer(fmt.Sprintf("pages of %s, %d hops", name, hops), err, items...)
			q.From, items = 0, nil
			for {
				found, err = f.SearchLineage(ctx, q)
				for _, h := range found.Hits {
					items = append(items, h.URN)
				}
				if q.Scroll = found.Next; err != nil || q.Scroll == "" {
					break
				}
			}
			answer(fmt.Sprintf("scroll of %s, %d hops", name, hops), err, items...)
			rows, err := f.Lineage(ctx, discover.LineageListing{URN: at.urn, Direction: at.way, MaxHops: max(hops, 1), Count: 100})
			items = []any{rows.Total, rows.Filtered}
			for _, r := range rows.Rows {
				items = append(items, fmt.Sprint(r.URN, r.Type, r.Degree, r.Manual))
			}
			answer(fmt.Sprintf("listing of %s, %d hops", name, hops), err, items...)
		}
		edges, err := f.Edges(ctx, discover.EdgeQuery{Touching: []urn.URN{at.urn}, LineageOnly: true, Count: 100})
		var items []any
		for _, e := range edges.Ends {
			items = append(items, e)
		}
		answer("edges of "+name, err, items...)
	}
	return got
}

// A restricted entity has the same name in all lineage that reaches it by the same entity, and in
// the scroll over edges.
func TestARestrictedEntityHasOneNameForWhatNamesIt(t *testing.T) {
	t.Parallel()
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	f := guessed(t, hiddenTable, names)
	byMid := catalog.Restrict(names, string(midTable), hiddenTable)
	for _, at := range []urn.URN{ownTable, midTable} {
		q := discover.LineageQuery{URN: at, Direction: lineage.Upstream}
		q.Size = 100
		found, err := f.SearchLineage(f.as(jo), q)
		if err != nil || !slices.ContainsFunc(found.Hits, func(h discover.LineageHit) bool {
			return h.URN == byMid && len(h.Paths) == 1 && slices.Equal(h.Paths[0][len(h.Paths[0])-2:], []urn.URN{midTable, byMid})
		}) {
			t.Errorf("upstream of %s, %s is not among %+v, %v", at, byMid, found.Hits, err)
		}
	}
	// A statement of a hidden entity about itself has a separate name, which every walk returns.
	var own []urn.URN
	for _, hops := range []int{1, 5} {
		rows, err := f.Lineage(f.as(jo), discover.LineageListing{URN: baseTable, Direction: lineage.Downstream, MaxHops: hops, Count: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows.Rows {
			if r.Degree == 1 && r.URN.Type() == catalog.RestrictedType {
				own = append(own, r.URN)
			}
		}
	}
	if len(own) != 2 || own[0] != own[1] {
		t.Errorf("what names %s itself is called %v", baseTable, own)
	}
}

// The scroll over lineage shows restricted ends after visible ones, in the order of their names:
// the stored order would reveal hidden URNs by comparison, or their order of creation.
func TestTheScrollOverLineageTellsNoHiddenNames(t *testing.T) {
	t.Parallel()
	names := browseNames(t)
	want := map[string]string{}
	for _, hidden := range [][]string{{"a", "g", "x"}, {"v", "w", "z"}, {"z", "a", "l"}} {
		f := around(t, hidden)
		cfg := f.Config
		cfg.Names = names
		f.Service = discover.New(cfg)
		own := table("inside0")
		for _, touching := range [][]urn.URN{{own}, {own, table("b")}} {
			for _, count := range []int{1, 2, 3, 5, 100} {
				pages, ends := f.scrollLineage(t, discover.EdgeQuery{Touching: touching, Count: count})
				for i, e := range ends {
					if at := i - 5; e.Upstream.Type() == catalog.RestrictedType != (at >= 0) || at > 0 && ends[i-1].Upstream >= e.Upstream {
						t.Errorf("%d of %v is %v, behind %v", i, hidden, e, ends[:i])
					}
				}
				name := fmt.Sprint(touching, count)
				got := restrictedURN.ReplaceAllString(fmt.Sprint(pages, ends), "R")
				if want[name] == "" {
					want[name] = got
				}
				if got != want[name] || len(ends) != 8 {
					t.Errorf("%s, %v:\n%s, and else\n%s", name, hidden, got, want[name])
				}
			}
		}
		// Slices by hidden URNs would reveal them by their hash.
		for slices := 2; slices < 20; slices++ {
			all := 0
			for slice := range slices {
				_, ends := f.scrollLineage(t, discover.EdgeQuery{Touching: []urn.URN{own}, Count: 100, Slice: slice, Slices: slices})
				all += len(ends)
				for _, e := range ends {
					name := fmt.Sprint("slice of ", slices, " of ", catalog.RestrictedType, e.Upstream)
					if e.Upstream.Type() != catalog.RestrictedType {
						continue
					}
					sum := uint64(14695981039346656037)
					for _, b := range []byte(string(own) + string(e.Upstream)) {
						sum = (sum ^ uint64(b)) * 1099511628211
					}
					if int((sum^sum>>32)%uint64(slices)) != slice {
						t.Errorf("%s is %d", name, slice)
					}
				}
			}
			if all != 8 {
				t.Errorf("%d slices hold %d edges", slices, all)
			}
		}
	}
}

// scrollLineage returns the sizes and the contents of all pages of a scroll over lineage.
func (f *fixture) scrollLineage(t *testing.T, q discover.EdgeQuery) (pages []int, ends []discover.LineageEnds) {
	t.Helper()
	q.LineageOnly = true
	for {
		page, err := f.Edges(f.as(jo), q)
		if err != nil || len(page.Ends) != len(page.Edges) {
			t.Fatal(page, err)
		}
		pages, ends = append(pages, len(page.Ends)), append(ends, page.Ends...)
		if q.Scroll = page.Next; q.Scroll == "" {
			return pages, ends
		}
	}
}

// A job has edges between columns of other tables: a filter must not reveal the job to an actor
// that views only the columns.
func TestEdgesAreNotFilteredByHiddenOwners(t *testing.T) {
	t.Parallel()
	f := guessed(t, hiddenTable, browseNames(t))
	secret := lineageJob("secret")
	for _, job := range []urn.URN{secret, columnJob} {
		f.put(job, "dataJobInputOutput", fmt.Sprintf(`{"inputDatasets":[],"outputDatasets":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}]}`,
			cOf(baseTable), cOf(secondTable)))
	}
	for _, c := range []struct {
		as, owner urn.URN
		want      int
	}{{jo, secret, 0}, {jo, columnJob, 1}, {"urn:li:corpuser:__datahub_system", secret, 1}} {
		for _, field := range []string{"lifecycleOwner", "via"} {
			page, err := f.Edges(f.as(c.as), discover.EdgeQuery{
				Sources: search.Filter{{{Field: "urn", Values: []string{string(cOf(secondTable))}}}}, Types: []string{"DownstreamOf"}, Count: 10,
				Edge: search.Filter{{{Field: field, Values: []string{string(c.owner)}}}},
			})
			if err != nil || len(page.Edges) != c.want {
				t.Errorf("%s finds %+v by the %s %s (%v), want %d", c.as, page.Edges, field, c.owner, err, c.want)
			}
		}
	}
}
