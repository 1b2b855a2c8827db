package discover_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// viewing writes a policy to view entities that match some criteria.
func (f *fixture) viewing(id string, user urn.URN, owners bool, criteria ...string) {
	actors := `"users":["` + string(user) + `"],"allUsers":false,"allGroups":false,"resourceOwners":false`
	if owners {
		actors = `"allUsers":false,"allGroups":false,"resourceOwners":true,"resourceOwnersTypes":["urn:li:ownershipType:__system__technical_owner"]`
	}
	f.put(urn.Make("dataHubPolicy", id), "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],`+
		`"actors":{`+actors+`},"resources":{"filter":{"criteria":[`+strings.Join(criteria, ",")+`]}}}`)
}

func meets(field, condition string, values ...string) string {
	return `{"field":"` + field + `","values":["` + strings.Join(values, `","`) + `"],"condition":"` + condition + `"}`
}

// seen holds facts of one entity from which a naive filter determines its viewers.
type seen struct {
	urn            urn.URN
	number         int
	domain, tag    int
	container      int
	term, jos, mia bool
}

// company is a catalog of datasets with facts of every kind, and users with different policies over
// them.
func company(t *testing.T, on catalogtest.Drivers) (*fixture, []seen) {
	t.Helper()
	f := newFixture(t, on.WithPolicies(t, policy.Config{ViewAuthorization: true}))
	const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
	f.put("urn:li:domain:d0", "domainProperties", `{"name":"d0"}`)
	f.put("urn:li:domain:d1", "domainProperties", `{"name":"d1","parentDomain":"urn:li:domain:d0"}`)
	f.put("urn:li:domain:d2", "domainProperties", `{"name":"d2"}`)
	f.put("urn:li:container:c0", "containerProperties", `{"name":"c0"}`)
	f.put("urn:li:container:c1", "container", `{"container":"urn:li:container:c0"}`)
	f.put("urn:li:glossaryNode:n", "glossaryNodeInfo", `{"definition":""}`)
	f.put("urn:li:glossaryTerm:t", "glossaryTermInfo", `{"definition":"","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:n"}`)
	var all []seen
	for i := range 30 {
		s := seen{urn: table(fmt.Sprintf("orders_%d", i)), number: i, domain: i % 4, tag: i % 3, container: i % 5, term: i%7 == 0, jos: i%6 == 0, mia: i%6 == 1}
		f.put(s.urn, "datasetProperties", fmt.Sprintf(`{"name":"orders %d"}`, i))
		f.put(s.urn, "globalTags", fmt.Sprintf(`{"tags":[{"tag":"urn:li:tag:t%d"}]}`, s.tag))
		if s.domain < 3 {
			f.put(s.urn, "domains", fmt.Sprintf(`{"domains":["urn:li:domain:d%d"]}`, s.domain))
		}
		if s.container < 2 {
			f.put(s.urn, "container", fmt.Sprintf(`{"container":"urn:li:container:c%d"}`, s.container))
		}
		if s.term {
			f.put(s.urn, "glossaryTerms", `{"terms":[{"urn":"urn:li:glossaryTerm:t"}],"auditStamp":`+stamp+`}`)
		}
		for owner, owns := range map[urn.URN]bool{jo: s.jos, mia: s.mia} {
			if owns {
				f.put(s.urn, "ownership", `{"owners":[{"owner":"`+string(owner)+`","type":"TECHNICAL_OWNER","typeUrn":"urn:li:ownershipType:__system__technical_owner"}],"lastModified":`+stamp+`}`)
			}
		}
		if i > 0 {
			f.put(s.urn, "upstreamLineage", `{"upstreams":[{"dataset":"`+string(all[i-1].urn)+`","type":"TRANSFORMED","auditStamp":`+stamp+`}]}`)
		}
		all = append(all, s)
	}
	f.followers(all)
	f.viewing("jo-domain", jo, false, meets("DOMAIN", "EQUALS", "urn:li:domain:d0"))
	f.viewing("jo-begins", jo, false, meets("URN", "STARTS_WITH", string(table("orders_2"))[:len(table("orders_2"))-len(",PROD)")]), meets("TAG", "NOT_EQUALS", "urn:li:tag:t0"))
	f.viewing("mia-container", mia, false, meets("CONTAINER", "EQUALS", "urn:li:container:c0"), meets("TYPE", "EQUALS", "dataset"))
	f.viewing("mia-term", mia, false, meets("GLOSSARY", "EQUALS", "urn:li:glossaryNode:n"))
	f.put("urn:li:dataHubPolicy:counting", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["GET_COUNTS_PRIVILEGE"],`+
		`"actors":{"allUsers":true,"allGroups":false,"resourceOwners":false}}`)
	f.viewing("jo-tags", jo, false, meets("TYPE", "EQUALS", "tag"))
	f.viewing("mia-tags", mia, false, meets("TYPE", "EQUALS", "tag"))
	f.viewing("owners", "", true, meets("TYPE", "EQUALS", "dataset"))
	return f, all
}

// followers writes entities that are read with others: columns, queries about one dataset, about
// two, by a column, or about one that was never written, and documents that stand for a dataset.
func (f *fixture) followers(all []seen) {
	const stamp = `"created":{"time":1,"actor":"urn:li:corpuser:x"},"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}`
	query := func(id string, subjects ...urn.URN) {
		list := make([]string, len(subjects))
		for i, u := range subjects {
			list[i] = `{"entity":"` + string(u) + `"}`
		}
		u := urn.Make("query", id)
		f.put(u, "queryProperties", `{"name":"orders","source":"MANUAL","statement":{"value":"select","language":"SQL"},`+stamp+`}`)
		f.put(u, "querySubjects", `{"subjects":[`+strings.Join(list, ",")+`]}`)
	}
	for i, s := range all {
		f.put(columnOf(s.urn), "schemafieldInfo", `{"name":"orders"}`)
		query(fmt.Sprint("one", i), s.urn)
		query(fmt.Sprint("both", i), s.urn, all[(i+1)%len(all)].urn)
		query(fmt.Sprint("column", i), columnOf(s.urn))
		doc := urn.Make("document", fmt.Sprint("bridge-", i))
		f.put(doc, "subTypes", `{"typeNames":["Bridge Document"]}`)
		f.put(doc, "documentInfo", `{"title":"orders","contents":{"text":""},"status":{"state":"PUBLISHED"},"customProperties":{"bridge_source_entity":"`+string(s.urn)+`","bridge_type":"x"},`+stamp+`}`)
	}
	query("absent", table("orders_299"))
	query("nothing")
	f.about(all)
}

