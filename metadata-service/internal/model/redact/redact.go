// Package redact removes URNs that an actor must not see from aspect values. It does not decide
// about URNs: the caller provides that decision.
//
// Every string that is a URN counts, regardless of its type in the model, and so do keys of maps: a
// structured property or a browse path holds URNs in plain strings. The URNs in a string that is a
// JSON object or array count as well, such as in the definition of a metadata test. URNs inside
// other texts, such as SQL or documentation, do not count.
package redact

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// identities lists, by record, the members that identify the subject of the record although the
// model does not require them. Without them the rest of the record would describe the hidden
// entity, or change its meaning.
var identities = map[string][]string{
	"com.linkedin.common.BrowsePathEntry":     {"urn"},
	"com.linkedin.dataset.FineGrainedLineage": {"upstreams", "downstreams"},
}

// labels lists, by record, the members that repeat the name of the record's subject.
var labels = map[string][]string{"com.linkedin.common.BrowsePathEntry": {"id"}}

// auditStamp is the record with the actor of a write. The actor is required, and so are many
// stamps, so a hidden actor is replaced by the unknown one.
const auditStamp = "com.linkedin.common.AuditStamp"

// URNs calls visit for each URN in a JSON tree.
func URNs(value any, visit func(urn.URN)) {
	w := walk{visit: visit}
	w.value(value)
}

// Places calls visit for each URN in a JSON tree with its place: the names of the members on the
// path, separated by slashes. All entries of a list have the same place, except objects with a
// member that defines the meaning of their values, such as the property that has them.
func Places(value any, visit func(place string, u urn.URN)) {
	w := walk{}
	w.visit = func(u urn.URN) { visit(strings.Join(w.names, "/"), u) }
	w.value(value)
}

// LabelPlaces returns the places next to a place that repeat the name of its entity. Replace
// replaces them as well.
func LabelPlaces(place string) []string {
	at := strings.LastIndexByte(place, '/') + 1
	var places []string
	for record, names := range labels {
		if slices.Contains(identities[record], place[at:]) {
			for _, name := range names {
				places = append(places, place[:at]+name)
			}
		}
	}
	return places
}

type walk struct {
	visit func(urn.URN)
	names []string // of the members on the path
}

func (w *walk) value(value any) {
	switch v := value.(type) {
	case string:
		if urn.Looks(v) {
			w.visit(urn.URN(v))
		} else if tree, ok := treeOf(v); ok {
			w.below("{}", tree) // the text is a place of its own
		}
	case []any:
		for _, e := range v {
			w.value(e)
		}
	case jsontree.Object:
		meaning := meaningText(v)
		for key, e := range v {
			if urn.Looks(key) {
				w.visit(urn.URN(key))
			}
			w.below(key+meaning, e)
		}
	}
}

// meaningMembers lists members that define the meaning of other members of their object: the
// property of the values, and the operands of a condition.
var meaningMembers = []string{"propertyUrn", "field", "property", "condition", "operator"}

// meaningText concatenates the texts of the meaningMembers of an object. The result is empty if it
// has none.
func meaningText(v jsontree.Object) string {
	var b strings.Builder
	for _, name := range meaningMembers {
		if text, ok := v[name].(string); ok {
			b.WriteString(" " + name + "=" + text)
		}
	}
	return b.String()
}

func (w *walk) below(name string, value any) {
	w.names = append(w.names, name)
	w.value(value)
	w.names = w.names[:len(w.names)-1]
}

