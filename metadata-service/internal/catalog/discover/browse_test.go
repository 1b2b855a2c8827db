package discover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// browsable is a catalog in which jo views tables at given paths, and all containers except those
// whose names begin with "h". A step of a path is a text, or a container if it begins with "c:".
func browsable(t *testing.T, names *encryption.Names, tables map[string][]string) *fixture {
	t.Helper()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{ViewAuthorization: true}))
	f.put("urn:li:domain:d", "domainProperties", `{"name":"d"}`)
	for name, path := range tables {
		type entry struct {
			ID  string  `json:"id"`
			URN urn.URN `json:"urn,omitempty"`
		}
		var entries []entry
		for _, step := range path {
			e := entry{ID: step}
			if id, container := strings.CutPrefix(step, "c:"); container {
				e.URN = urn.Make("container", id)
				e.ID = string(e.URN)
				if !strings.HasPrefix(id, "h") {
					f.put(e.URN, "containerProperties", `{"name":"c"}`)
					f.put(e.URN, "domains", `{"domains":["urn:li:domain:d"]}`)
				}
			}
			entries = append(entries, e)
		}
		text, err := json.Marshal(map[string]any{"path": entries})
		if err != nil {
			t.Fatal(err)
		}
		f.put(table(name), "datasetProperties", `{"name":"d"}`)
		f.put(table(name), "browsePathsV2", string(text))
		f.put(table(name), "domains", `{"domains":["urn:li:domain:d"]}`)
	}
	f.viewing("jo", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d"))
	cfg := f.Config
	if names != nil {
		cfg.Names = names
	}
	f.Service = discover.New(cfg)
	return f
}

func (f *fixture) level(t *testing.T, path ...string) discover.BrowsePage {
	t.Helper()
	page, err := f.Browse(f.as(jo), discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: []string{"dataset"}, Size: 100}, Path: path})
	if err != nil {
		t.Fatalf("%v: %v", path, err)
	}
	return page
}

// outline is the browse tree that jo sees, a line for each group: restricted ones are named R.
func (f *fixture) outline(t *testing.T, path ...string) string {
	t.Helper()
	page := f.level(t, path...)
	var lines strings.Builder
	fmt.Fprintf(&lines, "%s%d groups of %d\n", strings.Repeat("  ", len(path)), page.Groups, page.Total)
	for _, g := range page.Items {
		name := restrictedURN.ReplaceAllString(g.Name, "R")
		fmt.Fprintf(&lines, "%s%s %d %t\n", strings.Repeat("  ", len(path)), strings.TrimPrefix(name, "urn:li:container:"), g.Count, g.HasSubGroups)
		lines.WriteString(f.outline(t, append(append([]string{}, path...), g.Name)...))
	}
	return lines.String()
}

func browseNames(t *testing.T) *encryption.Names {
	t.Helper()
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// An actor that writes a browse path into its own asset sees the same result whether or not a
// guessed URN is the hidden container of other assets.
func TestBrowseDoesNotCompareAGuessWithWhereOthersLie(t *testing.T) {
	t.Parallel()
	for _, names := range []*encryption.Names{browseNames(t), nil} {
		for _, own := range [][]string{{"c:GUESS"}, {"c:GUESS", "a"}, {"c:open", "c:GUESS", "c:GUESS", "c:in"}, {"c:GUESS", "c:hinner", "x"}} {
			want := ""
			for _, guess := range []string{"hwrong", "hidden"} {
				path := strings.Split(strings.ReplaceAll(strings.Join(own, "/"), "GUESS", guess), "/")
				f := browsable(t, names, map[string][]string{
					"own": path, "one": {"c:hidden"}, "two": {"c:hidden", "a", "b"}, "three": {"c:open", "c:hidden", "c:hinner", "c:in"},
					"four": {"c:hidden", "c:hinner", "x"}, "five": {"c:open"}, "six": {"c:hother", "c:hinner", "y"},
				})
				got := f.outline(t)
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%v, %s:\n%s, and with another\n%s", own, guess, got, want)
				}
			}
		}
	}
}

