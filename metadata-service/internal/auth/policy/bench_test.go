package policy_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/pkg/urn"
)

// company returns a catalog with 200 policies, each over a domain and for a group, and 1,000
// groups, of which Jo is in a hundred. None of the first 199 policies lets Jo edit the dataset; the
// last does.
func company(b *testing.B, cfg policy.Config) *fixture {
	b.Helper()
	f := newFixture(b, cfg)
	groups := ""
	for i := range 1000 {
		g := urn.URN(fmt.Sprintf("urn:li:corpGroup:g%d", i))
		f.Set(b, g, "corpGroupInfo", `{"admins":[],"members":[],"groups":[]}`)
		if i%10 == 0 {
			groups += `,"` + string(g) + `"`
		}
	}
	f.Set(b, authtest.Jo, "groupMembership", `{"groups":[`+groups[1:]+`]}`)
	f.Set(b, dataset, "domains", `{"domains":["urn:li:domain:d199"]}`)
	f.Set(b, dataset, "ownership", ownership(authtest.Mia, ""))
	for i := range 200 {
		domain := fmt.Sprintf("urn:li:domain:d%d", i)
		f.Set(b, urn.URN(domain), "domainProperties", fmt.Sprintf(`{"name":"d%d"}`, i))
		p := metadata(where(criterion{"DOMAIN", []string{domain}, "EQUALS"}), auth.ViewPage, auth.EditEntity, auth.EditTags)
		p.Actors = actors{Groups: []urn.URN{urn.URN(fmt.Sprintf("urn:li:corpGroup:g%d", i))}}
		if i == 199 {
			p.Actors.Groups = []urn.URN{"urn:li:corpGroup:g990"}
		}
		f.put(b, fmt.Sprintf("p%d", i), p)
	}
	return f
}

func BenchmarkDecide(b *testing.B) {
	f := company(b, policy.Config{})
	check := []auth.Check{auth.Over(dataset, auth.EditTags, auth.EditEntity)}
	actor := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
	decide := func(b *testing.B, request func() []auth.Decision) {
		b.Helper()
		b.ReportAllocs()
		for b.Loop() {
			if !request()[0].Allowed() {
				b.Fatal("it is refused")
			}
		}
	}
	b.Run("first of a request", func(b *testing.B) {
		decide(b, func() []auth.Decision {
			decisions, _ := f.Decide(auth.WithDecisionCache(actor), check)
			return decisions
		})
	})
	b.Run("again in a request", func(b *testing.B) {
		ctx := auth.WithDecisionCache(actor)
		decide(b, func() []auth.Decision {
			decisions, _ := f.Decide(ctx, check)
			return decisions
		})
	})
	b.Run("22 privileges of a row", func(b *testing.B) {
		var row []auth.Check
		for _, r := range auth.Rights() {
			if r.Level == auth.AnyAsset && len(row) < 22 {
				row = append(row, auth.Over(dataset, r.Privilege, auth.EditEntity))
			}
		}
		decide(b, func() []auth.Decision {
			decisions, _ := f.Decide(auth.WithDecisionCache(actor), row)
			return decisions
		})
	})
	b.Run("a policy for all", func(b *testing.B) {
		all := metadata(nil, auth.ViewPage)
		all.Actors = actors{AllUsers: true}
		f.put(b, "all", all)
		decide(b, func() []auth.Decision {
			decisions, _ := f.Decide(auth.WithDecisionCache(actor), []auth.Check{auth.On(auth.OpRead, dataset, "")})
			return decisions
		})
	})
}

func BenchmarkCompile(b *testing.B) {
	info := metadata(where(criterion{"DOMAIN", []string{"urn:li:domain:d1", "urn:li:domain:d2"}, "EQUALS"}, criterion{"TYPE", []string{"dataset"}, "EQUALS"}), auth.ViewPage, auth.EditEntity).object(b)
	b.ReportAllocs()
	for b.Loop() {
		policy.Compile("urn:li:dataHubPolicy:p", info)
	}
}

func BenchmarkVisible(b *testing.B) {
	f := company(b, policy.Config{ViewAuthorization: true})
	ctx := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
	reading := auth.Reading{Kind: auth.ReadSearch, Types: document.SearchTypes()}
	b.Run("made", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f.Load(ctx); err != nil { // empties the caches
				b.Fatal(err)
			}
			if _, err := f.Visible(ctx, reading); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("remembered", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.Visible(ctx, reading); err != nil {
				b.Fatal(err)
			}
		}
	})
}

const indexed = 100_000

