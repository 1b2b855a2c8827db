package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// maxCopied limits the total size of the copies and moves of one patch, in bytes with nodeCost for
// each node: a copy of the root into itself doubles it.
const (
	maxCopied = 16 << 20
	nodeCost  = 64
)

var errGrowth = errors.New("copies and moves add up to too much; split the patch")

// budget holds the remaining work that the operations of a patch may cause: copied nodes, see
// maxCopied, and moved array elements, see maxMoved.
type budget struct{ copied, moved int }

// move charges for the elements behind a path, if the path ends in an array without keys.
func (b *budget) move(root any, path []string) error {
	if len(path) == 0 {
		return nil
	}
	parent, _ := get(root, path[:len(path)-1])
	list, ok := parent.([]any)
	if !ok {
		return nil
	}
	if i, err := strconv.Atoi(path[len(path)-1]); err == nil && i >= 0 && i < len(list) {
		if b.moved -= len(list) - i; b.moved < 0 {
			return errGrowth
		}
	}
	return nil
}

// apply applies one operation and returns the new root. Copies and moves are charged to the budget.
func (op Operation) apply(root any, keys *keyNode, left *budget) (any, error) {
	switch op.Op {
	case "add":
		if err := left.move(root, op.Path); err != nil {
			return nil, err
		}
		return set(root, keys, op.Path, valueAt(keys, op.Path, jsontree.Clone(op.Value)), true)
	case "replace":
		if _, ok := get(root, op.Path); !ok {
			return nil, fmt.Errorf("replace: nothing at %s", pointerText(op.Path))
		}
		return set(root, keys, op.Path, valueAt(keys, op.Path, jsontree.Clone(op.Value)), false)
	case "remove":
		if err := left.move(root, op.Path); err != nil {
			return nil, err
		}
		return removeAt(root, keys, op.Path)
	case "test":
		return root, op.test(root, keys)
	}
	v, err := op.source(root, keys, &left.copied)
	if err != nil {
		return nil, err
	}
	if op.Op == "move" {
		if err := left.move(root, op.From); err != nil {
			return nil, err
		}
		if root, err = removeAt(root, keys, op.From); err != nil {
			return nil, err
		}
	}
	if err := left.move(root, op.Path); err != nil {
		return nil, err
	}
	return set(root, keys, op.Path, valueAt(keys, op.Path, v), true)
}

// source copies the source of a move or copy, without tables, since the keys of the destination may
// differ.
func (op Operation) source(root any, keys *keyNode, budget *int) (any, error) {
	v, ok := get(root, op.From)
	if !ok {
		return nil, fmt.Errorf("%s: nothing at %s", op.Op, pointerText(op.From))
	}
	if op.Op == "move" && len(op.Path) > len(op.From) && slices.Equal(op.Path[:len(op.From)], op.From) {
		return nil, fmt.Errorf("move: %s lies inside %s", pointerText(op.Path), pointerText(op.From))
	}
	if v = cloneNode(v, budget); *budget < 0 {
		return nil, errGrowth
	}
	at, left := keys.place(op.From)
	if left > 0 {
		return at.objects(v, left), nil
	}
	return at.list(v), nil
}

// valueAt converts arrays in v into tables where the place has keys, in place. Objects for whole
// levels of keys are left to setInTable.
func valueAt(keys *keyNode, path []string, v any) any {
	at, left := keys.place(path)
	if left > 0 {
		return v
	}
	return at.tabulate(v)
}

func (op Operation) test(root any, keys *keyNode) error {
	v, ok := get(root, op.Path)
	if ok && jsontree.Equal(plain(v), plain(valueAt(keys, op.Path, jsontree.Clone(op.Value)))) {
		return nil
	}
	return fmt.Errorf("test: the value at %s is another one", pointerText(op.Path))
}

// plain converts a node with tables into a comparable tree: the order of tables does not count, and
// numbers are compared by value.
func plain(v any) any {
	switch v := v.(type) {
	case *table:
		o := make(model.Object, len(v.index))
		for key, e := range v.all() {
			o[key] = plain(e)
		}
		return o
	case model.Object:
		o := make(model.Object, len(v))
		for key, e := range v {
			o[key] = plain(e)
		}
		return o
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plain(e)
		}
		return list
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v
		}
		if f, err := v.Float64(); err == nil {
			return jsontree.Float(f)
		}
	}
	return v
}

// cloneNode copies a node with tables within the budget.
func cloneNode(v any, budget *int) any {
	if *budget -= nodeCost; *budget < 0 {
		return nil
	}
	switch v := v.(type) {
	case *table:
		c := newTable()
		for key, e := range v.all() {
			*budget -= len(key)
			c.put(key, cloneNode(e, budget))
		}
		return c
	case model.Object:
		c := make(model.Object)
		for key, e := range v {
			*budget -= len(key)
			c[key] = cloneNode(e, budget)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = cloneNode(e, budget)
		}
		return c
	case string:
		*budget -= len(v)
	}
	return v
}

