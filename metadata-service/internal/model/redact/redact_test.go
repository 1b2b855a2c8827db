package redact_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
	"github.com/cartulary/cartulary/metadata-service/internal/model/redact"
	"github.com/cartulary/cartulary/pkg/urn"
)

func registry(t *testing.T) *model.Registry {
	t.Helper()
	r, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func hidden(u urn.URN) bool { return strings.Contains(string(u), "secret") }

func concealed(u urn.URN) (urn.URN, bool) { return "urn:li:restricted:x", hidden(u) }

func TestValuesWithoutHiddenURNs(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, c := range []struct{ name, aspect, value, omitted, replaced string }{
		{"nothing is hidden", "globalTags", `{"tags":[{"tag":"urn:li:tag:open"}]}`, `{"tags":[{"tag":"urn:li:tag:open"}]}`, `{"tags":[{"tag":"urn:li:tag:open"}]}`},
		{"an entry of a list", "globalTags", `{"tags":[{"tag":"urn:li:tag:secret"},{"tag":"urn:li:tag:open"}]}`, `{"tags":[{"tag":"urn:li:tag:open"}]}`,
			`{"tags":[{"tag":"urn:li:restricted:x"},{"tag":"urn:li:tag:open"}]}`},
		{"the only entry", "globalTags", `{"tags":[{"tag":"urn:li:tag:secret"}]}`, `{"tags":[]}`, `{"tags":[{"tag":"urn:li:restricted:x"}]}`},
		{"a required member of the aspect", "container", `{"container":"urn:li:container:secret"}`, `null`, `{"container":"urn:li:restricted:x"}`},
		{"an optional member", "logicalParent", `{"parent":{"destinationUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,secret,PROD)"}}`, `{}`, `{"parent":{"destinationUrn":"urn:li:restricted:x"}}`},
		{"an actor", "globalTags", `{"tags":[{"tag":"urn:li:tag:open","attribution":{"actor":"urn:li:corpuser:secret","time":1}}]}`,
			`{"tags":[{"tag":"urn:li:tag:open"}]}`, `{"tags":[{"tag":"urn:li:tag:open","attribution":{"actor":"urn:li:restricted:x","time":1}}]}`},
		{"the actor of a stamp", "institutionalMemory", `{"elements":[{"url":"https://example.com","description":"d","createStamp":{"time":1,"actor":"urn:li:corpuser:secret"}}]}`,
			`{"elements":[{"url":"https://example.com","description":"d","createStamp":{"time":1,"actor":"urn:li:corpuser:UNKNOWN"}}]}`,
			`{"elements":[{"url":"https://example.com","description":"d","createStamp":{"time":1,"actor":"urn:li:restricted:x"}}]}`},
		{"a container in a browse path", "browsePathsV2", `{"path":[{"id":"the secret shop","urn":"urn:li:container:secret"},{"id":"urn:li:container:secret"},{"id":"open"}]}`,
			`{"path":[{"id":"open"}]}`, `{"path":[{"id":"urn:li:restricted:x","urn":"urn:li:restricted:x"},{"id":"urn:li:restricted:x"},{"id":"open"}]}`},
		{"all sources of a column", "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":["urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,secret,PROD),id)"],"downstreams":["urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,open,PROD),id)"],"confidenceScore":1.0}]}`,
			`{"upstreams":[],"fineGrainedLineages":[]}`,
			`{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":["urn:li:restricted:x"],"downstreams":["urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,open,PROD),id)"],"confidenceScore":1.0}]}`},
		{"one source of a column", "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":["urn:li:tag:secret","urn:li:tag:open"],"confidenceScore":1.0}]}`,
			`{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":["urn:li:tag:open"],"confidenceScore":1.0}]}`,
			`{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD","upstreams":["urn:li:restricted:x","urn:li:tag:open"],"confidenceScore":1.0}]}`},
		{"a value of a structured property", "structuredProperties", `{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"urn:li:tag:secret"},{"string":"urn:li:tag:open"}]}]}`,
			`{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"urn:li:tag:open"}]}]}`,
			`{"properties":[{"propertyUrn":"urn:li:structuredProperty:p","values":[{"string":"urn:li:restricted:x"},{"string":"urn:li:tag:open"}]}]}`},
		{"a key of a map", "datasetProperties", `{"customProperties":{"urn:li:tag:secret":"a","b":"urn:li:tag:secret","c":"d"}}`, `{"customProperties":{"c":"d"}}`,
			`{"customProperties":{"urn:li:restricted:x":"a","b":"urn:li:restricted:x","c":"d"}}`},
		{"a JSON text", "testInfo", `{"name":"t","category":"c","definition":{"type":"JSON","json":"{\"on\":[\"urn:li:tag:secret\",\"urn:li:tag:open\"], \"rules\":{\"urn:li:tag:secret\":1}}"}}`,
			`{"name":"t","category":"c","definition":{"type":"JSON","json":"{\"on\":[\"urn:li:tag:open\"],\"rules\":{}}"}}`,
			`{"name":"t","category":"c","definition":{"type":"JSON","json":"{\"on\":[\"urn:li:restricted:x\",\"urn:li:tag:open\"],\"rules\":{\"urn:li:restricted:x\":1}}"}}`},
		{"a JSON text that names nothing hidden", "datasetProperties", `{"description":" [ \"urn:li:tag:open\" ]"}`, `{"description":" [ \"urn:li:tag:open\" ]"}`, `{"description":" [ \"urn:li:tag:open\" ]"}`},
		{"a JSON text in a JSON text", "datasetProperties", `{"description":"[\"{\\\"a\\\":\\\"urn:li:tag:secret\\\"}\"]"}`, `{"description":"[\"{}\"]"}`, `{"description":"[\"{\\\"a\\\":\\\"urn:li:restricted:x\\\"}\"]"}`},
		{"a text that only begins like JSON", "datasetProperties", `{"description":"[see \"urn:li:tag:secret\"]"}`, `{"description":"[see \"urn:li:tag:secret\"]"}`, `{"description":"[see \"urn:li:tag:secret\"]"}`},
		{"a URN in a text", "datasetProperties", `{"description":"see urn:li:tag:secret"}`, `{"description":"see urn:li:tag:secret"}`, `{"description":"see urn:li:tag:secret"}`},
	} {
		spec, ok := r.Aspect(c.aspect)
		if !ok {
			t.Fatalf("there is no aspect %s", c.aspect)
		}
		if got := redact.Omit(spec, object(t, c.value), hidden); !jsontree.Equal(orNull(got), tree(t, c.omitted)) {
			t.Errorf("%s: omitted: got %s, want %s", c.name, jsontree.Encode(orNull(got)), c.omitted)
		}
		if got := redact.Replace(spec.Record, object(t, c.value), concealed); !jsontree.Equal(got, tree(t, c.replaced)) {
			t.Errorf("%s: replaced: got %s, want %s", c.name, jsontree.Encode(got), c.replaced)
		}
	}
}

