package discover_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tree writes domains, each below the one before, and a table in each.
func (f *fixture) tree(names ...string) {
	f.t.Helper()
	for i, name := range names {
		parent := ""
		if i > 0 {
			parent = `,"parentDomain":"urn:li:domain:` + names[i-1] + `"`
		}
		f.put(urn.Make("domain", name), "domainProperties", `{"name":"`+name+`"`+parent+`}`)
		f.put(table(name), "domains", `{"domains":["urn:li:domain:`+name+`"]}`)
	}
}

func TestConditionsOnHierarchiesLookBothWays(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.tree("top", "middle", "bottom")
		for _, c := range []struct {
			condition search.Condition
			value     string
			negated   bool
			want      []urn.URN
		}{
			{discover.In, "middle", false, []urn.URN{table("middle")}},
			{discover.AncestorsIncl, "middle", false, []urn.URN{table("middle"), table("top")}},
			{discover.DescendantsIncl, "middle", false, []urn.URN{table("bottom"), table("middle")}},
			{discover.RelatedIncl, "middle", false, []urn.URN{table("bottom"), table("middle"), table("top")}},
			{discover.DescendantsIncl, "middle", true, []urn.URN{table("top")}},
			{discover.AncestorsIncl, "top", false, []urn.URN{table("top")}},
			{discover.DescendantsIncl, "bottom", false, []urn.URN{table("bottom")}},
			{discover.RelatedIncl, "absent", false, nil},
		} {
			page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Sort: []search.Sort{{Field: "urn"}}, Filter: search.Filter{{
				{Field: "domains", Condition: c.condition, Values: []string{"urn:li:domain:" + c.value}, Negated: c.negated},
			}}})
			if got := found(page.Hits); !slices.Equal(got, c.want) {
				t.Errorf("%s %s (negated %t) finds %v, want %v", c.condition, c.value, c.negated, got, c.want)
			}
		}
	})
}

// storeParent stores the parent of a domain as it may have been stored before the rule that refuses
// cycles.
func (f *fixture) storeParent(domain, parent urn.URN) {
	f.t.Helper()
	spec, _ := f.Catalog.Registry.Aspect("domainProperties")
	value := model.Object{"name": domain.Key(), "parentDomain": string(parent)}
	_, err := f.Catalog.Store.Update(f.t.Context(), func(tx store.Tx) error {
		key := store.Key{URN: domain, Aspect: spec.Name}
		old, err := store.Latest(f.t.Context(), tx, key)
		if err != nil {
			return err
		}
		_, err = store.Put(f.t.Context(), tx, old, store.Write{
			Key: key, Value: jsontree.Encode(value), SchemaVersion: spec.SchemaVersion, Actor: root, Now: catalogtest.Day,
			Edges: spec.Edges(domain, value, model.AuditStamp{Time: catalogtest.Day, Actor: root}), MakesEdges: true,
		})
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

func TestACycleInAHierarchyEnds(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		f.tree("a", "b", "c")
		f.storeParent("urn:li:domain:a", "urn:li:domain:c")
		for _, condition := range []search.Condition{discover.AncestorsIncl, discover.DescendantsIncl, discover.RelatedIncl} {
			page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{
				{Field: "domains", Condition: condition, Values: []string{"urn:li:domain:b"}},
			}}})
			if page.Total != 3 {
				t.Errorf("%s in a cycle finds %d of 3", condition, page.Total)
			}
		}
	})
}

func TestDocumentsFormAHierarchy(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		document := func(id string) urn.URN { return urn.Make("document", id) }
		put := func(id, parent string) {
			if parent != "" {
				parent = `,"parentDocument":{"document":"` + string(document(parent)) + `"}`
			}
			f.put(document(id), "documentInfo", `{"title":"`+id+`","status":{"state":"PUBLISHED"},"contents":{"text":"t"},"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}`+parent+`}`)
		}
		put("top", "")
		put("middle", "top")
		put("bottom", "middle")
		for condition, value := range map[search.Condition]string{discover.DescendantsIncl: "top", discover.AncestorsIncl: "bottom"} {
			page := f.search(discover.SearchQuery{Types: []string{"document"}, Sort: []search.Sort{{Field: "urn"}}, Filter: search.Filter{{
				{Field: "parentDocument", Condition: condition, Values: []string{string(document(value))}},
			}}})
			if got, want := found(page.Hits), []urn.URN{document("bottom"), document("middle")}; !slices.Equal(got, want) {
				t.Errorf("%s %s finds %v, want %v", condition, value, got, want)
			}
		}
	})
}

func TestWhatHasNoHierarchyIsItself(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory())
	f.shop()
	for _, condition := range []search.Condition{discover.AncestorsIncl, discover.DescendantsIncl, discover.RelatedIncl} {
		page := f.search(discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{
			{Field: "tags", Condition: condition, Values: []string{"urn:li:tag:shop"}},
		}}})
		if page.Total != 4 {
			t.Errorf("%s of a tag finds %d, want the 4 that have it", condition, page.Total)
		}
	}
}

// A stage that hides its entities hides only those of its types.
func TestHiddenStagesAreOfTheirTypes(t *testing.T) {
	onDrivers(t, func(t *testing.T, f *fixture) {
		const draft urn.URN = "urn:li:lifecycleStageType:draft"
		const stamps = `,"created":{"time":1,"actor":"urn:li:corpuser:jo"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}`
		f.put(draft, "lifecycleStageTypeInfo", `{"name":"Draft","entityTypes":["dataset"],"settings":{"hideInSearch":true}`+stamps)
		f.put(table("draft"), "status", `{"removed":false,"lifecycleStage":"`+string(draft)+`"}`)
		f.put(table("done"), "status", `{"removed":false}`)
		f.put(chart, "status", `{"removed":false}`)
		for _, c := range []struct {
			q    discover.SearchQuery
			want int
		}{
			{discover.SearchQuery{Types: []string{"dataset"}}, 1},
			{discover.SearchQuery{Types: []string{"chart"}}, 1},
			{discover.SearchQuery{Types: []string{"dataset"}, IncludeHiddenStages: true}, 2},
			{discover.SearchQuery{Types: []string{"dataset"}, IncludeSoftDeleted: true}, 2},
			{discover.SearchQuery{Types: []string{"dataset"}, Filter: search.Filter{{{Field: "lifecycleStage", Values: []string{string(draft)}}}}}, 1},
		} {
			if page := f.search(c.q); page.Total != c.want {
				t.Errorf("%+v finds %d, want %d", c.q, page.Total, c.want)
			}
		}
		f.put(draft, "lifecycleStageTypeInfo", `{"name":"Draft","settings":{"hideInSearch":false}`+stamps)
		if page := f.search(discover.SearchQuery{Types: []string{"dataset"}}); page.Total != 2 {
			t.Errorf("a stage that hides nothing leaves %d", page.Total)
		}
	})
}