// get returns the node at a path.
func get(node any, path []string) (any, bool) {
	for _, segment := range path {
		switch n := node.(type) {
		case *table:
			e, ok := n.get(segment)
			if !ok {
				return nil, false
			}
			node = e
		case model.Object:
			e, ok := n[segment]
			if !ok {
				return nil, false
			}
			node = e
		case []any:
			i, err := strconv.Atoi(segment)
			if err != nil || i < 0 || i >= len(n) {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	return node, true
}

// set puts v at a path below node, creates missing parents, and returns the new node. In arrays
// without keys insert distinguishes adding from replacing.
func set(node any, keys *keyNode, path []string, v any, insert bool) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	if node == nil {
		node = emptyParent(keys)
	}
	switch n := node.(type) {
	case *table:
		return n, setInTable(n, keys, keys.depth(), path, v, insert)
	case model.Object:
		child, err := set(n[path[0]], keys.child(path[0]), path[1:], v, insert)
		if err != nil {
			return nil, err
		}
		n[path[0]] = child
		return n, nil
	case []any:
		return setInList(n, keys, path, v, insert)
	}
	return nil, fmt.Errorf("%s: the parent is %s", pointerText(path), jsontree.KindOf(node))
}

func emptyParent(keys *keyNode) any {
	if keys != nil && (keys.keyed || keys.lineage) {
		return newTable()
	}
	return model.Object{}
}

// setInTable descends the levels of a table. depth is the number of levels down to the element.
func setInTable(t *table, keys *keyNode, depth int, path []string, v any, insert bool) error {
	key := path[0]
	if depth > 1 {
		if len(path) == 1 {
			t.put(key, keys.level(v, depth-1))
			return nil
		}
		return setInTable(t.sub(key), keys, depth-1, path[1:], v, insert)
	}
	current, _ := t.get(key)
	child, err := set(current, keys.element(), path[1:], v, insert)
	if err != nil {
		return err
	}
	t.put(key, child)
	return nil
}

// level converts an object for whole levels of keys into a table.
func (n *keyNode) level(v any, depth int) any {
	if o, ok := v.(model.Object); ok {
		return n.tableOf(o, depth)
	}
	return v
}

func setInList(list []any, keys *keyNode, path []string, v any, insert bool) (any, error) {
	if path[0] == "-" && len(path) == 1 {
		return append(list, v), nil
	}
	i, err := strconv.Atoi(path[0])
	if err != nil || i < 0 || i > len(list) || i == len(list) && (len(path) > 1 || !insert) {
		return nil, fmt.Errorf("%q is no index of an array with %d elements", path[0], len(list))
	}
	if len(path) == 1 && insert {
		return slices.Insert(list, i, v), nil
	}
	child, err := set(list[i], keys.element(), path[1:], v, insert)
	if err != nil {
		return nil, err
	}
	list[i] = child
	return list, nil
}

// removeAt is remove, except that it empties an array with keys, since the model may require the
// array.
func removeAt(root any, keys *keyNode, path []string) (any, error) {
	at, left := keys.place(path)
	if left > 0 || at == nil || !at.keyed && !at.lineage {
		return remove(root, path)
	}
	parent, _ := get(root, path[:len(path)-1])
	o, isObject := parent.(model.Object)
	if !isObject {
		return remove(root, path)
	}
	o[path[len(path)-1]] = newTable()
	return root, nil
}

// remove removes the node at a path. An absent node is no error.
func remove(node any, path []string) (any, error) {
	if len(path) == 0 {
		return model.Object{}, nil
	}
	parent, ok := get(node, path[:len(path)-1])
	if !ok {
		return node, nil
	}
	last := path[len(path)-1]
	switch p := parent.(type) {
	case *table:
		p.remove(last)
	case model.Object:
		delete(p, last)
	case []any:
		i, err := strconv.Atoi(last)
		if err != nil || i < 0 || i >= len(p) {
			return node, nil
		}
		return replaceAt(node, path[:len(path)-1], slices.Delete(p, i, i+1)), nil
	}
	return node, nil
}

// replaceAt puts v at an existing path.
func replaceAt(node any, path []string, v any) any {
	if len(path) == 0 {
		return v
	}
	switch n := node.(type) {
	case *table:
		current, _ := n.get(path[0])
		n.put(path[0], replaceAt(current, path[1:], v))
	case model.Object:
		n[path[0]] = replaceAt(n[path[0]], path[1:], v)
	case []any:
		i, _ := strconv.Atoi(path[0])
		n[i] = replaceAt(n[i], path[1:], v)
	}
	return node
}

func pointerText(path []string) string {
	const readable = 200
	text := "/" + strings.Join(path, "/")
	if len(text) > readable {
		text = strings.ToValidUTF8(text[:readable], "") + "…"
	}
	return text
}
