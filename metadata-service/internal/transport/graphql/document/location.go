package document

import (
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxPlaces bounds the number of locations that a document caches.
const maxPlaces = 1000

// places caches the locations of fields of the original document by response path: errors within
// a list refer to the same fields again and again.
type places struct {
	mu    sync.Mutex
	known map[string]Location
}

// Location returns the position, in the text of the request, of the field at a response path;
// list indices in the path are skipped. When several fields share the path, the first one counts.
// ok is false when no field has the path. Location is safe for concurrent use.
func (d *Document) Location(path []any) (line, column int, ok bool) {
	var keys []string
	for _, step := range path {
		if key, isKey := step.(string); isKey {
			keys = append(keys, key)
		}
	}
	joined := strings.Join(keys, "/")
	d.places.mu.Lock()
	defer d.places.mu.Unlock()
	at, known := d.places.known[joined]
	if !known {
		at = findField(d.op.SelectionSet, keys)
		if d.places.known == nil {
			d.places.known = map[string]Location{}
		}
		if len(d.places.known) < maxPlaces {
			d.places.known[joined] = at
		}
	}
	return at.Line, at.Column, at.Line > 0
}

func findField(set ast.SelectionSet, keys []string) Location {
	sets := []ast.SelectionSet{set}
	var at Location
	for _, key := range keys {
		var below []ast.SelectionSet
		at = Location{}
		entered := map[*ast.FragmentDefinition]bool{}
		for _, set := range sets {
			for f := range fieldsOf(set, entered) {
				if f.Alias != key {
					continue
				}
				if at.Line == 0 {
					at = Location{Line: f.Position.Line, Column: f.Position.Column}
				}
				below = append(below, f.SelectionSet)
			}
		}
		if at.Line == 0 {
			return at
		}
		sets = below
	}
	return at
}

// fieldsOf iterates over the fields of a selection set and its fragments, each fragment once.
func fieldsOf(set ast.SelectionSet, entered map[*ast.FragmentDefinition]bool) func(func(*ast.Field) bool) {
	return func(yield func(*ast.Field) bool) {
		walkFields(set, entered, yield)
	}
}

func walkFields(set ast.SelectionSet, entered map[*ast.FragmentDefinition]bool, yield func(*ast.Field) bool) bool {
	for _, sel := range set {
		more := true
		switch sel := sel.(type) {
		case *ast.Field:
			more = yield(sel)
		case *ast.InlineFragment:
			more = walkFields(sel.SelectionSet, entered, yield)
		case *ast.FragmentSpread:
			if !entered[sel.Definition] {
				entered[sel.Definition] = true
				more = walkFields(sel.Definition.SelectionSet, entered, yield)
			}
		}
		if !more {
			return false
		}
	}
	return true
}
