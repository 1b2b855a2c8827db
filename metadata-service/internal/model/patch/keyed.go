package patch

import (
	"encoding/json"
	"iter"
	"math"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// nestedField separates the fields of a path to a key field below the top level of an element.
const nestedField = "␟"

// table is an array as an ordered map from key to element. With several key fields the elements are
// tables again, one level per field. Removed entries leave a gap, so that the cost of a change does
// not depend on the length of the array.
type table struct {
	entries []entry
	index   map[string]int
	rank    int // original position in the list, for a group of fine-grained lineage
}

type entry struct {
	key       string
	value     any
	isRemoved bool
}

func newTable() *table { return &table{index: map[string]int{}, rank: math.MaxInt} }

func (t *table) get(key string) (any, bool) {
	i, there := t.index[key]
	if !there {
		return nil, false
	}
	return t.entries[i].value, true
}

func (t *table) put(key string, v any) {
	if i, there := t.index[key]; there {
		t.entries[i].value = v
		return
	}
	t.index[key] = len(t.entries)
	t.entries = append(t.entries, entry{key: key, value: v})
}

func (t *table) remove(key string) {
	if i, there := t.index[key]; there {
		t.entries[i] = entry{isRemoved: true}
		delete(t.index, key)
	}
}

// all yields the entries in order.
func (t *table) all() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, e := range t.entries {
			if !e.isRemoved && !yield(e.key, e.value) {
				return
			}
		}
	}
}

// sub returns the table below a key, and creates it if there is none.
func (t *table) sub(key string) *table {
	v, _ := t.get(key)
	if inner, ok := v.(*table); ok {
		return inner
	}
	inner := newTable()
	t.put(key, inner)
	return inner
}

// keyNode is a place in an aspect at which, or below which, arrays have keys.
type keyNode struct {
	fields  map[string]*keyNode
	each    *keyNode // elements of the array at this place
	keyed   bool     // an array with keys is expected here
	keys    []string // empty: the elements are their own keys
	lineage bool     // fine-grained lineage with its own path form
}

func newKeyNode() *keyNode { return &keyNode{fields: map[string]*keyNode{}} }

// add creates the places of arrays. Their paths have dots between fields and * for each element.
func (n *keyNode) add(arrays map[string][]string) {
	for array, keys := range arrays {
		at := n
		for _, step := range strings.Split(array, ".") {
			at = at.step(step)
		}
		at.keyed, at.keys = true, keys
	}
}

func (n *keyNode) step(name string) *keyNode {
	if name == "*" {
		if n.each == nil {
			n.each = newKeyNode()
		}
		return n.each
	}
	if n.fields == nil {
		n.fields = map[string]*keyNode{}
	}
	if n.fields[name] == nil {
		n.fields[name] = newKeyNode()
	}
	return n.fields[name]
}

// child returns the place of a member of an object: a field of a record, or an entry of a map.
func (n *keyNode) child(name string) *keyNode {
	if n == nil {
		return nil
	}
	if field := n.fields[name]; field != nil {
		return field
	}
	return n.each
}

func (n *keyNode) element() *keyNode {
	if n == nil {
		return nil
	}
	return n.each
}

// depth returns the number of path segments from the array to an element.
func (n *keyNode) depth() int {
	if n.lineage {
		return lineageDepth
	}
	return max(len(n.keys), 1)
}

// place follows a path. If the path ends between the levels of an array with several keys, at is
// the place of the array and left the number of remaining levels.
func (n *keyNode) place(path []string) (at *keyNode, left int) {
	at = n
	for _, segment := range path {
		switch {
		case left > 0:
			left--
		case at == nil:
			return nil, 0
		case !at.keyed && !at.lineage:
			at = at.child(segment)
			continue
		default:
			left = at.depth() - 1
		}
		if left == 0 {
			at = at.element()
		}
	}
	return at, left
}

