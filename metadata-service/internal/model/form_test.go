package model_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func TestTaggedUnionsLoseTheirWrapperAroundRecordsOnly(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, typ, in, want string }{
		{"record in a union", "com.linkedin.schema.SchemaFieldDataType", `{"type":{"com.linkedin.schema.StringType":{}}}`,
			`{"__type":"SchemaFieldDataType","type":{"__type":"StringType"}}`},
		{"scalar in a union", "com.linkedin.common.Cost", `{"cost":{"costId":1},"costType":"ORG_COST_TYPE"}`,
			`{"__type":"Cost","cost":{"costId":1},"costType":"ORG_COST_TYPE"}`},
		{"maps and arrays", "com.linkedin.dataset.DatasetProperties", `{"customProperties":{"a":"b"},"tags":["x"]}`,
			`{"__type":"DatasetProperties","customProperties":{"a":"b"},"tags":["x"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := string(jsontree.Encode(model.Tagged(namedType(t, tt.typ), tree(t, tt.in)))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWithDefaultsFillsEveryLevel(t *testing.T) {
	t.Parallel()
	a := aspect(t, "upstreamLineage")
	got := model.WithDefaults(a.Record, tree(t, `{"upstreams":[],"fineGrainedLineages":[
		{"upstreamType":"FIELD_SET","downstreamType":"FIELD"},
		{"upstreamType":"FIELD_SET","downstreamType":"FIELD","confidenceScore":0.5}]}`))
	want := `{"fineGrainedLineages":[{"confidenceScore":1.0,"downstreamType":"FIELD","upstreamType":"FIELD_SET"},` +
		`{"confidenceScore":0.5,"downstreamType":"FIELD","upstreamType":"FIELD_SET"}],"upstreams":[]}`
	if text := string(jsontree.Encode(got)); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestDefaultsAreNotShared(t *testing.T) {
	t.Parallel()
	a := aspect(t, "datasetProperties")
	first := model.WithDefaults(a.Record, model.Object{}).(model.Object)
	first["customProperties"].(model.Object)["mine"] = "1"
	second := model.WithDefaults(a.Record, model.Object{}).(model.Object)
	if got := second["customProperties"].(model.Object); len(got) != 0 {
		t.Errorf("the next value starts with %v", got)
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	v := tree(t, `{"a":{"z":1,"y":2},"list":[{"n":"p"},{},{"n":"q"}],"u":{"string":"s"},"deep":{"k":[[1],[2,3]]}}`)
	tests := []struct {
		name, path string
		want       []string
	}{
		{"the value itself", "", []string{string(jsontree.Encode(v))}},
		{"a slash alone is the value too", "/", []string{string(jsontree.Encode(v))}},
		{"a field", "/a/z", []string{"1"}},
		{"map values in key order", "/a/*", []string{"2", "1"}},
		{"map keys in order", "/a/$key", []string{`"y"`, `"z"`}},
		{"elements that have the field", "/list/*/n", []string{`"p"`, `"q"`}},
		{"a union member", "/u/string", []string{`"s"`}},
		{"nested arrays", "/deep/k/*/*", []string{"1", "2", "3"}},
		{"a field that is absent", "/b/c", nil},
		{"a field of an array", "/list/n", nil},
		{"a field of a scalar", "/a/z/q", nil},
		{"keys of an array", "/list/$key", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, e := range model.Select(v, tt.path) {
				got = append(got, string(jsontree.Encode(e)))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

const (
	bytesTypes = `[
		{"record": "x.Key", "fields": [{"name": "id", "type": "string"}]},
		{"fixed": "x.Two", "size": 2},
		{"enum": "x.Colour", "symbols": ["RED", "GREEN"]},
		{"record": "x.Note", "fields": [
			{"name": "raw", "type": "bytes", "optional": true},
			{"name": "two", "type": "x.Two", "optional": true},
			{"name": "any", "type": "union[x.Colour,x.Two,boolean,array[int],map[string,int],string]", "optional": true},
			{"name": "maps", "type": "map[string,map[string,int]]", "optional": true}]}]`
)

func TestShapesTheRegistryHasNoExampleOf(t *testing.T) {
	t.Parallel()
	r, err := load(bytesTypes, goodAspects, goodEntities)
	if err != nil {
		t.Fatal(err)
	}
	note, _ := r.Aspect("note")
	tests := []struct{ name, in, want string }{
		{"bytes", `{"raw":"a\u0000\u00ff"}`, "{\"raw\":\"a\\u0000\u00ff\"}"},
		{"bytes with a character above a byte", `{"raw":"\u0100"}`, ""},
		{"fixed", `{"two":"\u00ff\u0001"}`, "{\"two\":\"\u00ff\\u0001\"}"},
		{"fixed of another size", `{"two":"abc"}`, ""},
		{"fixed with a character above a byte", `{"two":"a\u0100"}`, ""},
		{"wrapped fixed", `{"two":{"x.Two":"ab"}}`, `{"two":"ab"}`},
		{"symbol in a union", `{"any":{"x.Colour":"RED"}}`, `{"any":{"x.Colour":"RED"}}`},
		{"bare boolean in a union", `{"any":true}`, `{"any":{"boolean":true}}`},
		{"bare array in a union", `{"any":[1,"2"]}`, `{"any":{"array":[1,2]}}`},
		{"map in a union", `{"any":{"map":{"a":1}}}`, `{"any":{"map":{"a":1}}}`},
		{"bare text in a union", `{"any":"RED"}`, `{"any":{"string":"RED"}}`},
		{"map of maps is never unwrapped", `{"maps":{"map":{"a":1}}}`, `{"maps":{"map":{"a":1}}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, out, _, err := r.ConformText(note, []byte(tt.in))
			if string(got) != tt.want || (err == nil) != (tt.want != "") {
				t.Fatalf("got %s, %v", got, err)
			}
			if err != nil {
				return
			}
			back, _, err := r.Conform(note, model.Tagged(note.Record, out))
			if err != nil || string(jsontree.Encode(back)) != tt.want {
				t.Errorf("tagged form leads to %v, %v", back, err)
			}
		})
	}
}

func TestSystemMetadataSetMakesTheMap(t *testing.T) {
	t.Parallel()
	var s model.SystemMetadata
	s.Set(model.PropertyNoOp, "true")
	s.Set("a", "b")
	if len(s.Properties) != 2 || s.Properties[model.PropertyNoOp] != "true" {
		t.Errorf("got %v", s.Properties)
	}
}

func TestChangeTypesAreKnownByName(t *testing.T) {
	t.Parallel()
	for _, c := range []model.ChangeType{model.Upsert, model.Create, model.CreateEntity, model.Update, model.Patch, model.Delete, model.Restate} {
		if !c.Valid() {
			t.Errorf("%s is not valid", c)
		}
	}
	for _, c := range []model.ChangeType{"", "upsert", "MERGE"} {
		if c.Valid() {
			t.Errorf("%q is valid", c)
		}
	}
}

func TestRecordKey(t *testing.T) {
	t.Parallel()
	rec := model.Record{URN: "urn:li:tag:a", Aspect: "status", Row: 3}
	if got, want := rec.Key(), (model.Key{URN: "urn:li:tag:a", Aspect: "status"}); got != want {
		t.Errorf("got %v", got)
	}
}