// about writes incidents and relationships about one dataset, about two, by a column, about one
// that was never written, and about none.
func (f *fixture) about(all []seen) {
	incident := func(id string, assets ...urn.URN) {
		list := make([]string, len(assets))
		for i, u := range assets {
			list[i] = `"` + string(u) + `"`
		}
		const stamp = `{"time":1,"actor":"urn:li:corpuser:x"}`
		f.put(urn.Make("incident", id), "incidentInfo", `{"type":"OPERATIONAL","title":"orders","status":{"state":"ACTIVE","lastUpdated":`+stamp+`},"created":`+stamp+`,"entities":[`+strings.Join(list, ",")+`]}`)
	}
	for i, s := range all {
		next := all[(i+1)%len(all)].urn
		incident(fmt.Sprint("one", i), s.urn)
		incident(fmt.Sprint("both", i), s.urn, next)
		incident(fmt.Sprint("column", i), columnOf(s.urn))
		f.put(urn.Make("erModelRelationship", fmt.Sprint("both", i)), "erModelRelationshipProperties", `{"name":"orders","source":"`+string(s.urn)+`","destination":"`+string(next)+`","relationshipFieldMappings":[]}`)
	}
	incident("absent", table("orders_299"))
	incident("nothing")
}

func columnOf(dataset urn.URN) urn.URN { return urn.Make("schemaField", string(dataset), "id") }