// BenchmarkSearchWithViewAuthorization reports the duration of a search with the filter of an actor
// with a hundred groups, and with that of an actor that sees nine tenths, as a ratio to the same
// search without a filter, among 100,000 datasets in 200 domains.
func BenchmarkSearchWithViewAuthorization(b *testing.B) {
	f := company(b, policy.Config{ViewAuthorization: true})
	ctx := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
	see := func(ctx context.Context) auth.Visibility { return seenBy(ctx, b, f) }
	few := see(ctx)
	most := make([]string, 0, 180)
	for i := range 180 {
		most = append(most, fmt.Sprintf("urn:li:domain:d%d", i))
	}
	p := metadata(where(criterion{"DOMAIN", most, "EQUALS"}), auth.ViewPage)
	p.Actors.Users = []urn.URN{authtest.Mia}
	f.put(b, "most", p)
	many := see(auth.WithActor(b.Context(), auth.Actor{URN: authtest.Mia}))
	index := newIndex(b)
	for _, c := range []struct {
		name, text string
		visible    auth.Visibility
	}{{"everything, few are seen", "*", few}, {"everything, most are seen", "*", many}, {"a word, few are seen", "orders", few}, {"a word, most are seen", "orders", many}} {
		b.Run(c.name, func(b *testing.B) { compare(b, index, c.text, func() auth.Visibility { return c.visible }) })
	}
}

// compare reports the duration of a search with the filter of an actor, as a ratio to the same
// search without it.
func compare(b *testing.B, index search.Index, text string, see func() auth.Visibility) {
	b.Helper()
	query := search.Query{Types: []string{"dataset"}, Text: text, Size: 10, Facets: []search.FacetRequest{{Field: "platform", Size: 20}, {Field: "owners", Size: 20}}}
	var off, on time.Duration
	for b.Loop() {
		off += timed(b, index, query)
		start := time.Now()
		narrow, v := query, see()
		narrow.Visible, narrow.VisibleKey = v.Filter, v.Key
		timed(b, index, narrow)
		on += time.Since(start)
	}
	b.ReportMetric(float64(on)/float64(off), "on/off")
	b.ReportMetric(float64(on.Microseconds())/float64(b.N), "us-on")
	b.ReportMetric(float64(off.Microseconds())/float64(b.N), "us-off")
}

func seenBy(ctx context.Context, b *testing.B, f *fixture, types ...string) auth.Visibility {
	b.Helper()
	visible, err := f.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: append(types, "dataset")})
	if err != nil || visible.Filter == nil {
		b.Fatal(visible, err)
	}
	return visible
}

// newIndex returns an index of 100,000 datasets in 200 domains.
func newIndex(b *testing.B) search.Index {
	b.Helper()
	registry, err := model.Load()
	if err != nil {
		b.Fatal(err)
	}
	index, err := roaring.Open(roaring.Config{Schemas: document.Schemas(registry)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = index.Close(context.Background()) })
	fill(b, index)
	return index
}

// BenchmarkSearchWithManyPolicies reports the duration of a search for an actor whose visibility
// depends on 2,000 policies over domains, or over domains and tags, as a ratio to the same search
// without a filter. It also reports the duration of the first search after each write, which
// examines the new search documents.
func BenchmarkSearchWithManyPolicies(b *testing.B) {
	index := newIndex(b)
	for _, c := range []struct {
		name string
		more []criterion
	}{{"domains", nil}, {"domains and tags", []criterion{{"TAG", []string{"urn:li:tag:pii"}, "NOT_EQUALS"}}}} {
		f := newFixture(b, policy.Config{ViewAuthorization: true})
		for i := range 2000 {
			over := append([]criterion{{"DOMAIN", []string{fmt.Sprintf("urn:li:domain:d%d", i)}, "EQUALS"}}, c.more...)
			f.put(b, fmt.Sprintf("p%d", i), metadata(where(over...), auth.ViewPage))
		}
		ctx := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
		see := func() auth.Visibility { return seenBy(ctx, b, f) }
		b.Logf("%s: %d alternatives", c.name, len(see().Filter))
		b.Run(c.name, func(b *testing.B) { compare(b, index, "orders", see) })
		b.Run(c.name+", everything", func(b *testing.B) { compare(b, index, "*", see) })
		b.Run(c.name+", after a write", func(b *testing.B) {
			sequence := uint64(indexed)
			compare(b, index, "orders", func() auth.Visibility {
				sequence++
				u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:p,new%d,PROD)", sequence%100))
				d := &search.Document{URN: u, Type: "dataset", Fields: map[string][]search.Value{document.AncestorDomains: {{Text: "urn:li:domain:d7"}}}}
				if err := index.Apply(b.Context(), sequence, []search.Change{{URN: u, Document: d}}); err != nil {
					b.Fatal(err)
				}
				return see()
			})
		})
	}
}

