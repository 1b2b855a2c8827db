package rule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// history is a catalog with random changes, and the terms of all values proposed so far.
type history struct {
	*catalogtest.Fixture
	random *rand.Rand
	ever   map[store.Term]bool
}

func (h *history) pick(of string, n int) urn.URN {
	return urn.URN(fmt.Sprintf(of, h.random.IntN(n)))
}

func (h *history) name() string { return string(rune('a' + h.random.IntN(4))) }

func (h *history) asset() urn.URN {
	return h.pick("urn:li:dataset:(urn:li:dataPlatform:hive,s.t%d,PROD)", 6)
}

// value returns a random value of an aspect with rules that have terms or derive changes.
func (h *history) value() catalog.Proposal {
	switch h.random.IntN(8) {
	case 0:
		return catalogtest.Proposal(h.pick("urn:li:domain:d%d", 4), "domainProperties", fmt.Sprintf(`{"name":%q}`, h.name()))
	case 1:
		return catalogtest.Proposal(h.pick("urn:li:domain:d%d", 4), "domainProperties", fmt.Sprintf(`{"name":%q,"parentDomain":%q}`, h.name(), h.pick("urn:li:domain:d%d", 4)))
	case 2:
		return catalogtest.Proposal(h.pick("urn:li:glossaryTerm:t%d", 4), "glossaryTermInfo", fmt.Sprintf(`{"name":%q,"definition":"","termSource":"INTERNAL"}`, h.name()))
	case 3:
		return catalogtest.Proposal(h.asset(), "versionProperties", fmt.Sprintf(`{"versionSet":%q,"version":{"versionTag":%q},"sortId":%q}`,
			h.pick("urn:li:versionSet:(v%d,dataset)", 2), h.name(), h.name()))
	case 4:
		property := h.pick("urn:li:structuredProperty:p%d", 3)
		return catalogtest.Proposal(property, "propertyDefinition", fmt.Sprintf(
			`{"qualifiedName":%q,"valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"],"description":%q}`, property.Key(), h.name()))
	case 5:
		return catalogtest.Proposal(h.asset(), "structuredProperties", `{"properties":[`+assignment(h.pick("urn:li:structuredProperty:p%d", 3), text(h.name()))+`]}`)
	case 6:
		return catalogtest.Proposal(h.pick("urn:li:dataProduct:p%d", 3), "dataProductProperties", fmt.Sprintf(`{"assets":[{"destinationUrn":%q}]}`, h.asset()))
	}
	return catalogtest.Proposal(h.pick("urn:li:structuredProperty:p%d", 3), "structuredPropertySettings", fmt.Sprintf(`{"showAsAssetBadge":%t}`, h.random.IntN(2) == 0))
}

// proposal writes a random value or deletes the entity or aspect of one.
func (h *history) proposal() catalog.Proposal {
	p := h.value()
	p.System.RunID = fmt.Sprintf("run-%d", h.random.IntN(4))
	switch h.random.IntN(8) {
	case 0:
		p.Change, p.Value = model.Delete, nil
	case 1:
		p.Change, p.Value, p.Aspect = model.Delete, nil, ""
	}
	return p
}

// happen makes a random change, which may be refused.
func (h *history) happen() {
	p := h.proposal()
	ctx, u := h.As(root), urn.URN(p.URN)
	switch h.random.IntN(12) {
	case 0:
		_, _ = h.DeleteEntity(ctx, u)
	case 1:
		_, _ = h.ClearEntity(ctx, u)
	case 2:
		_, _ = h.Runs.Rollback(ctx, fmt.Sprintf("run-%d", h.random.IntN(4)), run.Options{Hard: h.random.IntN(2) == 0, DryRun: h.random.IntN(3) == 0})
	case 3:
		_, _ = h.DeleteReferences(ctx, u, false)
	case 4:
		h.propose(p, h.proposal(), h.proposal(), h.proposal())
	default:
		h.propose(p)
	}
}

func (h *history) propose(batch ...catalog.Proposal) {
	for _, p := range batch {
		if value, err := jsontree.DecodeObject(p.Value); err == nil {
			h.made(urn.URN(p.URN), p.Aspect, value, func(t store.Term) { h.ever[t] = true })
		}
	}
	_, _ = h.Write(h.As(root), batch, catalog.WriteOptions{})
}

// made passes the terms that the rules derive from a value to add.
func (h *history) made(u urn.URN, aspect string, value model.Object, add func(store.Term)) {
	entity, _ := h.Registry.Entity(u.Type())
	spec, ok := entity.Aspect(aspect)
	if !ok {
		return
	}
	for _, r := range h.Rules.For(entity, spec) {
		if r.Terms == nil {
			continue
		}
		for _, term := range r.Terms(u, value) {
			add(term)
		}
	}
}

// stored returns the terms that the rules derive from the stored values.
func (h *history) stored() map[store.Term][]urn.URN {
	h.T.Helper()
	terms := map[store.Term][]urn.URN{}
	urns, err := h.Store.Scan(h.T.Context(), store.Scan{})
	if err != nil {
		h.T.Fatal(err)
	}
	rows, err := h.Store.Aspects(h.T.Context(), urns)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, rec := range slices.Concat(rows...) {
		value, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			h.T.Fatal(err)
		}
		h.made(rec.URN, rec.Aspect, value, func(t store.Term) {
			if h.ever[t] = true; !slices.Contains(terms[t], rec.URN) {
				terms[t] = append(terms[t], rec.URN)
			}
		})
	}
	return terms
}

// check compares the index of terms with the stored values, and expects no pending cleanups.
func (h *history) check(step int) {
	h.T.Helper()
	want := h.stored()
	for term := range h.ever {
		if found := h.lookup(term); !slices.Equal(found, want[term]) {
			h.T.Fatalf("after step %d the term %q is of %v, the stored values make it of %v", step, term, found, want[term])
		}
	}
	rules := rule.All()
	for i := range rules {
		if left := h.lookup(store.Term{Index: "$cleanup", Value: rules[i].Name}); len(left) > 0 {
			h.T.Fatalf("after step %d the cleanup of %v has not ended", step, left)
		}
	}
}

func (h *history) lookup(t store.Term) []urn.URN {
	h.T.Helper()
	found, err := h.Store.Lookup(h.T.Context(), t, "", 0)
	if err != nil {
		h.T.Fatal(err)
	}
	return found
}

// After any sequence of writes, deletions and rollbacks, the secondary index holds exactly the
// terms that the rules derive from the stored values.
func TestTermsAreThoseOfTheStoredValues(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(modelTypes()...)
		for seed := range uint64(3) {
			h := &history{Fixture: f, random: rand.New(rand.NewPCG(seed, 1)), ever: map[store.Term]bool{}}
			for step := range 150 {
				h.happen()
				if h.check(step); t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
			if len(h.ever) < 30 {
				t.Errorf("seed %d tried %d terms alone", seed, len(h.ever))
			}
		}
	})
}
