package model_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

const owner urn.URN = "urn:li:dataset:owner"

var writtenAt = model.AuditStamp{Time: 1700000000000, Actor: "urn:li:corpuser:writer"}

func edgesOf(t testing.TB, name, value string) []model.Edge {
	t.Helper()
	return aspect(t, name).Edges(owner, tree(t, value).(model.Object), writtenAt)
}

// wantEdges compares source, type, destination and via.
func wantEdges(t *testing.T, edges []model.Edge, want ...string) {
	t.Helper()
	var got []string
	for _, e := range edges {
		got = append(got, strings.TrimSpace(fmt.Sprint(e.Source, " ", e.Type, " ", e.Destination, " ", e.Via)))
		if e.Owner != owner {
			t.Errorf("%v is owned by %s", e, e.Owner)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEveryRelationshipOfTheRegistryMakesEdges(t *testing.T) {
	t.Parallel()
	r := registry(t)
	rows := 0
	for _, a := range r.Aspects() {
		for _, rel := range a.Relationships {
			rows++
			found := false
			for variant := range variants {
				value := maximal(r, a, variant)
				edges := a.Edges(owner, value, writtenAt)
				for _, destination := range model.Select(value, rel.Path) {
					found = true
					key := model.EdgeKey{Source: owner, Type: rel.Name, Destination: urn.URN(destination.(string)), Owner: owner}
					if !slices.ContainsFunc(edges, func(e model.Edge) bool { return e.Key() == key }) {
						t.Errorf("%s %s: no edge to %s", a.Name, rel.Path, destination)
					}
				}
			}
			if !found {
				t.Errorf("%s %s: no value has it", a.Name, rel.Path)
			}
			if !a.MakesEdges() {
				t.Errorf("%s does not know that it makes edges", a.Name)
			}
		}
	}
	if rows < 100 {
		t.Errorf("the registry has %d relationships only", rows)
	}
}

func TestEdgesHaveAnIdentityAndAStampEach(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		seen := map[model.EdgeKey]bool{}
		for _, e := range a.Edges(owner, maximal(r, a, 1), writtenAt) {
			if seen[e.Key()] {
				t.Errorf("%s: %v comes twice", a.Name, e.Key())
			}
			seen[e.Key()] = true
			if e.Created.Time == 0 || e.Updated.Time == 0 || e.Created.Actor == "" || e.Updated.Actor == "" {
				t.Errorf("%s: stamps of %v: %v, %v", a.Name, e.Key(), e.Created, e.Updated)
			}
		}
	}
}

func TestAValueWithoutReferencesMakesNoEdges(t *testing.T) {
	t.Parallel()
	wantEdges(t, edgesOf(t, "globalTags", `{"tags":[]}`))
	wantEdges(t, edgesOf(t, "status", `{"removed":true}`))
	if aspect(t, "status").MakesEdges() {
		t.Error("status makes edges")
	}
	if !aspect(t, "inputFields").MakesEdges() {
		t.Error("inputFields makes none")
	}
}

func TestListsBesideTheDestinations(t *testing.T) {
	t.Parallel()
	edges := edgesOf(t, "upstreamLineage", `{"upstreams":[
		{"dataset":"urn:li:dataset:a","type":"COPY","auditStamp":{"time":5,"actor":"urn:li:corpuser:a"},"created":{"time":3,"actor":"urn:li:corpuser:c"},"properties":{"source":"UI"},"query":"urn:li:query:q"},
		{"dataset":"urn:li:dataset:b","type":"COPY","auditStamp":{"time":0,"actor":"urn:li:corpuser:b"},"created":{"time":4,"actor":"urn:li:corpuser:d"},"properties":{},"query":"urn:li:query:r"}]}`)
	want := []model.Edge{
		{
			Source: owner, Type: "DownstreamOf", Destination: "urn:li:dataset:a", Owner: owner, Via: "urn:li:query:q", Properties: []byte(`{"source":"UI"}`),
			Created: model.AuditStamp{Time: 3, Actor: "urn:li:corpuser:c"}, Updated: model.AuditStamp{Time: 5, Actor: "urn:li:corpuser:a"},
		},
		{
			Source: owner, Type: "DownstreamOf", Destination: "urn:li:dataset:b", Owner: owner, Via: "urn:li:query:r",
			Created: model.AuditStamp{Time: 4, Actor: "urn:li:corpuser:d"}, Updated: model.AuditStamp{Time: writtenAt.Time, Actor: "urn:li:corpuser:b"},
		},
	}
	if !reflect.DeepEqual(edges, want) {
		t.Errorf("got %v\nwant %v", edges, want)
	}
}

func TestAListThatDoesNotRunAlongIsNotUsed(t *testing.T) {
	t.Parallel()
	edges := edgesOf(t, "upstreamLineage", `{"upstreams":[
		{"dataset":"urn:li:dataset:a","type":"COPY","auditStamp":{"time":5,"actor":"urn:li:corpuser:a"},"query":"urn:li:query:q"},
		{"dataset":"urn:li:dataset:b","type":"COPY","auditStamp":{"time":6,"actor":"urn:li:corpuser:b"}}]}`)
	if len(edges) != 2 || edges[0].Via != "" || edges[1].Via != "" || edges[0].Created != writtenAt {
		t.Errorf("a list of one is used for two: %v", edges)
	}
	if edges[0].Updated.Time != 5 || edges[1].Updated.Time != 6 {
		t.Errorf("a list of two is not used for two: %v", edges)
	}
}

// An edge drawn by a user is next to ingested edges.
func TestStampsAndPropertiesAreThoseOfTheirElement(t *testing.T) {
	t.Parallel()
	edges := edgesOf(t, "upstreamLineage", `{"upstreams":[
		{"dataset":"urn:li:dataset:a","type":"COPY","auditStamp":{"time":5,"actor":"urn:li:corpuser:a"}},
		{"dataset":"urn:li:dataset:b","type":"COPY","auditStamp":{"time":6,"actor":"urn:li:corpuser:b"},"created":{"time":4,"actor":"urn:li:corpuser:c"},"properties":{"source":"UI"}}]}`)
	if len(edges) != 2 || edges[0].Manual() || !edges[1].Manual() {
		t.Fatalf("the drawn edge is not told: %v", edges)
	}
	if edges[0].Created != writtenAt || edges[1].Created != (model.AuditStamp{Time: 4, Actor: "urn:li:corpuser:c"}) {
		t.Errorf("the edges were created at %v and %v", edges[0].Created, edges[1].Created)
	}
}

func TestColumnsOfADataset(t *testing.T) {
	t.Parallel()
	const d1, d2 = "urn:li:schemaField:(urn:li:dataset:owner,d1)", "urn:li:schemaField:(urn:li:dataset:owner,d2)"
	edges := edgesOf(t, "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[
		{"upstreams":["urn:li:schemaField:u1","urn:li:schemaField:u2"],"downstreams":["`+d1+`","`+d2+`"],"query":"urn:li:query:q"},
		{"upstreams":["urn:li:schemaField:u3"],"downstreams":["`+d1+`"]},
		{"upstreams":["urn:li:schemaField:u1"],"downstreams":["`+d1+`"]}]}`)
	const plain = "urn:li:dataset:owner DownstreamOf urn:li:schemaField:"
	wantEdges(t, edges, plain+"u1", plain+"u2", plain+"u3",
		d1+" DownstreamOf urn:li:schemaField:u1 urn:li:query:q",
		d1+" DownstreamOf urn:li:schemaField:u2 urn:li:query:q",
		d2+" DownstreamOf urn:li:schemaField:u1 urn:li:query:q",
		d2+" DownstreamOf urn:li:schemaField:u2 urn:li:query:q",
		d1+" DownstreamOf urn:li:schemaField:u3")
}

// The privilege over a dataset does not apply to the columns of another one. Entries behind an
// entry with such columns count.
func TestADatasetMakesNoLineageOfTheColumnsOfAnother(t *testing.T) {
	t.Parallel()
	const own = "urn:li:schemaField:(urn:li:dataset:owner,own)"
	for _, foreign := range []string{
		"urn:li:schemaField:(urn:li:dataset:other,c)", "urn:li:schemaField:(urn:li:dataset:owner2,c)", "urn:li:schemaField:c", "urn:li:dataset:other", "urn:li:tag:x", "c",
		"urn:li:schemaField:(urn:li:schemaField:(urn:li:dataset:owner,c),c)",
	} {
		edges := edgesOf(t, "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[
			{"upstreams":["urn:li:schemaField:u1"],"downstreams":["`+foreign+`","`+own+`"]},
			{"upstreams":["urn:li:schemaField:u2"],"downstreams":["`+foreign+`"]},
			{"upstreams":["urn:li:schemaField:u3"],"downstreams":["`+own+`"]}]}`)
		const plain = "urn:li:dataset:owner DownstreamOf urn:li:schemaField:"
		wantEdges(t, edges, plain+"u1", plain+"u2", plain+"u3", own+" DownstreamOf urn:li:schemaField:u1", own+" DownstreamOf urn:li:schemaField:u3")
		jobs := edgesOf(t, "dataJobInputOutput", `{"fineGrainedLineages":[{"upstreams":["urn:li:schemaField:u"],"downstreams":["`+foreign+`"]}]}`)
		wantEdges(t, jobs, foreign+" DownstreamOf urn:li:schemaField:u "+string(owner))
	}
}

