package discover_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	chief  urn.URN = "urn:li:corpuser:chief"  // views everything
	nobody urn.URN = "urn:li:corpuser:nobody" // views only entities that all users view
)

// scopedCase is an entity with the facts that a naive evaluator of scopes needs.
type scopedCase struct {
	urn     urn.URN
	facts   map[auth.ResourceField][]string
	follows []*scopedCase // entities that decide about it
}

// scopedCases returns all entities of a company.
func scopedCases(all []seen) []*scopedCase {
	plain := func(u urn.URN) *scopedCase {
		return &scopedCase{urn: u, facts: map[auth.ResourceField][]string{auth.FieldType: {u.Type()}, auth.FieldURN: {string(u)}}}
	}
	var out, datasets []*scopedCase
	for _, s := range all {
		d := plain(s.urn)
		d.facts[auth.FieldTag] = []string{fmt.Sprintf("urn:li:tag:t%d", s.tag)}
		switch s.domain {
		case 0, 2:
			d.facts[auth.FieldDomain] = []string{fmt.Sprintf("urn:li:domain:d%d", s.domain)}
		case 1:
			d.facts[auth.FieldDomain] = []string{"urn:li:domain:d1", "urn:li:domain:d0"}
		}
		switch s.container {
		case 0:
			d.facts[auth.FieldContainer] = []string{"urn:li:container:c0"}
		case 1:
			d.facts[auth.FieldContainer] = []string{"urn:li:container:c1", "urn:li:container:c0"}
		}
		if s.term {
			d.facts[auth.FieldGlossary] = []string{"urn:li:glossaryTerm:t", "urn:li:glossaryNode:n"}
		}
		for owner, owns := range map[urn.URN]bool{jo: s.jos, mia: s.mia} {
			if owns {
				d.facts[auth.FieldOwner] = append(d.facts[auth.FieldOwner], string(owner))
			}
		}
		datasets = append(datasets, d)
	}
	out = append(out, datasets...)
	follower := func(u urn.URN, of ...*scopedCase) {
		c := plain(u)
		c.follows = of
		out = append(out, c)
	}
	for i, d := range datasets {
		next := datasets[(i+1)%len(datasets)]
		follower(columnOf(d.urn), d)
		follower(urn.Make("query", fmt.Sprint("one", i)), d)
		follower(urn.Make("query", fmt.Sprint("both", i)), d, next)
		follower(urn.Make("query", fmt.Sprint("column", i)), d)
		follower(urn.Make("document", fmt.Sprint("bridge-", i)), d)
		follower(urn.Make("incident", fmt.Sprint("one", i)), d)
		follower(urn.Make("incident", fmt.Sprint("both", i)), d, next)
		follower(urn.Make("erModelRelationship", fmt.Sprint("both", i)), d, next)
	}
	for _, u := range []urn.URN{"urn:li:tag:t0", "urn:li:tag:t1", "urn:li:tag:t2", "urn:li:incident:nothing"} {
		out = append(out, plain(u))
	}
	for u, domains := range map[urn.URN][]string{"urn:li:domain:d0": nil, "urn:li:domain:d1": {"urn:li:domain:d0"}, "urn:li:domain:d2": nil} {
		c := plain(u)
		c.facts[auth.FieldDomain] = append(domains, string(u))
		out = append(out, c)
	}
	return out
}

// within is the naive evaluator: it reports whether a scope permits reading an entity, for a user
// that may read it.
func (c *scopedCase) within(scope *auth.Scope) bool {
	if len(scope.Privileges) > 0 && !slices.ContainsFunc(scope.Privileges, func(p auth.Privilege) bool {
		return slices.Contains([]auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.DeleteEntity}, p)
	}) {
		return false
	}
	meets := func(c *scopedCase, by func(auth.Criterion) bool) bool {
		for _, criterion := range scope.Resources {
			if !by(criterion) {
				continue
			}
			values := c.facts[criterion.Field]
			found := slices.ContainsFunc(values, func(v string) bool {
				return slices.ContainsFunc(criterion.Values, func(asked string) bool {
					return v == asked || criterion.Condition == auth.StartsWith && strings.HasPrefix(v, asked)
				})
			})
			if found == (criterion.Condition == auth.NotEquals) {
				return false
			}
		}
		return true
	}
	ofType := func(c auth.Criterion) bool { return c.Field == auth.FieldType }
	beyond := func(c auth.Criterion) bool { return !ofType(c) }
	excluding := func(c auth.Criterion) bool { return beyond(c) && c.Condition == auth.NotEquals }
	followed := len(c.follows) > 0
	for _, d := range c.follows {
		followed = followed && meets(d, beyond)
		if !meets(d, excluding) {
			return false
		}
	}
	return meets(c, ofType) && meets(c, excluding) && (meets(c, beyond) || followed)
}