// treeOf decodes a string that is a JSON object or array with a URN in it. Each level of nested
// strings doubles the backslashes, so a text has few levels.
func treeOf(text string) (tree any, ok bool) {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") || !strings.Contains(trimmed, `"urn:li:`) {
		return nil, false
	}
	tree, err := jsontree.Decode([]byte(text))
	return tree, err == nil
}

// names reports whether a JSON tree has a URN for which kind is true.
func names(tree any, kind func(urn.URN) bool) (found bool) {
	URNs(tree, func(u urn.URN) { found = found || kind(u) })
	return found
}

// Mentions reports whether a JSON text can contain a URN. It costs a fraction of decoding.
func Mentions(text []byte) bool { return bytes.Contains(text, urnStart) }

var urnStart = []byte(`"urn:li:`)

// Records returns the records of the model with special rules.
func Records() []string {
	return slices.Sorted(maps.Keys(identities))
}

// Omit removes hidden URNs from an aspect value, in place. It removes the smallest possible part
// with each URN: an optional member, or an entry of a list or map. It returns nil if a required
// member of the aspect is hidden, so that nothing of it can be shown.
func Omit(spec *model.AspectSpec, value model.Object, hidden func(urn.URN) bool) model.Object {
	o := omission{hidden}
	if !o.record(spec.Record, value) {
		return nil
	}
	return value
}

type omission struct{ hidden func(urn.URN) bool }

// keeps removes hidden URNs from a value and reports whether the value can be shown. t is nil for
// values that the model does not define.
func (o omission) keeps(t *model.Type, value any) (any, bool) {
	switch v := value.(type) {
	case string:
		if tree, ok := treeOf(v); ok && names(tree, o.hidden) {
			tree, _ = o.keeps(nil, tree)
			return string(jsontree.Encode(tree)), true
		}
		return v, !urn.Looks(v) || !o.hidden(urn.URN(v))
	case []any:
		var elem *model.Type
		if t != nil {
			elem = t.Elem
		}
		kept := v[:0]
		for _, e := range v {
			if e, ok := o.keeps(elem, e); ok {
				kept = append(kept, e)
			}
		}
		return kept, true
	case jsontree.Object:
		return v, o.object(t, v)
	}
	return value, true
}

func (o omission) object(t *model.Type, v jsontree.Object) bool {
	switch {
	case t != nil && t.Shape == model.RecordShape:
		return o.record(t, v)
	case t != nil && t.Shape == model.Union:
		for i := range t.Members {
			if e, ok := v[t.Members[i].Key]; ok {
				kept, ok := o.keeps(t.Members[i].Type, e)
				v[t.Members[i].Key] = kept
				return ok
			}
		}
	}
	var elem *model.Type
	if t != nil && t.Shape == model.Map {
		elem = t.Elem
	}
	for key, e := range v {
		kept, ok := o.keeps(elem, e)
		if !ok || urn.Looks(key) && o.hidden(urn.URN(key)) {
			delete(v, key)
			continue
		}
		v[key] = kept
	}
	return true
}

func (o omission) record(t *model.Type, v jsontree.Object) bool {
	for name, e := range v {
		field, known := t.Field(name)
		kept, ok := o.keeps(field.Type, e)
		identifies := slices.Contains(identities[t.Name], name)
		switch {
		case !ok && t.Name == auditStamp && name == "actor":
			v[name] = string(model.UnknownActor)
		case !ok && (known && field.Required() || identifies):
			return false
		case !ok:
			delete(v, name)
		case identifies && lostAllEntries(e, kept):
			return false
		default:
			v[name] = kept
		}
	}
	return true
}

// lostAllEntries reports whether a list has lost all of its entries.
func lostAllEntries(before, after any) bool {
	was, _ := before.([]any)
	is, isList := after.([]any)
	return isList && len(was) > 0 && len(is) == 0
}

// Replace replaces hidden URNs in a JSON tree, in place, and returns the new value. with returns
// the replacement, and false for a URN that stays. t is the type of the value, nil for values that
// the model does not define.
func Replace(t *model.Type, value any, with func(urn.URN) (urn.URN, bool)) any {
	switch v := value.(type) {
	case string:
		if urn.Looks(v) {
			if other, ok := with(urn.URN(v)); ok {
				return string(other)
			}
		} else if tree, ok := treeOf(v); ok {
			replaced := false
			tree = Replace(nil, tree, func(u urn.URN) (urn.URN, bool) {
				other, ok := with(u)
				replaced = replaced || ok
				return other, ok
			})
			if replaced {
				return string(jsontree.Encode(tree))
			}
		}
	case []any:
		var elem *model.Type
		if t != nil {
			elem = t.Elem
		}
		for i, e := range v {
			v[i] = Replace(elem, e, with)
		}
	case jsontree.Object:
		replaceMembers(t, v, with)
	}
	return value
}

func replaceMembers(t *model.Type, v jsontree.Object, with func(urn.URN) (urn.URN, bool)) {
	if t != nil && t.Shape == model.RecordShape {
		replaceLabels(t, v, with)
	}
	for key, e := range v {
		replaced := Replace(memberType(t, key), e, with)
		if urn.Looks(key) {
			if other, ok := with(urn.URN(key)); ok {
				delete(v, key)
				key = string(other)
			}
		}
		v[key] = replaced
	}
}

// replaceLabels replaces the members that repeat the name of a replaced URN.
func replaceLabels(t *model.Type, v jsontree.Object, with func(urn.URN) (urn.URN, bool)) {
	for _, name := range identities[t.Name] {
		text, _ := v[name].(string)
		other, ok := with(urn.URN(text))
		if !ok || !urn.Looks(text) {
			continue
		}
		for _, label := range labels[t.Name] {
			if _, there := v[label]; there {
				v[label] = string(other)
			}
		}
	}
}

// memberType returns the type of a member of an object, nil for members that the model does not
// define.
func memberType(t *model.Type, key string) *model.Type {
	if t == nil {
		return nil
	}
	switch t.Shape {
	case model.RecordShape:
		field, _ := t.Field(key)
		return field.Type
	case model.Map:
		return t.Elem
	case model.Union:
		if i := slices.IndexFunc(t.Members, func(m model.Member) bool { return m.Key == key }); i >= 0 {
			return t.Members[i].Type
		}
	}
	return nil
}
