package discover_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// restricting is the company in which hidden entities are shown as restricted.
func restricting(t *testing.T) (*fixture, []seen, *encryption.Names) {
	t.Helper()
	f, all := company(t, inMemory())
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	cfg := f.Config
	cfg.Names = names
	f.Service = discover.New(cfg)
	return f, all, names
}

// real returns the URN that a restricted one stands for.
func real(t *testing.T, names *encryption.Names, u urn.URN) urn.URN {
	t.Helper()
	name, hidden := strings.CutPrefix(string(u), "urn:li:restricted:")
	if !hidden {
		return u
	}
	text, err := names.Reveal("restricted", name)
	if err != nil {
		t.Fatal(err)
	}
	return urn.URN(text[16:]) // after the place
}

func TestWhatMayNotBeViewedIsShownAsRestrictedWhereThatIsAsked(t *testing.T) {
	t.Parallel()
	f, all, names := restricting(t)
	for _, who := range []urn.URN{jo, mia} {
		q := discover.SearchQuery{Types: []string{"dataset"}, Text: "*", Highlight: true, Facets: []string{"domains"}, Sort: []search.Sort{{Field: "urn"}}, Size: 7, IncludeRestricted: true}
		var every []search.Hit
		for q.From = 0; ; q.From += q.Size {
			page, err := f.Search(f.as(who), q)
			if err != nil || page.Total != len(all) {
				t.Fatalf("%s finds %d of %d (%v)", who, page.Total, len(all), err)
			}
			want := map[string]int{}
			for _, s := range all {
				if s.views(who) && s.domain < 3 {
					want[fmt.Sprintf("urn:li:domain:d%d", s.domain)]++
				}
			}
			if want = f.viewed(t, who, want); jo == who && len(want) == 0 {
				t.Fatal("no domain can be counted")
			}
			if got := counts(t, page.Facets, "domains"); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: facets count %v, want those of what is viewed, %v", who, got, want)
			}
			every = append(every, page.Hits...)
			if !page.More {
				break
			}
		}
		f.wantRestricted(t, who, names, all, every)

		q.From, q.Scroll = 0, ""
		var scrolled []search.Hit
		for {
			page, err := f.Search(f.as(who), q)
			if err != nil {
				t.Fatal(err)
			}
			scrolled = append(scrolled, page.Hits...)
			if page.Next == "" {
				break
			}
			if text, err := base64.RawURLEncoding.DecodeString(page.Next); err == nil && strings.Contains(string(text), "orders") {
				t.Fatalf("a scroll id tells where it stands: %s", text)
			}
			q.Scroll = page.Next
		}
		f.wantRestricted(t, who, names, all, scrolled)
		for i := range every {
			if every[i].URN != scrolled[i].URN {
				t.Errorf("hit %d is %s by offset and %s by scroll", i, every[i].URN, scrolled[i].URN)
			}
		}
	}
	for _, forged := range []string{"nonsense", base64.RawURLEncoding.EncodeToString([]byte(`{"v":[{}],"m":[false],"u":"x","q":1}`)), names.Conceal("restricted", "{}")} {
		q := discover.SearchQuery{Types: []string{"dataset"}, Size: 1, Scroll: forged, IncludeRestricted: true}
		if _, err := f.Search(f.as(jo), q); fault.KindOf(err) != fault.Malformed {
			t.Errorf("scroll %s: %v", forged, err)
		}
	}
	found, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Size: 100})
	if err != nil || slices.ContainsFunc(found.Hits, func(h search.Hit) bool { return h.Type == discover.RestrictedType }) {
		t.Errorf("unasked: %+v, %v", found.Hits, err)
	}
	everything, err := f.Search(f.as("urn:li:corpuser:__datahub_system"), discover.SearchQuery{Types: []string{"dataset"}, Size: 100, IncludeRestricted: true})
	if err != nil || everything.Total != len(all) || everything.Hits[0].Type != "dataset" {
		t.Errorf("the system finds %+v, %v", everything, err)
	}
}