// randomScope returns a scope with a random restriction.
func randomScope(r *rand.Rand, all []*scopedCase) *auth.Scope {
	values := map[auth.ResourceField][]string{
		auth.FieldType:      {"dataset", "query", "schemaField", "document", "tag", "domain", "incident", "erModelRelationship"},
		auth.FieldDomain:    {"urn:li:domain:d0", "urn:li:domain:d1", "urn:li:domain:d2"},
		auth.FieldContainer: {"urn:li:container:c0", "urn:li:container:c1"},
		auth.FieldTag:       {"urn:li:tag:t0", "urn:li:tag:t1", "urn:li:tag:t2"},
		auth.FieldGlossary:  {"urn:li:glossaryNode:n", "urn:li:glossaryTerm:t"},
		auth.FieldOwner:     {string(jo), string(mia)},
	}
	for range 8 {
		values[auth.FieldURN] = append(values[auth.FieldURN], string(all[r.IntN(len(all))].urn))
	}
	fields := []auth.ResourceField{auth.FieldType, auth.FieldURN, auth.FieldDomain, auth.FieldContainer, auth.FieldTag, auth.FieldGlossary, auth.FieldOwner}
	for {
		asked := auth.Scope{ReadOnly: r.IntN(4) == 0}
		if r.IntN(4) == 0 {
			some := []auth.Privilege{auth.ViewPage, auth.GetEntity, auth.EditEntity, auth.EditTags, auth.ManageTags}
			asked.Privileges = some[r.IntN(3):][:1+r.IntN(2)]
		}
		for range r.IntN(3) {
			c := auth.Criterion{Field: fields[r.IntN(len(fields))], Condition: []auth.Condition{auth.Equals, auth.NotEquals, auth.StartsWith}[r.IntN(3)]}
			some := values[c.Field]
			for range 1 + r.IntN(3) {
				c.Values = append(c.Values, some[r.IntN(len(some))])
			}
			asked.Resources = append(asked.Resources, c)
		}
		if scope, err := auth.NewScope(asked); err == nil && scope != nil {
			return scope
		}
	}
}

// TestAScopeNarrowsEveryRead compares the results of actors with tokens of random scopes with those
// without a scope and with a naive evaluator of scopes: entity by entity, all at once, by searches,
// lists, completions, relationships and lineage.
func TestAScopeNarrowsEveryRead(t *testing.T) {
	t.Parallel()
	f, datasets := company(t, inMemory())
	f.put("urn:li:dataHubPolicy:chief", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE",
		"privileges":["VIEW_ENTITY_PAGE","GET_COUNTS_PRIVILEGE"],"actors":{"users":["`+string(chief)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
	all := scopedCases(datasets)
	for _, c := range all {
		if c.urn.Type() == "tag" {
			f.put(c.urn, "tagProperties", `{"name":"t"}`)
		}
	}
	urns := make([]urn.URN, len(all))
	for i, c := range all {
		urns[i] = c.urn
	}
	read, narrowed := 0, 0
	for seed := range trials.Count(150) {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		scope := randomScope(r, all)
		for _, who := range []urn.URN{jo, mia, chief, nobody, root} {
			ctx := auth.WithActor(t.Context(), auth.Actor{URN: who, TokenID: "id", Scope: scope})
			actors, err := f.Catalog.MayReadEach(f.as(who), urns, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Catalog.MayReadEach(ctx, urns, "")
			if err != nil {
				t.Fatal(err)
			}
			readable := map[urn.URN]bool{}
			for i, c := range all {
				want := actors[i] && c.within(scope)
				if got[i] != want {
					t.Fatalf("seed %d: a token of %s with the scope %s reads %s: %v, want %v (the actor: %v)", seed, who, scope, c.urn, got[i], want, actors[i])
				}
				readable[c.urn] = want
				if want {
					read++
				} else if actors[i] {
					narrowed++
				}
			}
			f.findsOnly(ctx, t, fmt.Sprintf("seed %d: a token of %s with the scope %s", seed, who, scope), readable)
		}
	}
	t.Logf("%d entities are read, and %d that the actors read are not", read, narrowed)
	if read < 1000 || narrowed < 1000 {
		t.Errorf("only %d are read and %d are not: nothing is compared", read, narrowed)
	}
}

// findsOnly checks that all results are readable and, for types that the index covers completely,
// that all readable entities are found.
func (f *fixture) findsOnly(ctx context.Context, t *testing.T, who string, readable map[urn.URN]bool) {
	t.Helper()
	check := func(by string, found []urn.URN, err error) {
		t.Helper()
		if err != nil && !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s, by %s: %v", who, by, err)
		}
		for _, u := range found {
			if known, ok := readable[u]; ok && !known {
				t.Fatalf("%s finds %s by %s", who, u, by)
			}
		}
	}
	for _, entityType := range []string{"dataset", "query", "schemaField", "document", "tag", "domain", "incident", "erModelRelationship"} {
		var want []urn.URN
		for u, may := range readable {
			if may && u.Type() == entityType && entityType != "tag" {
				want = append(want, u)
			}
		}
		found, err := f.Search(ctx, discover.SearchQuery{Types: []string{entityType}, Text: "*", Size: 200})
		var hits []urn.URN
		for _, h := range found.Hits {
			hits = append(hits, h.URN)
		}
		check("search", hits, err)
		if entityType == "dataset" && found.Total != len(want) {
			t.Errorf("%s finds %d datasets, want %d (%v)", who, found.Total, len(want), err)
		}
		page, err := f.List(ctx, discover.ListQuery{Types: []string{entityType}, Limit: 200})
		check("list", page.URNs, err)
		if entityType == "dataset" && len(page.URNs) != len(want) {
			t.Errorf("%s lists %d datasets, want %d (%v)", who, len(page.URNs), len(want), err)
		}
	}
	edges, err := f.Edges(ctx, discover.EdgeQuery{Types: []string{"DownstreamOf"}, Count: 100})
	var ends []urn.URN
	for _, e := range edges.Edges {
		ends = append(ends, e.Source, e.Destination)
	}
	check("edges", ends, err)
	related, err := f.Relationships(ctx, discover.RelationshipQuery{URN: "urn:li:tag:t1", Direction: graph.Incoming, Count: 100})
	var sources []urn.URN
	for _, e := range related.Edges {
		sources = append(sources, e.Source)
	}
	check("relationships", sources, err)
}