func TestColumnsEndAtAnEntryThatLacksASide(t *testing.T) {
	t.Parallel()
	for _, lacking := range []string{`{"upstreams":["urn:li:schemaField:x"]}`, `{"downstreams":["urn:li:schemaField:x"]}`, `{"upstreams":[],"downstreams":["urn:li:schemaField:x"]}`} {
		edges := edgesOf(t, "dataJobInputOutput", `{"fineGrainedLineages":[
			{"upstreams":["urn:li:schemaField:u"],"downstreams":["urn:li:schemaField:d"]},`+lacking+`,
			{"upstreams":["urn:li:schemaField:v"],"downstreams":["urn:li:schemaField:d"]}]}`)
		wantEdges(t, edges, "urn:li:schemaField:d DownstreamOf urn:li:schemaField:u "+string(owner))
	}
}

func TestColumnsOfAChart(t *testing.T) {
	t.Parallel()
	edges := edgesOf(t, "inputFields", `{"fields":[
		{"schemaFieldUrn":"urn:li:schemaField:u","schemaField":{"fieldPath":"a","nativeDataType":"t","type":{"type":{}}}},
		{"schemaFieldUrn":"urn:li:schemaField:v"}]}`)
	wantEdges(t, edges, "urn:li:dataset:owner consumesField urn:li:schemaField:u", "urn:li:dataset:owner consumesField urn:li:schemaField:v",
		"urn:li:schemaField:(urn:li:dataset:owner,a) DownstreamOf urn:li:schemaField:u")
}

func TestColumnsThatMultiplyAreCutShort(t *testing.T) {
	t.Parallel()
	columns := func(side string) []any {
		list := make([]any, 20_000)
		for i := range list {
			list[i] = fmt.Sprint("urn:li:schemaField:", side, i)
		}
		return list
	}
	value := model.Object{"fineGrainedLineages": []any{model.Object{"upstreams": columns("u"), "downstreams": columns("d")}}}
	if edges := aspect(t, "dataJobInputOutput").Edges(owner, value, writtenAt); len(edges) != model.MaxEdges+1 {
		t.Errorf("got %d edges, want one more than %d", len(edges), model.MaxEdges)
	}
}
