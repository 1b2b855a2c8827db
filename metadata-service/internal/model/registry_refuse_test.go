package model_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

const (
	goodTypes = `[
		{"record": "x.Key", "fields": [{"name": "id", "type": "string"}]},
		{"record": "x.Note", "fields": [{"name": "text", "type": "string"}, {"name": "next", "type": "x.Note", "optional": true}]}]`
	goodAspects = `[
		{"name": "thingKey", "record": "x.Key", "key": true},
		{"name": "note", "record": "x.Note"}]`
	goodEntities = `[{"name": "thing", "keyAspect": "thingKey", "keyParts": [{"name": "id", "type": "string"}], "aspects": ["note"]}]`
)

func load(types, aspects, entities string) (*model.Registry, error) {
	return model.LoadFrom(fstest.MapFS{
		"types/all.json":   {Data: []byte(types)},
		"aspects/all.json": {Data: []byte(aspects)},
		"entities.json":    {Data: []byte(entities)},
	})
}

func TestSmallRegistryLoads(t *testing.T) {
	t.Parallel()
	r, err := load(goodTypes, goodAspects, goodEntities)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := r.Aspect("note")
	text, _, _, err := r.ConformText(a, []byte(`{"text": "a", "next": {"text": "b", "next": null}}`))
	if err != nil || string(text) != `{"next":{"text":"b"},"text":"a"}` {
		t.Errorf("got %s, %v", text, err)
	}
	if a.SchemaVersion != 1 {
		t.Errorf("schema version is %d when absent, want 1", a.SchemaVersion)
	}
}

func TestBadRegistriesAreRefused(t *testing.T) {
	t.Parallel()
	edit := func(text, old, with string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %s", text, old)
		}
		return strings.Replace(text, old, with, 1)
	}
	tests := []struct {
		name                     string
		types, aspects, entities string
		want                     string // part of the error
	}{
		{"unknown member of a type", edit(goodTypes, `"fields"`, `"colour": 1, "fields"`), goodAspects, goodEntities, `unknown field "colour"`},
		{"unknown member of an aspect", goodTypes, edit(goodAspects, `"key"`, `"kee"`), goodEntities, `unknown field "kee"`},
		{"unknown member of an entity type", goodTypes, goodAspects, edit(goodEntities, `"aspects"`, `"aspect"`), `unknown field "aspect"`},
		{"file that is no JSON", `[`, goodAspects, goodEntities, "types/all.json"},
		{"text after the rows", goodTypes + "[]", goodAspects, goodEntities, "more text"},
		{"type without a name", edit(goodTypes, `"record": "x.Note"`, `"record": ""`), goodAspects, goodEntities, "name"},
		{"type that is there twice", edit(goodTypes, `"x.Note", "fields"`, `"x.Key", "fields"`), goodAspects, goodEntities, "x.Key is there twice"},
		{"aspect that is there twice", goodTypes, edit(goodAspects, `"note"`, `"thingKey"`), goodEntities, "thingKey is there twice"},
		{"record that makes two aspects", goodTypes, edit(goodAspects, `"x.Note"`, `"x.Key"`), goodEntities, "x.Key"},
		{"entity type that is there twice", goodTypes, goodAspects, edit(goodEntities, `}]`, `}], "aspects": []}, {"name": "Thing", "keyAspect": "thingKey", "keyParts": [{"name": "id", "type": "string"}]`), "Thing is there twice"},
		{"aspect that an entity type lists twice", goodTypes, goodAspects, edit(goodEntities, `["note"]`, `["note", "note"]`), "note"},
		{"field of a missing type", edit(goodTypes, `"type": "x.Note"`, `"type": "x.Gone"`), goodAspects, goodEntities, "x.Note.next: type x.Gone is not in the registry"},
		{"field that is there twice", edit(goodTypes, `"next"`, `"text"`), goodAspects, goodEntities, "text"},
		{"type expression that is not understood", edit(goodTypes, `"type": "x.Note"`, `"type": "list[string]"`), goodAspects, goodEntities, "list[string] is not understood"},
		{"array of a missing type", edit(goodTypes, `"type": "x.Note"`, `"type": "array[x.Gone]"`), goodAspects, goodEntities, "x.Gone"},
		{"map of a missing type", edit(goodTypes, `"type": "x.Note"`, `"type": "map[string,x.Gone]"`), goodAspects, goodEntities, "x.Gone"},
		{"union of a missing type", edit(goodTypes, `"type": "x.Note"`, `"type": "union[string,x.Gone]"`), goodAspects, goodEntities, "x.Gone"},
		{"alias of itself", edit(goodTypes, `{"record": "x.Note"`, `{"alias": "x.A", "of": "array[x.A]"}, {"record": "x.Note"`), edit(goodAspects, `"x.Note"`, `"x.A"`), goodEntities, "x.A"},
		{"aspect of a missing record", goodTypes, edit(goodAspects, `"x.Note"`, `"x.Gone"`), goodEntities, "aspect note: type x.Gone is not in the registry"},
		{"aspect that is no record", goodTypes, edit(goodAspects, `"x.Note"`, `"string"`), goodEntities, "string is no record"},
		{"aspect of no entity type", goodTypes, goodAspects, edit(goodEntities, `["note"]`, `[]`), "note is on no entity type"},
		{"aspect that is missing", goodTypes, goodAspects, edit(goodEntities, `["note"]`, `["note", "gone"]`), "aspect gone is not in the registry"},
		{"entity type without a key aspect", goodTypes, goodAspects, edit(goodEntities, `"keyAspect": "thingKey", `, ``), "entity type thing"},
		{"key aspect that is a time series", goodTypes, edit(goodAspects, `"key"`, `"timeseries": true, "key"`), edit(goodEntities, `["note"]`, `[]`), "entity type thing"},
		{"key aspect that is none", goodTypes, edit(goodAspects, `, "key": true`, ``), goodEntities, "thingKey is no key aspect"},
		{"entity type without key parts", goodTypes, goodAspects, edit(goodEntities, `{"name": "id", "type": "string"}`, ``), "key parts"},
		{"key part that the record lacks", goodTypes, goodAspects, edit(goodEntities, `"id"`, `"name"`), "key record has no field name"},
		{"key part of a missing type", goodTypes, goodAspects, edit(goodEntities, `"type": "string"`, `"type": "x.Gone"`), "key part id: type x.Gone"},
		{"default that breaks its type", edit(goodTypes, `"type": "string"}, {"name": "next"`, `"type": "int", "default": "x"}, {"name": "next"`), goodAspects, goodEntities, "default of x.Note.text"},
		{"path without a slash", goodTypes, edit(goodAspects, `"x.Note"`, `"x.Note", "relationships": [{"path": "text", "name": "N"}]`), goodEntities, `path "text" must start with a slash`},
		{"rule path without a slash", goodTypes, edit(goodAspects, `"x.Note"`, `"x.Note", "urns": [{"path": "text"}]`), goodEntities, `path "text" must start with a slash`},
		{"no files", ``, ``, ``, "types/all.json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := load(tt.types, tt.aspects, tt.entities)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestRegistryWithoutEntityTypesIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := model.LoadFrom(fstest.MapFS{}); err == nil {
		t.Error("an empty folder loads")
	}
}