func TestPlacesNameTheMembersOnTheWay(t *testing.T) {
	t.Parallel()
	value := tree(t, `{"a":["urn:li:tag:1",{"b":"urn:li:tag:2"}],"urn:li:tag:3":{"c":"{\"d\":[\"urn:li:tag:4\"]}"},"e":"no urn:li:tag:5","f":[{"propertyUrn":"urn:li:tag:6","values":["urn:li:tag:7"]}]}`)
	got := map[string]urn.URN{}
	redact.Places(value, func(place string, u urn.URN) { got[place] = u })
	want := map[string]urn.URN{"a": "urn:li:tag:1", "a/b": "urn:li:tag:2", "": "urn:li:tag:3", "urn:li:tag:3/c/{}/d": "urn:li:tag:4",
		"f/propertyUrn propertyUrn=urn:li:tag:6": "urn:li:tag:6", "f/values propertyUrn=urn:li:tag:6": "urn:li:tag:7"}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Wherever an aspect names a hidden entity, the result contains no trace of it and is valid.
func TestEveryPlaceOfTheModelForAURN(t *testing.T) {
	t.Parallel()
	r := registry(t)
	places := 0
	for _, spec := range r.Aspects() {
		for variant := range modeltest.Variants {
			for _, only := range placesOf(r, spec, variant) {
				places++
				make := func() model.Object {
					return (&modeltest.Generator{Registry: r, Aspect: spec, Maximal: true, Variant: variant, URN: func(path string, allowed []string) string {
						return exampleOf(r, allowed, path == only)
					}}).Value()
				}
				if got := redact.Omit(spec, make(), hidden); got != nil {
					if text := string(jsontree.Encode(got)); strings.Contains(text, "secret") {
						t.Errorf("%s%s: left in %s", spec.Name, only, text)
					}
					if _, _, err := r.Conform(spec, got); err != nil {
						t.Errorf("%s%s: what is shown is not valid: %v", spec.Name, only, err)
					}
				}
				if text := string(jsontree.Encode(redact.Replace(spec.Record, make(), concealed))); strings.Contains(text, "secret") {
					t.Errorf("%s%s: left in %s", spec.Name, only, text)
				}
			}
		}
	}
	t.Logf("%d places", places)
	if places < 1000 {
		t.Errorf("only %d places were tried", places)
	}
}

// placesOf returns the paths of an aspect that contain URNs.
func placesOf(r *model.Registry, spec *model.AspectSpec, variant int) []string {
	var paths []string
	g := modeltest.Generator{Registry: r, Aspect: spec, Maximal: true, Variant: variant, URN: func(path string, allowed []string) string {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
		return exampleOf(r, allowed, false)
	}}
	g.Value()
	return paths
}

// exampleOf returns a URN of the first of some types, hidden or not.
func exampleOf(r *model.Registry, allowed []string, isSecret bool) string {
	if len(allowed) == 0 {
		allowed = []string{"tag"}
	}
	entity, ok := r.Entity(allowed[0])
	if !ok {
		return "urn:li:" + allowed[0] + ":x"
	}
	example := entity.Example
	if isSecret {
		i := strings.LastIndexAny(example, ":(,") + 1
		if strings.HasSuffix(example, ",PROD)") {
			i = strings.LastIndexAny(strings.TrimSuffix(example, ",PROD)"), ",") + 1
		}
		example = example[:i] + "secret" + example[i:]
	}
	return example
}

func TestTheRecordsThatAreTreatedSpeciallyAreInTheModel(t *testing.T) {
	t.Parallel()
	r := registry(t)
	known := map[string]bool{}
	for _, spec := range r.Aspects() {
		collect(spec.Record, known)
	}
	for _, name := range redact.Records() {
		if !known[name] {
			t.Errorf("the model has no record %s", name)
		}
	}
}

func collect(t *model.Type, known map[string]bool) {
	if t == nil || t.Name != "" && known[t.Name] {
		return
	}
	known[t.Name] = true
	for _, f := range t.Fields {
		collect(f.Type, known)
	}
	for _, m := range t.Members {
		collect(m.Type, known)
	}
	collect(t.Elem, known)
}

func TestURNsAreFoundInValuesAndKeys(t *testing.T) {
	t.Parallel()
	var found []string
	redact.URNs(tree(t, `{"a":["urn:li:tag:open",{"urn:li:tag:key":1}],"b":"see urn:li:tag:no","c":null}`), func(u urn.URN) { found = append(found, string(u)) })
	slices.Sort(found)
	if got := strings.Join(found, " "); got != "urn:li:tag:key urn:li:tag:open" {
		t.Errorf("found %s", got)
	}
	if redact.Mentions([]byte(`{"b":"see urn:li:tag:no"}`)) || !redact.Mentions([]byte(`{"b":"urn:li:tag:no"}`)) {
		t.Error("a text with a URN of its own is not told from one with a URN in a longer text")
	}
}

func orNull(o model.Object) any {
	if o == nil {
		return nil
	}
	return o
}

func tree(t *testing.T, text string) any {
	t.Helper()
	v, err := jsontree.Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func object(t *testing.T, text string) model.Object {
	t.Helper()
	o, ok := tree(t, text).(model.Object)
	if !ok {
		t.Fatalf("%s is no object", text)
	}
	return o
}

func BenchmarkOmit(b *testing.B) {
	r, err := model.Load()
	if err != nil {
		b.Fatal(err)
	}
	spec, _ := r.Aspect("upstreamLineage")
	text := jsontree.Encode(modeltest.Maximal(r, spec, 1))
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		value, err := jsontree.DecodeObject(text)
		if err != nil {
			b.Fatal(err)
		}
		redact.Omit(spec, value, hidden)
	}
}