// A match would reveal the name of a hidden entity letter by letter.
func TestQueriesThatCompareTextsShowNothingRestricted(t *testing.T) {
	t.Parallel()
	f, all, names := restricting(t)
	at := slices.IndexFunc(all, func(s seen) bool { return s.views(jo) })
	for name, c := range map[string]struct {
		q     discover.SearchQuery
		shows bool
	}{
		"everything":            {discover.SearchQuery{}, true},
		"a star":                {discover.SearchQuery{Text: " * "}, true},
		"what is of a type":     {discover.SearchQuery{Filter: search.Filter{{{Field: "_entityType", Values: []string{"dataset"}}}}}, true},
		"without owners":        {discover.SearchQuery{Filter: search.Filter{{{Field: "owners", Condition: search.IsNull}}}}, true},
		"with a tag":            {discover.SearchQuery{Filter: search.Filter{{{Field: "tags", Condition: search.Exists}}}}, true},
		"a text":                {discover.SearchQuery{Text: "orders"}, false},
		"an expression":         {discover.SearchQuery{Text: "/q name:ord*"}, false},
		"a name":                {discover.SearchQuery{Filter: search.Filter{{{Field: "name", Values: []string{"orders"}, Negated: true}}}}, false},
		"a name, in a view":     {discover.SearchQuery{And: []search.Filter{{{{Field: "name", Values: []string{"orders"}, Negated: true}}}}}, false},
		"a part of a URN":       {discover.SearchQuery{Filter: search.Filter{{{Field: "urn", Condition: search.Contain, Values: []string{"orders"}}}}}, false},
		"a type and a name":     {discover.SearchQuery{Filter: search.Filter{{{Field: "_entityType␞name", Values: []string{"dataset␞orders"}, Negated: true}}}}, false},
		"a custom property":     {discover.SearchQuery{Filter: search.Filter{{{Field: "customProperties", Condition: search.Exists, Negated: true}}}}, false},
		"in the order of names": {discover.SearchQuery{Sort: []search.Sort{{Field: "name"}}}, false},
	} {
		c.q.Types, c.q.Size, c.q.Facets, c.q.IncludeRestricted = []string{"dataset"}, 100, []string{}, true
		page, err := f.Search(f.as(jo), c.q)
		if fault.KindOf(err) == fault.Malformed && !c.shows {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		restricted := func(hits []search.Hit) bool {
			return slices.ContainsFunc(hits, func(h search.Hit) bool { return h.Type == discover.RestrictedType })
		}
		if restricted(page.Hits) != c.shows {
			t.Errorf("%s: of %d hits some are restricted: %v, want %v", name, page.Total, !c.shows, c.shows)
		}
		reached, err := f.SearchLineage(f.as(jo), discover.LineageQuery{SearchQuery: c.q, URN: all[at].urn, Direction: lineage.Downstream})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		hits := make([]search.Hit, len(reached.Hits))
		for i := range hits {
			hits[i] = reached.Hits[i].Hit
			if hidden := real(t, names, hits[i].URN) != hits[i].URN; hidden && !c.shows {
				t.Errorf("%s: lineage shows a restricted entity", name)
			}
		}
		if c.shows && reached.Total == 0 {
			t.Errorf("%s: lineage shows nothing", name)
		}
	}
}

func TestWhatIsNoAssetIsNotShownToBeThere(t *testing.T) {
	t.Parallel()
	f, _, _ := restricting(t)
	f.put("urn:li:dataHubView:mias", "dataHubViewInfo", `{"name":"v","type":"PERSONAL","definition":{"entityTypes":[],"filter":{"operator":"AND","filters":[],"or":[]}},"created":{"time":1,"actor":"`+string(mia)+`"},"lastModified":{"time":1,"actor":"`+string(mia)+`"}}`)
	found, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataHubView", "tag"}, Size: 10, IncludeRestricted: true})
	if err != nil || found.Total != 0 {
		t.Errorf("found %+v, %v", found.Hits, err)
	}
}

// wantRestricted expects each entity once, the hidden ones as restricted.
func (f *fixture) wantRestricted(t *testing.T, who urn.URN, names *encryption.Names, all []seen, hits []search.Hit) {
	t.Helper()
	byURN := map[urn.URN]search.Hit{}
	for _, h := range hits {
		byURN[real(t, names, h.URN)] = h
	}
	if len(hits) != len(all) || len(byURN) != len(all) {
		t.Errorf("%s gets %d hits of %d entities, want %d", who, len(hits), len(byURN), len(all))
	}
	for _, s := range all {
		h := byURN[s.urn]
		if hidden := h.Type == discover.RestrictedType; hidden == s.views(who) {
			t.Errorf("%s gets %s as %s", who, s.urn, h.URN)
		} else if hidden && (len(h.Matched) > 0 || h.Score != 0 || h.Cursor.URN != "" || strings.Contains(string(h.URN), "orders")) {
			t.Errorf("%s is told more of %s: %+v", who, s.urn, h)
		}
	}
}

func TestLineageKeepsWhatMayNotBeViewedAndGoesNoFurther(t *testing.T) {
	t.Parallel()
	f, all, names := restricting(t)
	// The datasets are a chain. From a visible one the walk continues to the first hidden one.
	for _, who := range []urn.URN{jo, mia} {
		for start := range all {
			if !all[start].views(who) {
				continue
			}
			end := start + 1
			for end < len(all) && all[end].views(who) {
				end++
			}
			var want []urn.URN
			for _, s := range all[start+1 : min(end+1, len(all))] {
				want = append(want, s.urn)
			}
			q := discover.LineageQuery{URN: all[start].urn, Direction: lineage.Downstream}
			q.Types, q.Size, q.Facets = []string{"dataset"}, 100, []string{"domains", "degree"}
			page, err := f.SearchLineage(f.as(who), q)
			if err != nil || page.Total != len(want) || len(page.Hits) != len(want) {
				t.Fatalf("%s from %d: %d, want %d (%v)", who, start, page.Total, len(want), err)
			}
			for _, h := range page.Hits {
				at := slices.Index(want, real(t, names, h.URN))
				hidden := h.Type == discover.RestrictedType
				if at < 0 || hidden != (start+1+at == end) || h.Degree != at+1 || hidden && (h.Explored || len(h.Matched) > 0) {
					t.Errorf("%s from %d: %+v at %d of %d", who, start, h, at, end-start)
				}
				if len(h.Paths) != 1 || len(h.Paths[0]) != at+2 || h.Paths[0][at+1] != h.URN || slices.ContainsFunc(h.Paths[0][:at+1], func(u urn.URN) bool { return u.Type() != "dataset" }) {
					t.Errorf("%s from %d: paths %v", who, start, h.Paths)
				}
			}
			rows, err := f.Lineage(f.as(who), discover.LineageListing{URN: all[start].urn, Direction: lineage.Downstream, Count: 10})
			if err != nil || rows.Total != min(len(want), 1) {
				t.Fatalf("%s lists %+v, %v", who, rows, err)
			}
			if rows.Total == 1 {
				row := rows.Rows[0]
				hidden := row.URN.Type() == discover.RestrictedType
				if real(t, names, row.URN) != want[0] || hidden != (start+1 == end) || hidden && (row.Created.Actor != "" || row.Updated.Actor != "") {
					t.Errorf("%s from %d: %+v", who, start, row)
				}
			}
			edges, err := f.Edges(f.as(who), discover.EdgeQuery{Touching: []urn.URN{all[start].urn}, LineageOnly: true, Count: 10})
			if err != nil || len(edges.Edges) != len(edges.Ends) {
				t.Fatalf("%+v, %v", edges, err)
			}
			for i, e := range edges.Edges {
				for _, u := range []urn.URN{e.Source, e.Destination, edges.Ends[i].Upstream, edges.Ends[i].Downstream} {
					at := slices.IndexFunc(all, func(s seen) bool { return s.urn == real(t, names, u) })
					if at < 0 || all[at].views(who) == (u.Type() == discover.RestrictedType) {
						t.Errorf("%s scrolls over %s of %v", who, u, e)
					}
				}
			}
		}
	}
}

func TestARestrictedEntityLeadsNowhere(t *testing.T) {
	t.Parallel()
	f, all, names := restricting(t)
	at := slices.IndexFunc(all, func(s seen) bool { return !s.views(jo) })
	given := urn.URN("urn:li:restricted:" + names.Conceal("restricted", string(all[at].urn)))
	q := discover.LineageQuery{URN: given, Direction: lineage.Upstream}
	q.Size = 10
	if page, err := f.SearchLineage(f.as(jo), q); err != nil || page.Total != 0 || len(page.Hits) != 0 {
		t.Errorf("its lineage is %+v, %v", page, err)
	}
	if err := f.CheckRestricted(given); err != nil {
		t.Error(err)
	}
	for _, forged := range []urn.URN{given + "A", given[:len(given)-1], "urn:li:restricted:x", "urn:li:restricted:", urn.URN("urn:li:restricted:" + names.Conceal("scroll", string(all[at].urn))), all[at].urn} {
		if err := f.CheckRestricted(forged); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: %v", forged, err)
		}
	}
	f.Names = nil
	if err := f.CheckRestricted(given); fault.KindOf(err) != fault.Malformed {
		t.Errorf("where nothing is restricted: %v", err)
	}
}
