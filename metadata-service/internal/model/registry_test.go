package model_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

func TestRegistryIsComplete(t *testing.T) {
	t.Parallel()
	r := registry(t)
	got := map[string]int{"entity types": len(r.Entities()), "aspects": len(r.Aspects())}
	for _, a := range r.Aspects() {
		if a.IsKey {
			got["key aspects"]++
		}
		if a.Timeseries {
			got["time-series aspects"]++
		}
		got["search fields"] += len(a.Search)
		got["search references"] += len(a.SearchReferences)
		got["relationships"] += len(a.Relationships)
		got["URN rules"] += len(a.URNs)
		got["stats"] += len(a.Stats)
		got["collections"] += len(a.Collections)
		if a.Patch != nil {
			got["patch templates"]++
		}
	}
	want := map[string]int{
		"entity types": 72, "aspects": 269, "key aspects": 72, "time-series aspects": 12,
		"search fields": 602, "search references": 1, "relationships": 149, "URN rules": 25,
		"stats": 61, "collections": 6, "patch templates": 24,
	}
	for what, n := range want {
		if got[what] != n {
			t.Errorf("%s: got %d, want %d", what, got[what], n)
		}
	}
}

func TestEveryTypeRowIsReachable(t *testing.T) {
	t.Parallel()
	r := registry(t)
	names, err := fs.Glob(os.DirFS("registry"), "types/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no type files: %v", err)
	}
	rows := 0
	for _, name := range names {
		data, err := os.ReadFile("registry/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var list []struct{ Record, Enum, Alias, Fixed string }
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatalf("%s: %s", name, err)
		}
		rows += len(list)
		for _, row := range list {
			full := row.Record + row.Enum + row.Alias + row.Fixed
			if typ, ok := r.Type(full); !ok || typ.Shape == 0 {
				t.Errorf("%s: no aspect leads to %s", name, full)
			}
		}
	}
	if types := r.Types(); len(types) != rows || !slices.IsSorted(types) {
		t.Errorf("Types lists %d names, sorted %t; the files have %d rows", len(types), slices.IsSorted(types), rows)
	}
}

func TestEveryEntityTypeIsConsistent(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, e := range r.Entities() {
		if e.Key == nil || !e.Key.IsKey || e.Aspects[0] != e.Key {
			t.Errorf("%s: the key aspect is not the first", e.Name)
		}
		if len(e.All()) != len(e.Aspects)+len(e.Timeseries) {
			t.Errorf("%s: All lists %d aspects", e.Name, len(e.All()))
		}
		for _, a := range e.All() {
			if found, ok := e.Aspect(a.Name); !ok || found != a {
				t.Errorf("%s: aspect %s is not found by name", e.Name, a.Name)
			}
			if !slices.Contains(a.Entities, e.Name) {
				t.Errorf("%s: aspect %s does not name the type", e.Name, a.Name)
			}
		}
		for _, name := range e.ServerDefaults {
			if _, ok := e.Aspect(name); !ok {
				t.Errorf("%s: default aspect %s is none of its aspects", e.Name, name)
			}
		}
		if e.Snapshot == nil {
			continue
		}
		if found, ok := r.Snapshot(e.Snapshot.Record); !ok || found != e {
			t.Errorf("%s: not found by its snapshot record %s", e.Name, e.Snapshot.Record)
		}
		for _, name := range e.Snapshot.Aspects {
			if _, ok := e.Aspect(name); !ok {
				t.Errorf("%s: snapshot names %s, which is none of its aspects", e.Name, name)
			}
		}
	}
}

func TestEveryExampleIsTheURNOfItsKey(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, e := range r.Entities() {
		u, spec, err := r.Resolve(e.Example)
		if err != nil || spec != e {
			t.Errorf("%s: example: %v", e.Name, err)
			continue
		}
		if err := model.CheckWritable(u, e); err != nil {
			t.Errorf("%s: example: %v", e.Name, err)
		}
		key := e.KeyValue(u)
		conformed, _, err := r.Conform(e.Key, jsontree.Clone(key))
		if err != nil || !jsontree.Equal(conformed, key) {
			t.Errorf("%s: key %v does not conform: %v", e.Name, key, err)
		}
		if back, err := e.URNOf(key); err != nil || back != u {
			t.Errorf("%s: key gives %q (%v), want %q", e.Name, back, err, u)
		}
	}
}

func TestRelationshipsAndRulesNameKnownEntityTypes(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		var names []string
		for _, rel := range a.Relationships {
			names = append(names, rel.To...)
			if rel.Name == "" || len(rel.To) == 0 || !slices.Contains([]string{"", "upstream", "downstream"}, rel.Lineage) {
				t.Errorf("%s: relationship %+v is not complete", a.Name, rel)
			}
		}
		for _, rule := range a.URNs {
			names = append(names, rule.EntityTypes...)
		}
		for _, name := range names {
			if e, ok := r.Entity(name); !ok || e.Name != name {
				t.Errorf("%s: %s is no entity type", a.Name, name)
			}
		}
	}
}

func TestLookups(t *testing.T) {
	t.Parallel()
	r := registry(t)
	if e, ok := r.Entity("DATASET"); !ok || e.Name != "dataset" {
		t.Error("entity types are found ignoring case")
	}
	if _, ok := r.Entity("datasets"); ok {
		t.Error("an unknown entity type is found")
	}
	if _, ok := r.Aspect("Status"); ok {
		t.Error("aspect names are exact")
	}
	dataset := entity(t, "dataset")
	if _, ok := dataset.Aspect("globaltags"); ok {
		t.Error("Aspect must be exact")
	}
	if a, ok := dataset.AspectFold("GlobalTAGS"); !ok || a.Name != "globalTags" {
		t.Error("AspectFold must ignore case")
	}
	if _, ok := dataset.AspectFold("chartInfo"); ok {
		t.Error("an aspect of another entity type is found")
	}
	for _, name := range []string{"com.linkedin.common.Status", "com.linkedin.pegasus2avro.common.Status"} {
		if a, ok := r.AspectByRecord(name); !ok || a.Name != "status" {
			t.Errorf("no aspect for record %s", name)
		}
	}
	if e, ok := r.Snapshot("com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot"); !ok || e != dataset {
		t.Error("no entity type for the dataset snapshot")
	}
}

func TestRecordsOfAspectsAreUnique(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		if found, ok := r.AspectByRecord(a.Record.Name); !ok || found != a {
			t.Errorf("record %s of %s belongs to another aspect too", a.Record.Name, a.Name)
		}
	}
}

// Defaults are returned unchanged from the registry, so they must be canonical.
func TestEveryDefaultIsCanonical(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, name := range r.Types() {
		typ, _ := r.Type(name)
		for _, f := range typ.Fields {
			if !f.HasDefault {
				continue
			}
			want := string(jsontree.Encode(f.Default))
			out, err := r.ConformType(f.Type, name+"."+f.Name, jsontree.Clone(f.Default))
			if err != nil {
				t.Errorf("default %s: %s", want, err)
			} else if got := string(jsontree.Encode(out)); got != want {
				t.Errorf("%s.%s: default is %s, canonical would be %s", name, f.Name, want, got)
			}
		}
	}
}