// follow compares searches for entities that are read with datasets with the results of a naive
// filter.
func (f *fixture) follow(t *testing.T, who urn.URN, all []seen) {
	t.Helper()
	want := map[string][]urn.URN{}
	add := func(u urn.URN, views bool) {
		if views {
			want[u.Type()] = append(want[u.Type()], u)
		}
	}
	for i, s := range all {
		add(columnOf(s.urn), s.views(who))
		add(urn.Make("document", fmt.Sprint("bridge-", i)), s.views(who))
		add(urn.Make("query", fmt.Sprint("one", i)), s.views(who))
		add(urn.Make("query", fmt.Sprint("both", i)), s.views(who) && all[(i+1)%len(all)].views(who))
		add(urn.Make("query", fmt.Sprint("column", i)), s.views(who))
		both := s.views(who) && all[(i+1)%len(all)].views(who)
		add(urn.Make("incident", fmt.Sprint("one", i)), s.views(who))
		add(urn.Make("incident", fmt.Sprint("both", i)), both)
		add(urn.Make("incident", fmt.Sprint("column", i)), s.views(who))
		add(urn.Make("erModelRelationship", fmt.Sprint("both", i)), both)
	}
	add("urn:li:incident:nothing", false)
	// The URN of the subject has the prefix in the policy, but its tags are unknown.
	add("urn:li:incident:absent", false)
	add("urn:li:query:absent", false)
	for _, entityType := range []string{"schemaField", "query", "document", "incident", "erModelRelationship"} {
		slices.Sort(want[entityType])
		for _, text := range []string{"*", "orders"} {
			found, err := f.Search(f.as(who), discover.SearchQuery{Types: []string{entityType, "tag"}, Text: text, Size: 200, Facets: []string{"_entityType"}})
			if err != nil {
				t.Fatal(err)
			}
			var hits []urn.URN
			for _, h := range found.Hits {
				if h.Type == entityType {
					hits = append(hits, h.URN)
				}
			}
			slices.Sort(hits)
			if !slices.Equal(hits, want[entityType]) || counts(t, found.Facets, "_entityType")[entityType] != len(hits) {
				t.Errorf("%s finds %d by %s of %s, want %d\n got %v\nwant %v", who, len(hits), text, entityType, len(want[entityType]), hits, want[entityType])
			}
		}
		page, err := f.List(f.as(who), discover.ListQuery{Types: []string{entityType}, Limit: 200})
		if slices.Sort(page.URNs); err != nil || page.Total != len(want[entityType]) || !slices.Equal(page.URNs, want[entityType]) {
			t.Errorf("%s lists %d of %s, want %d (%v)", who, page.Total, entityType, len(want[entityType]), err)
		}
		for _, u := range want[entityType] {
			if err := f.Catalog.MayRead(f.as(who), u, ""); err != nil {
				t.Errorf("%s is refused %s: %v", who, u, err)
			}
		}
		for i := range all {
			for _, kind := range []string{"one", "both"} {
				u := urn.Make(entityType, fmt.Sprint(kind, i))
				if (entityType == "query" || entityType == "incident") && (f.Catalog.MayRead(f.as(who), u, "") == nil) != slices.Contains(want[entityType], u) {
					t.Errorf("%s reads %s, or does not, other than it is found", who, u)
				}
			}
		}
	}
}

// views is the naive filter.
func (s seen) views(who urn.URN) bool {
	if who == jo {
		begins := strings.HasPrefix(fmt.Sprint(s.number), "2")
		return s.jos || s.domain < 2 || begins && s.tag != 0
	}
	return s.mia || s.container < 2 || s.term
}

// viewed returns the counts of values that an actor may view: a facet contains no others.
func (f *fixture) viewed(t *testing.T, who urn.URN, counts map[string]int) map[string]int {
	t.Helper()
	out := map[string]int{}
	for value, n := range counts {
		readable, err := f.Catalog.MayReadEach(f.as(who), []urn.URN{urn.URN(value)}, "")
		if err != nil {
			t.Fatal(err)
		}
		if readable[0] {
			out[value] = n
		}
	}
	return out
}