// tabulate turns the arrays with keys in v into tables.
func (n *keyNode) tabulate(v any) any {
	if n == nil {
		return v
	}
	switch v := v.(type) {
	case model.Object:
		if n.lineage || n.keyed {
			return n.tableOf(v, n.depth())
		}
		for name, e := range v {
			v[name] = n.child(name).tabulate(e)
		}
	case []any:
		switch {
		case n.lineage:
			return tabulateLineage(v)
		case n.keyed:
			return n.tabulateList(v)
		}
		for i, e := range v {
			v[i] = n.element().tabulate(e)
		}
	}
	return v
}

// tableOf converts an object in the place of an array with keys into a table. The members of the
// object are the keys.
func (n *keyNode) tableOf(o model.Object, depth int) any {
	if depth == 0 {
		return n.element().tabulate(o)
	}
	t := newTable()
	for _, key := range jsontree.Sorted(o) {
		if inner, ok := o[key].(model.Object); ok {
			t.put(key, n.tableOf(inner, depth-1))
		} else {
			t.put(key, o[key])
		}
	}
	return t
}

func (n *keyNode) tabulateList(list []any) *table {
	root := newTable()
	for _, e := range list {
		if e == nil {
			continue
		}
		key := n.keyOf(e)
		at := root
		for _, k := range key[:len(key)-1] {
			at = at.sub(k)
		}
		at.put(key[len(key)-1], n.element().tabulate(e))
	}
	return root
}

// keyOf returns the key values of an element. An absent field counts as "".
func (n *keyNode) keyOf(e any) []string {
	if len(n.keys) == 0 {
		if o, ok := e.(model.Object); ok && len(o) == 1 { // a scalar inside a union
			for _, inner := range o {
				return []string{scalar(inner)}
			}
		}
		return []string{scalar(e)}
	}
	key := make([]string, len(n.keys))
	for i, field := range n.keys {
		key[i] = scalar(lookup(e, strings.Split(field, nestedField)))
	}
	return key
}

// lookup follows field names. A bar separates alternatives in a name.
func lookup(v any, fields []string) any {
	for _, field := range fields {
		o, ok := v.(model.Object)
		if !ok {
			return nil
		}
		v = nil
		for _, name := range strings.Split(field, "|") {
			if e, there := o[name]; there {
				v = e
				break
			}
		}
	}
	return v
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// list converts tables back into arrays.
func (n *keyNode) list(v any) any {
	switch v := v.(type) {
	case *table:
		if n.lineage {
			return listLineage(v)
		}
		out := []any{}
		n.flatten(v, nil, &out)
		return out
	case model.Object:
		for name, e := range v {
			v[name] = n.child(name).list(e)
		}
	case []any:
		for i, e := range v {
			v[i] = n.element().list(e)
		}
	}
	return v
}

func (n *keyNode) flatten(t *table, above []string, out *[]any) {
	for key, e := range t.all() {
		path := append(above[:len(above):len(above)], key)
		if inner, deeper := e.(*table); deeper && len(path) < n.depth() {
			n.flatten(inner, path, out)
			continue
		}
		*out = append(*out, n.complete(n.element().list(e), path))
	}
}

// objects converts whole levels of keys into objects, in the form that tableOf accepts.
func (n *keyNode) objects(v any, left int) any {
	t, ok := v.(*table)
	if !ok {
		return v
	}
	o := make(model.Object, len(t.index))
	for key, e := range t.all() {
		if left > 1 {
			o[key] = n.objects(e, left-1)
		} else {
			o[key] = n.element().list(e)
		}
	}
	return o
}

// complete fills in key fields that the element lacks, from its path.
func (n *keyNode) complete(e any, path []string) any {
	if len(n.keys) == 0 {
		if _, ok := e.(string); ok || len(path) == 0 {
			return e
		}
		if o, ok := e.(model.Object); !ok || len(o) == 0 {
			return path[0]
		}
		return e
	}
	o, ok := e.(model.Object)
	if !ok {
		return e
	}
	for i, field := range n.keys {
		nested := strings.Contains(field, nestedField)
		if _, there := o[field]; !there && !nested && i < len(path) && path[i] != "" {
			o[field] = path[i]
		}
	}
	return o
}
