package model

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"
)

//go:embed registry
var registryFiles embed.FS

// Registry holds the whole model. It is immutable and safe for concurrent use.
type Registry struct {
	entities []*EntitySpec
	byName   map[string]*EntitySpec // by name in lower case
	aspects  []*AspectSpec
	aspect   map[string]*AspectSpec
	record   map[string]*AspectSpec
	snapshot map[string]*EntitySpec
	types    map[string]*Type

	softDelete *AspectSpec
}

// Load returns the registry that is built into the binary. It is parsed once. An error is a defect
// of its data.
func Load() (*Registry, error) { return load() }

// load is safe for concurrent use. All callers share one registry, which is immutable.
var load = sync.OnceValues(func() (*Registry, error) {
	sub, err := fs.Sub(registryFiles, "registry")
	if err != nil {
		return nil, err
	}
	return LoadFrom(sub)
})

// LoadFrom reads a registry from files: types/*.json, aspects/*.json, entities.json.
func LoadFrom(files fs.FS) (*Registry, error) {
	ts := newTypes()
	if err := eachRow(files, "types/*.json", ts.add); err != nil {
		return nil, err
	}
	r := &Registry{
		byName: map[string]*EntitySpec{}, aspect: map[string]*AspectSpec{},
		record: map[string]*AspectSpec{}, snapshot: map[string]*EntitySpec{},
	}
	if err := eachRow(files, "aspects/*.json", func(row aspectRow) error { return r.addAspect(ts, row) }); err != nil {
		return nil, err
	}
	if err := eachRow(files, "entities.json", func(row entityRow) error { return r.addEntity(ts, row) }); err != nil {
		return nil, err
	}
	slices.SortFunc(r.aspects, func(a, b *AspectSpec) int { return strings.Compare(a.Name, b.Name) })
	r.types = ts.known
	return r, r.finish()
}

// Entity finds an entity type by name, ignoring case.
func (r *Registry) Entity(name string) (*EntitySpec, bool) {
	e, ok := r.byName[name]
	if !ok {
		e, ok = r.byName[lower(name)]
	}
	return e, ok
}

// Entities returns the entity types in the order of the registry. The slice must not be modified.
func (r *Registry) Entities() []*EntitySpec { return r.entities }

// Aspect finds an aspect by its exact name.
func (r *Registry) Aspect(name string) (*AspectSpec, bool) {
	a, ok := r.aspect[name]
	return a, ok
}

// Aspects returns all aspects ordered by name. The slice must not be modified.
func (r *Registry) Aspects() []*AspectSpec { return r.aspects }

// AspectByRecord finds an aspect by the name of its record, with or without the
// pegasus2avro segment.
func (r *Registry) AspectByRecord(name string) (*AspectSpec, bool) {
	a, ok := r.record[StripAvro(name)]
	return a, ok
}

// Snapshot finds the entity type of a snapshot record by its full name.
func (r *Registry) Snapshot(record string) (*EntitySpec, bool) {
	e, ok := r.snapshot[StripAvro(record)]
	return e, ok
}

// SoftDelete returns the aspect that marks entities as soft-deleted. Its field SoftDelete is the
// name of the member.
func (r *Registry) SoftDelete() *AspectSpec { return r.softDelete }

// Type finds a record, enum or typeref by its full name.
func (r *Registry) Type(name string) (*Type, bool) {
	t, ok := r.types[name]
	return t, ok
}