func TestWhatAnActorMayNotViewIsNowhere(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]func() catalogtest.Drivers{"memory": inMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		t.Run(name, func(t *testing.T) {
			f, all := company(t, on())
			for _, who := range []urn.URN{jo, mia} {
				f.agrees(t, who, all)
				f.follow(t, who, all)
			}
			// The facts that decide about a dataset change, without a write to its followers.
			moved := &all[3]
			moved.domain = 1
			f.put(moved.urn, "domains", `{"domains":["urn:li:domain:d1"]}`)
			if moved = &all[24]; moved.domain != 0 || !moved.jos {
				t.Fatal("the fixture is another one")
			}
			moved.jos = false
			f.put(moved.urn, "ownership", `{"owners":[],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
			moved.domain = 2
			f.put(moved.urn, "domains", `{"domains":["urn:li:domain:d2"]}`)
			moved.tag = 0
			f.put(moved.urn, "globalTags", `{"tags":[{"tag":"urn:li:tag:t0"}]}`)
			for _, who := range []urn.URN{jo, mia} {
				f.agrees(t, who, all)
				f.follow(t, who, all)
			}
		})
	}
}

// agrees compares every way of reading with the naive filter over all entities.
func (f *fixture) agrees(t *testing.T, who urn.URN, all []seen) {
	t.Helper()
	ctx := f.as(who)
	var want, every []urn.URN
	domains := map[string]int{}
	for _, s := range all {
		every = append(every, s.urn)
		if s.views(who) {
			want = append(want, s.urn)
			if s.domain < 3 {
				domains[fmt.Sprintf("urn:li:domain:d%d", s.domain)]++
			}
		}
	}
	slices.Sort(want)
	if len(want) == 0 || len(want) == len(all) {
		t.Fatalf("%s views %d of %d: nothing is compared", who, len(want), len(all))
	}
	same := func(what string, got []urn.URN) {
		t.Helper()
		got = slices.Clone(got)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s by %s: %d of %v, want %d of %v", who, what, len(got), got, len(want), want)
		}
	}
	for _, text := range []string{"*", "orders"} {
		found, err := f.Search(ctx, discover.SearchQuery{Types: []string{"dataset"}, Text: text, Size: 100, Facets: []string{"domains"}})
		if err != nil || found.Total != len(want) {
			t.Errorf("%s finds %d by %q, want %d (%v)", who, found.Total, text, len(want), err)
		}
		var hits []urn.URN
		for _, h := range found.Hits {
			hits = append(hits, h.URN)
		}
		same("search for "+text, hits)
		if got, want := counts(t, found.Facets, "domains"), f.viewed(t, who, domains); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: facets count %v, want %v", who, got, want)
		}
	}
	counted, err := f.CountEntities(ctx, []string{"dataset"})
	if err != nil || counted[0] != len(want) {
		t.Errorf("%s counts %v, want %d (%v)", who, counted, len(want), err)
	}
	page, err := f.List(ctx, discover.ListQuery{Types: []string{"dataset"}, Limit: 100})
	if err != nil || page.Total != len(want) {
		t.Errorf("%s lists %d, want %d (%v)", who, page.Total, len(want), err)
	}
	same("list", page.URNs)
	completions, err := f.Autocomplete(ctx, search.AutocompleteQuery{Types: []string{"dataset"}, Text: "orders", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var completed []urn.URN
	for _, c := range completions {
		completed = append(completed, c.URN)
	}
	same("completion", completed)
	entities, err := f.Catalog.Entities(ctx, every, catalog.EntityQuery{Visible: true, Aspects: []string{"datasetProperties"}})
	if err != nil {
		t.Fatal(err)
	}
	var read []urn.URN
	for _, e := range entities {
		read = append(read, e.URN)
	}
	same("reading many", read)
	for _, s := range all {
		_, err := f.Catalog.Aspect(ctx, s.urn, "datasetProperties", 0, catalog.Concealed)
		if s.views(who) != (err == nil) || err != nil && !errors.Is(err, fault.Forbidden) {
			t.Errorf("%s reads %s: %v", who, s.urn, err)
		}
	}
	tagged, err := f.Relationships(ctx, discover.RelationshipQuery{URN: "urn:li:tag:t1", Direction: graph.Incoming, Count: 100})
	n := 0
	for _, s := range all {
		if s.tag == 1 && s.views(who) {
			n++
		}
	}
	if err != nil || tagged.Total != n {
		t.Errorf("%s: %d are tagged, want %d (%v)", who, tagged.Total, n, err)
	}
	v, err := f.Catalog.Visible(ctx, auth.Reading{Kind: auth.ReadLineage})
	if err != nil {
		t.Fatal(err)
	}
	sees, err := v.Sees(ctx, every)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if sees[i] != s.views(who) {
			t.Errorf("%s walks through %s: %v", who, s.urn, sees[i])
		}
	}
}

func TestWhoViewsNothingFindsNothing(t *testing.T) {
	t.Parallel()
	f, _ := company(t, inMemory())
	found, err := f.Search(f.as("urn:li:corpuser:nobody"), discover.SearchQuery{Types: []string{"dataset"}, Size: 10})
	if err != nil || found.Total != 0 {
		t.Errorf("found %d, %v", found.Total, err)
	}
	found, err = f.Search(f.as("urn:li:corpuser:__datahub_system"), discover.SearchQuery{Types: []string{"dataset"}, Size: 10})
	if err != nil || found.Total != 30 {
		t.Errorf("the system finds %d, %v", found.Total, err)
	}
}

func TestProgramsWalkByTheRightOverAllLineage(t *testing.T) {
	t.Parallel()
	f, all := company(t, inMemory())
	walk := func(programs bool) error {
		q := discover.LineageQuery{URN: all[0].urn, Direction: "DOWNSTREAM", Programs: programs}
		q.Types, q.Size = []string{"dataset"}, 10
		_, err := f.SearchLineage(f.as(jo), q)
		return err
	}
	if err := walk(false); err != nil {
		t.Errorf("pages: %v", err)
	}
	if err := walk(true); !errors.Is(err, fault.Forbidden) {
		t.Errorf("programs by policies over resources: %v", err)
	}
	const whole = `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["EDIT_LINEAGE"],"actors":{"users":["urn:li:corpuser:jo"],"allUsers":false,"allGroups":false,"resourceOwners":false}}`
	f.put("urn:li:dataHubPolicy:lineage", "dataHubPolicyInfo", whole)
	if err := walk(true); err != nil {
		t.Errorf("programs by a policy without resources: %v", err)
	}
}

func TestPoliciesMayBeLongerThanAFilterOfACaller(t *testing.T) {
	t.Parallel()
	f, all := company(t, inMemory())
	const lea urn.URN = "urn:li:corpuser:lea"
	var names, beginnings []string
	for i := range search.MaxValues {
		names = append(names, string(table(fmt.Sprint("other_", i))))
	}
	for i := range 300 { // more than a query may compare with all URNs
		beginnings = append(beginnings, fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,other_%d", i))
	}
	f.viewing("lea-names", lea, false, meets("URN", "EQUALS", append(names, string(all[3].urn))...))
	f.viewing("lea-beginnings", lea, false, meets("URN", "STARTS_WITH", append(beginnings, string(all[5].urn))...))
	found, err := f.Search(f.as(lea), discover.SearchQuery{Types: []string{"dataset"}, Size: 10})
	if err != nil || found.Total != 2 {
		t.Errorf("found %d, %v", found.Total, err)
	}
	completed, err := f.Autocomplete(f.as(lea), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "orders", Limit: 10})
	if err != nil || len(completed) != 2 {
		t.Errorf("completed %v, %v", completed, err)
	}
}

func TestWhatATypeIsReadWithoutIsNotListed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, inMemory().WithPolicies(t, policy.Config{}))
	for i := range 4 {
		f.put(table(fmt.Sprint("orders_", i)), "datasetProperties", `{"name":"orders"}`)
	}
	hidden := table("orders_2")
	f.viewing("all-but-one", jo, false, meets("URN", "NOT_EQUALS", string(hidden)))
	found, err := f.Search(f.as(jo), discover.SearchQuery{Types: []string{"dataset"}, Size: 10})
	if err != nil || found.Total != 3 || slices.ContainsFunc(found.Hits, func(h search.Hit) bool { return h.URN == hidden }) {
		t.Errorf("found %+v, %v", found.Hits, err)
	}
	page, err := f.List(f.as(jo), discover.ListQuery{Types: []string{"dataset"}, Limit: 10})
	if err != nil || page.Total != 3 || slices.Contains(page.URNs, hidden) {
		t.Errorf("listed %+v, %v", page, err)
	}
}

// Neither entities that a policy excludes nor entities about them are found, whatever the index
// holds of either.
func TestWhatIsAboutAnExcludedAssetIsNowhere(t *testing.T) {
	t.Parallel()
	for name, on := range map[string]func() catalogtest.Drivers{"memory": inMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		for _, criteria := range [][]string{
			{meets("TAG", "NOT_EQUALS", "urn:li:tag:t0")},
			{meets("DOMAIN", "NOT_EQUALS", "urn:li:domain:d0"), meets("TAG", "NOT_EQUALS", "urn:li:tag:t2")},
			{meets("URN", "NOT_EQUALS", string(table("orders_3")), string(table("orders_4")))},
			{meets("TAG", "NOT_EQUALS", "urn:li:tag:t0"), meets("TYPE", "EQUALS", "incident", "metric", "document")},
		} {
			t.Run(name+" "+strings.Join(criteria, " "), func(t *testing.T) {
				t.Parallel()
				f, all := company(t, on())
				f.chains(all)
				const lea urn.URN = "urn:li:corpuser:lea"
				f.viewing("lea", lea, false, criteria...)
				f.agreesOnAll(t, lea)
				f.put(all[2].urn, "globalTags", `{"tags":[{"tag":"urn:li:tag:t0"}]}`)
				f.put(all[3].urn, "globalTags", `{"tags":[]}`)
				f.put(all[3].urn, "domains", `{"domains":[]}`)
				f.agreesOnAll(t, lea)
			})
		}
	}
}

// chains writes assertions and metrics, some of them about metrics that are about datasets.
func (f *fixture) chains(all []seen) {
	for i, s := range all {
		metric := func(kind string) urn.URN {
			return urn.Make("metric", "urn:li:dataPlatform:x", "p", fmt.Sprint(kind, i))
		}
		f.put(metric("one"), "metricUpstreams", `{"datasetUpstreams":[{"destinationUrn":"`+string(s.urn)+`"}]}`)
		f.put(metric("none"), "metricUpstreams", `{}`)
		for kind, about := range map[string]urn.URN{"one": s.urn, "chain": metric("one"), "end": metric("none")} {
			f.put(urn.Make("assertion", fmt.Sprint(kind, i)), "assertionInfo", `{"type":"CUSTOM","description":"orders","entityUrn":"`+string(about)+`"}`)
		}
	}
}

// agreesOnAll compares search results with readable entities, for the types that are about assets.
func (f *fixture) agreesOnAll(t *testing.T, who urn.URN) {
	t.Helper()
	for _, entityType := range []string{"dataset", "schemaField", "query", "document", "incident", "assertion", "metric", "erModelRelationship"} {
		every, err := f.List(f.as("urn:li:corpuser:__datahub_system"), discover.ListQuery{Types: []string{entityType}, Limit: 300})
		if err != nil || len(every.URNs) < 30 {
			t.Fatalf("there are %d of %s, %v", len(every.URNs), entityType, err)
		}
		readable, err := f.Catalog.MayReadEach(f.as(who), every.URNs, "")
		if err != nil {
			t.Fatal(err)
		}
		var want []urn.URN
		for i, u := range every.URNs {
			if readable[i] {
				want = append(want, u)
			}
		}
		slices.Sort(want)
		found, err := f.Search(f.as(who), discover.SearchQuery{Types: []string{entityType, "tag"}, Text: "*", Size: 300})
		if err != nil {
			t.Fatal(err)
		}
		if entityType == "document" && (len(want) == 0 || len(want) == len(every.URNs)) {
			t.Fatalf("%d of %d documents are read: nothing is compared", len(want), len(every.URNs))
		}
		var hits []urn.URN
		for _, h := range found.Hits {
			if h.Type == entityType {
				hits = append(hits, h.URN)
			}
		}
		if slices.Sort(hits); !slices.Equal(hits, want) {
			t.Errorf("of %s is found\n%v\nand read\n%v", entityType, hits, want)
		}
		page, err := f.List(f.as(who), discover.ListQuery{Types: []string{entityType}, Limit: 300})
		if len(want) > 0 && err != nil || !slices.Equal(slices.Sorted(slices.Values(page.URNs)), want) {
			t.Errorf("of %s are listed %d, and read %d (%v)", entityType, len(page.URNs), len(want), err)
		}
	}
}