func TestHiddenContainersOfALevelAreOneGroup(t *testing.T) {
	t.Parallel()
	tables := map[string][]string{
		"at1": {"c:h1"}, "at2": {"c:h2"}, "deep1": {"c:h1", "c:in", "x"}, "deep2": {"c:h2", "c:in", "x", "y"}, "nested1": {"c:h1", "c:h3", "x"}, "nested2": {"c:h3", "c:h3", "z"},
		"seen": {"c:open"}, "below": {"c:open", "c:h1", "t"}, "text": {"t"},
	}
	f := browsable(t, browseNames(t), tables)
	const want = `3 groups of 9
open 2 true
  1 groups of 2
  R 1 true
    1 groups of 1
    t 1 false
      0 groups of 1
t 1 false
  0 groups of 1
R 6 true
  2 groups of 6
  in 2 true
    1 groups of 2
    x 2 true
      1 groups of 2
      y 1 false
        0 groups of 1
  R 2 true
    2 groups of 2
    x 1 false
      0 groups of 1
    z 1 false
      0 groups of 1
`
	if got := f.outline(t); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	root := f.level(t)
	group := root.Items[2].Name
	if !catalog.IsRestricted(f.Names, urn.URN(group)) || group == f.level(t, group).Items[1].Name || group == f.level(t, "urn:li:container:open").Items[0].Name {
		t.Errorf("the group is called %s", group)
	}
	for _, path := range [][]string{{"urn:li:container:h1"}, {"urn:li:container:open", group}, {group, group}, {"t", group}, {"urn:li:restricted:x"}} {
		if page := f.level(t, path...); page.Total != 0 || page.Groups != 0 || len(page.Items) != 0 {
			t.Errorf("%v leads to %+v", path, page)
		}
	}
	for from := range 4 {
		page, err := f.Browse(f.as(jo), discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: []string{"dataset"}, From: from, Size: 1}})
		if err != nil || page.Groups != 3 || from < 3 && (len(page.Items) != 1 || page.Items[0] != root.Items[from]) || from == 3 && len(page.Items) != 0 {
			t.Errorf("page %d is %+v, %v", from, page, err)
		}
	}
	filtered := discover.SearchQuery{Types: []string{"dataset"}, Size: 10, Filter: search.Filter{{{Field: "urn", Values: []string{string(table("at2")), string(table("deep2"))}}}}}
	page, err := f.Browse(f.as(jo), discover.BrowseQuery{SearchQuery: filtered, Path: []string{group}})
	if err != nil || page.Total != 2 || len(page.Items) != 1 || page.Items[0] != (discover.BrowseGroup{Name: "urn:li:container:in", Count: 1, HasSubGroups: true}) {
		t.Errorf("of two tables the group shows %+v, %v", page, err)
	}

	const without = `2 groups of 9
open 2 true
  0 groups of 2
t 1 false
  0 groups of 1
`
	if got := browsable(t, nil, tables).outline(t); got != without {
		t.Errorf("where nothing restricted is shown: got\n%s, want\n%s", got, without)
	}
}

// The check of a level with many groups reserves processor time of the request.
func TestGroupsOfALevelAreReserved(t *testing.T) {
	t.Parallel()
	tables := map[string][]string{}
	for i := range 300 {
		tables[fmt.Sprint("t", i)] = []string{fmt.Sprint("c:h", i)}
	}
	f := browsable(t, browseNames(t), tables)
	refused := fault.New(fault.Unavailable, "no turn")
	asked := 0
	f.Work = func(_ context.Context, d time.Duration) error {
		if asked++; d < 300*time.Microsecond {
			t.Errorf("%v are reserved", d)
		}
		return refused
	}
	_, err := f.Browse(f.as(jo), discover.BrowseQuery{SearchQuery: discover.SearchQuery{Types: []string{"dataset"}, Size: 10}})
	if asked != 1 || err == nil || err.Error() != refused.Error() {
		t.Errorf("after %d reservations: %v", asked, err)
	}
}