func timed(b *testing.B, index search.Index, q search.Query) time.Duration {
	b.Helper()
	start := time.Now()
	found, err := index.Search(b.Context(), q)
	if err != nil || found.Total == 0 {
		b.Fatal(found.Total, err)
	}
	return time.Since(start)
}

func fill(b *testing.B, index search.Index) {
	b.Helper()
	text := func(s string) []search.Value { return []search.Value{{Text: s}} }
	changes := make([]search.Change, 0, 1000)
	for i := range indexed {
		u := urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:p%d,t%d,PROD)", i%7, i))
		domain, owner := fmt.Sprintf("urn:li:domain:d%d", i%200), fmt.Sprintf("urn:li:corpuser:u%d", i%500)
		name := fmt.Sprintf("table %d", i)
		if i%3 == 0 {
			name += " orders"
		}
		changes = append(changes, search.Change{URN: u, Document: &search.Document{URN: u, Type: "dataset", Fields: map[string][]search.Value{
			"name": text(name), "platform": text(fmt.Sprintf("urn:li:dataPlatform:p%d", i%7)), "domains": text(domain), document.AncestorDomains: text(domain),
			"owners": text(owner), document.AllOwners: text(owner),
		}}})
		if len(changes) == cap(changes) {
			if err := index.Apply(b.Context(), uint64(i+1), changes); err != nil {
				b.Fatal(err)
			}
			changes = changes[:0]
		}
	}
}

// BenchmarkSearchOfWhatIsReadWithOthers reports the duration of a search for the columns of 5,000
// datasets for an actor that views half of these, as a ratio to the same search without a filter.
// Each search follows a write.
func BenchmarkSearchOfWhatIsReadWithOthers(b *testing.B) {
	index := newIndex(b)
	text := func(s string) []search.Value { return []search.Value{{Text: s}} }
	var changes []search.Change
	for i := range 50_000 {
		of := fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:p%d,t%d,PROD)", i%5000%7, i%5000)
		u := urn.Make("schemaField", of, fmt.Sprint("c", i/5000))
		changes = append(changes, search.Change{URN: u, Document: &search.Document{URN: u, Type: "schemaField", Fields: map[string][]search.Value{"fieldPath": text("orders"), document.ColumnOf: text(of)}}})
	}
	if err := index.Apply(b.Context(), indexed+1, changes); err != nil {
		b.Fatal(err)
	}
	f := newFixture(b, policy.Config{ViewAuthorization: true})
	var half []string
	for i := range 100 {
		half = append(half, fmt.Sprintf("urn:li:domain:d%d", 2*i))
	}
	f.put(b, "half", metadata(where(criterion{"DOMAIN", half, "EQUALS"}), auth.ViewPage))
	ctx := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
	for _, writes := range []bool{false, true} {
		b.Run(fmt.Sprintf("after a write: %t", writes), func(b *testing.B) {
			query := search.Query{Types: []string{"schemaField"}, Size: 10, Facets: []search.FacetRequest{{Field: "_entityType", Size: 20}}}
			narrow := query
			v := seenBy(ctx, b, f, "schemaField")
			narrow.Visible, narrow.VisibleKey = v.Filter, v.Key
			sequence := uint64(indexed + 2)
			var off, on time.Duration
			for b.Loop() {
				if sequence++; writes {
					if err := index.Apply(b.Context(), sequence, changes[sequence%1000:sequence%1000+1]); err != nil {
						b.Fatal(err)
					}
				}
				off += timed(b, index, query)
				on += timed(b, index, narrow)
			}
			b.ReportMetric(float64(on)/float64(off), "on/off")
			b.ReportMetric(float64(on.Microseconds())/float64(b.N), "us-on")
			b.ReportMetric(float64(off.Microseconds())/float64(b.N), "us-off")
		})
	}
}

// BenchmarkDecideWithPoliciesOverEntities decides about entities that no policy names, for an actor
// with policies over two thousand other entities.
func BenchmarkDecideWithPoliciesOverEntities(b *testing.B) {
	f := newFixture(b, policy.Config{ViewAuthorization: true})
	for i := range 2000 {
		f.put(b, fmt.Sprintf("p%d", i), metadata(where(criterion{"URN", []string{fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:p,d%d,PROD)", i)}, "EQUALS"}), auth.ViewPage))
	}
	checks := make([]auth.Check, 100)
	for i := range checks {
		checks[i] = auth.On(auth.OpRead, urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:p,hidden%d,PROD)", i)), "")
	}
	b.ReportAllocs()
	for b.Loop() {
		f.decide(b, authtest.Jo, checks...)
	}
}