// Types returns the names of all types, sorted.
func (r *Registry) Types() []string {
	names := make([]string, 0, len(r.types))
	for name := range r.types {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// StripAvro removes the pegasus2avro segment of a type name.
func StripAvro(name string) string { return strings.Replace(name, ".pegasus2avro.", ".", 1) }

func lower(s string) string { return strings.ToLower(s) }

type entityRow struct {
	Name, Category, SearchGroup, KeyAspect, Example string
	ViewUnrestricted                                bool
	ServerDefaults, Aspects, Timeseries             []string
	KeyParts                                        []struct {
		Name, Type string
		Optional   bool
	}
	Snapshot *SnapshotSpec
}

type aspectRow struct {
	Name, Record                                 string
	Timeseries, Key, Deprecated, Secret, Managed bool
	SchemaVersion                                int64
	Encrypted                                    []string
	SoftDelete                                   string
	Search                                       []SearchField
	Relationships                                []Relationship
	SearchReferences                             []SearchReference
	URNs                                         []URNRule
	Stats                                        []Stat
	Collections                                  []Collection
	Patch                                        *PatchTemplate
}

// eachRow reads every matching file as an array of rows and refuses unknown members.
func eachRow[T any](files fs.FS, pattern string, use func(T) error) error {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		var rows []T
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		d.DisallowUnknownFields()
		if err := d.Decode(&rows); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("%s: more text after the rows", name)
		}
		for _, row := range rows {
			if err := use(row); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func (r *Registry) addAspect(ts *types, row aspectRow) error {
	record, err := ts.parse(row.Record)
	if err != nil {
		return fmt.Errorf("aspect %s: %w", row.Name, err)
	}
	if record.Shape != RecordShape {
		return fmt.Errorf("aspect %s: %s is no record", row.Name, row.Record)
	}
	a := &AspectSpec{
		Name: row.Name, Record: record, Timeseries: row.Timeseries, IsKey: row.Key, SchemaVersion: max(row.SchemaVersion, 1),
		Deprecated: row.Deprecated, Secret: row.Secret, Managed: row.Managed, Encrypted: row.Encrypted, SoftDelete: row.SoftDelete, Search: row.Search,
		Relationships: row.Relationships, SearchReferences: row.SearchReferences, URNs: row.URNs,
		Stats: row.Stats, Collections: row.Collections, Patch: row.Patch,
	}
	if a.SoftDelete != "" {
		if r.softDelete != nil {
			return fmt.Errorf("aspect %s: softDelete: %s marks soft deletion already", row.Name, r.softDelete.Name)
		}
		r.softDelete = a
	}
	for _, path := range a.Encrypted {
		if !encryptable(record, path) {
			return fmt.Errorf("aspect %s: encrypted: %s leads to no text in members of records", row.Name, path)
		}
	}
	if r.aspect[a.Name] != nil {
		return fmt.Errorf("aspect %s is there twice", a.Name)
	}
	if other := r.record[row.Record]; other != nil {
		return fmt.Errorf("aspect %s: %s is the record of %s already", a.Name, row.Record, other.Name)
	}
	r.aspects = append(r.aspects, a)
	r.aspect[a.Name] = a
	r.record[row.Record] = a
	return nil
}

func (r *Registry) addEntity(ts *types, row entityRow) error {
	e := &EntitySpec{
		Name: row.Name, Category: row.Category, SearchGroup: row.SearchGroup, ViewUnrestricted: row.ViewUnrestricted,
		Example: row.Example, ServerDefaults: row.ServerDefaults, Snapshot: row.Snapshot, aspects: map[string]*AspectSpec{},
	}
	if r.byName[lower(e.Name)] != nil {
		return fmt.Errorf("entity type %s is there twice", e.Name)
	}
	for _, part := range row.KeyParts {
		t, err := ts.parse(part.Type)
		if err != nil {
			return fmt.Errorf("entity type %s: key part %s: %w", e.Name, part.Name, err)
		}
		e.KeyParts = append(e.KeyParts, KeyPart{Name: part.Name, Type: t})
	}
	for _, name := range slices.Concat([]string{row.KeyAspect}, row.Aspects, row.Timeseries) {
		a := r.aspect[name]
		if a == nil {
			return fmt.Errorf("entity type %s: aspect %s is not in the registry", e.Name, name)
		}
		if e.aspects[name] != nil {
			return fmt.Errorf("entity type %s: aspect %s is there twice", e.Name, name)
		}
		a.Entities = append(a.Entities, e.Name)
		e.aspects[name], e.aspects[lower(name)] = a, a
		if a.Timeseries {
			e.Timeseries = append(e.Timeseries, a)
			continue
		}
		e.Aspects = append(e.Aspects, a)
	}
	if len(e.Aspects) == 0 || len(e.KeyParts) == 0 {
		return fmt.Errorf("entity type %s: needs a versioned key aspect and key parts", e.Name)
	}
	e.Key = e.Aspects[0]
	r.entities = append(r.entities, e)
	r.byName[e.Name], r.byName[lower(e.Name)] = e, e
	if e.Snapshot != nil {
		r.snapshot[e.Snapshot.Record] = e
	}
	return nil
}

// finish checks rules that need the complete registry, and compiles the rules for validation.
func (r *Registry) finish() error {
	if len(r.entities) == 0 {
		return errors.New("entities.json: names no entity types")
	}
	for _, a := range r.aspects {
		if len(a.Entities) == 0 {
			return fmt.Errorf("aspect %s is on no entity type", a.Name)
		}
		rules, err := compileRules(a)
		if err != nil {
			return fmt.Errorf("aspect %s: %w", a.Name, err)
		}
		a.rules = rules
	}
	for _, e := range r.entities {
		if !e.Key.IsKey {
			return fmt.Errorf("entity type %s: %s is no key aspect", e.Name, e.Key.Name)
		}
		for _, part := range e.KeyParts {
			if _, ok := e.Key.Record.Field(part.Name); !ok {
				return fmt.Errorf("entity type %s: key record has no field %s", e.Name, part.Name)
			}
		}
	}
	return r.conformDefaults()
}

// conformDefaults makes the defaults of fields canonical, so that a value completed with defaults
// is canonical, too.
func (r *Registry) conformDefaults() error {
	for name, t := range r.types {
		for i := range t.Fields {
			f := &t.Fields[i]
			if !f.HasDefault {
				continue
			}
			value, err := r.ConformType(f.Type, "default of "+name+"."+f.Name, f.Default)
			if err != nil {
				return err
			}
			f.Default = value
		}
	}
	return nil
}
