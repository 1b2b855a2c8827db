package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// RemoveReference returns a value without its references to a URN in relationships, and the number
// of removed references. Array elements and map entries are removed as a whole if they require the
// reference; optional fields are removed. kept lists the places (JSON pointers) of references that
// cannot be removed because the value requires them; they are unchanged. The value must be
// canonical, and is not modified. The result is canonical, too.
func (a *AspectSpec) RemoveReference(value Object, target urn.URN) (without Object, removed int, kept []string) {
	r := referenceRemover{target: string(target)}
	without = value
	for _, path := range a.referencePaths() {
		steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
		changed, verdict := r.at(a.Record, without, steps, "")
		if verdict == referenceStuck {
			continue // the places are in r.kept
		}
		without = changed.(Object)
	}
	if entries, ok := without["fineGrainedLineages"].([]any); ok && r.removed > 0 {
		without = withoutOneSided(without, value, entries)
	}
	slices.Sort(r.kept)
	return without, r.removed, slices.Compact(r.kept)
}

// referencePaths returns the paths of relationships, and those of the rules for columns.
func (a *AspectSpec) referencePaths() []string {
	var paths []string
	for i := range a.Relationships {
		paths = append(paths, a.Relationships[i].Path)
	}
	switch a.Name {
	case "upstreamLineage", "dataJobInputOutput":
		paths = append(paths, "/fineGrainedLineages/*/upstreams/*")
	case inputFields:
		paths = append(paths, "/fields/*/schemaFieldUrn")
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// withoutOneSided removes column lineage that has lost its upstream side: such an entry would end
// the list for the following ones. Entries that lacked the side before stay.
func withoutOneSided(without, before Object, entries []any) Object {
	former, _ := before["fineGrainedLineages"].([]any)
	if len(former) != len(entries) {
		return without
	}
	kept := []any{}
	for i, entry := range entries {
		if len(Select(entry, "/upstreams/*")) > 0 || len(Select(former[i], "/upstreams/*")) == 0 {
			kept = append(kept, entry)
		}
	}
	return withField(without, "fineGrainedLineages", kept)
}

// referenceVerdict is the result of the removal below a place.
type referenceVerdict int

const (
	referenceFine  referenceVerdict = iota // the place stays, changed or not
	referenceGone                          // the place must be removed as a whole
	referenceStuck                         // the place should be removed and cannot; nothing is changed
)

type referenceRemover struct {
	target  string
	leaf    string // place of the last reference found
	removed int
	kept    []string
}

// at removes references along a path. The result shares unchanged parts with v.
func (r *referenceRemover) at(t *Type, v any, steps []string, pointer string) (any, referenceVerdict) {
	if len(steps) == 0 {
		if v == r.target {
			r.leaf = pointer
			return v, referenceGone
		}
		return v, referenceFine
	}
	switch t.Shape {
	case RecordShape:
		return r.record(t, v, steps, pointer)
	case Array:
		return r.array(t, v, steps, pointer)
	case Map:
		return r.mapping(t, v, steps, pointer)
	case Union:
		return r.union(t, v, steps, pointer)
	}
	return v, referenceFine
}

func (r *referenceRemover) record(t *Type, v any, steps []string, pointer string) (any, referenceVerdict) {
	o, _ := v.(Object)
	field, known := t.Field(steps[0])
	inside, there := o[steps[0]]
	if !known || !there {
		return v, referenceFine
	}
	place := pointer + "/" + escapePointer(field.Name)
	changed, verdict := r.at(field.Type, inside, steps[1:], place)
	switch {
	case verdict == referenceFine:
		return withField(o, field.Name, changed), referenceFine
	case verdict == referenceGone && !field.Required():
		r.removed++
		return withoutField(o, field.Name), referenceFine
	case verdict == referenceGone && pointer == "":
		r.kept = append(r.kept, r.leaf)
		return v, referenceStuck
	}
	return v, verdict
}

func (r *referenceRemover) array(t *Type, v any, steps []string, pointer string) (any, referenceVerdict) {
	list, _ := v.([]any)
	if steps[0] != "*" {
		return v, referenceFine
	}
	left := make([]any, 0, len(list))
	for i, e := range list {
		changed, verdict := r.at(t.Elem, e, steps[1:], pointer+"/"+strconv.Itoa(i))
		if verdict == referenceGone {
			r.removed++
			continue
		}
		left = append(left, changed)
	}
	return left, referenceFine
}

func (r *referenceRemover) mapping(t *Type, v any, steps []string, pointer string) (any, referenceVerdict) {
	o, _ := v.(Object)
	left := make(Object, len(o))
	for key, e := range o {
		changed, verdict := e, referenceFine
		switch {
		case steps[0] == "$key" && key == r.target:
			verdict = referenceGone
		case steps[0] == "*":
			changed, verdict = r.at(t.Elem, e, steps[1:], pointer+"/"+escapePointer(key))
		}
		if verdict == referenceGone {
			r.removed++
			continue
		}
		left[key] = changed
	}
	return left, referenceFine
}

func (r *referenceRemover) union(t *Type, v any, steps []string, pointer string) (any, referenceVerdict) {
	o, _ := v.(Object)
	inside, there := o[steps[0]]
	i := slices.IndexFunc(t.Members, func(m Member) bool { return m.Key == steps[0] })
	if i < 0 || !there {
		return v, referenceFine
	}
	changed, verdict := r.at(t.Members[i].Type, inside, steps[1:], pointer+"/"+escapePointer(steps[0]))
	if verdict != referenceFine {
		return v, verdict
	}
	return Object{steps[0]: changed}, referenceFine
}

func withField(o Object, name string, v any) Object {
	c := make(Object, len(o))
	for key, e := range o {
		c[key] = e
	}
	c[name] = v
	return c
}

func withoutField(o Object, name string) Object {
	c := make(Object, len(o))
	for key, e := range o {
		if key != name {
			c[key] = e
		}
	}
	return c
}

func escapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

// Refers reports whether a value refers to a URN in any relationship.
func (a *AspectSpec) Refers(value Object, target urn.URN) bool {
	for _, path := range a.referencePaths() {
		if slices.ContainsFunc(Select(value, path), func(v any) bool { return v == string(target) }) {
			return true
		}
	}
	return false
}
