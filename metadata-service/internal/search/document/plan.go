package document

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// aspectPlan describes the search fields of an aspect as a tree of the paths to their values, so
// that a value is read once from front to back.
type aspectPlan struct {
	root   *node
	fields []fieldPlan
}

// fieldPlan is one search field of an aspect. Several paths may lead to it.
type fieldPlan struct {
	name       string
	kind       search.Kind
	multi      bool
	rich       bool   // markup is removed
	hasValues  string // derived field that states whether there are any values
	numValues  string // derived field with the number of values
	modifiedAt string // derived field with the time of the write
}

// node is a step of a path.
type node struct {
	children map[string]*node
	each     *node // elements of an array, values of a map
	keys     []int // fields with the keys of a map as values
	fields   []int // fields with the value itself
	isStep   bool  // an entry of a browse path
	field    int   // of the browse path, for an entry
}

func (n *node) child(step string) *node {
	if step == "*" {
		if n.each == nil {
			n.each = &node{}
		}
		return n.each
	}
	if n.children == nil {
		n.children = map[string]*node{}
	}
	c := n.children[step]
	if c == nil {
		c = &node{}
		n.children[step] = c
	}
	return c
}

// planAspect compiles the search annotations of an aspect, nil if it has none.
func planAspect(a *model.AspectSpec) *aspectPlan {
	if len(a.Search) == 0 || a.Confidential() || a.Timeseries {
		return nil
	}
	p := &aspectPlan{root: &node{}}
	for i := range a.Search {
		f := &a.Search[i]
		at := slices.IndexFunc(p.fields, func(have fieldPlan) bool { return have.name == f.Field })
		if at < 0 {
			at = len(p.fields)
			p.fields = append(p.fields, fieldPlan{name: f.Field, kind: kindOf(f)})
		}
		have := &p.fields[at]
		have.multi = have.multi || f.Multi
		have.rich = have.rich || f.SanitizeRichText
		have.hasValues = firstNonEmpty(have.hasValues, f.HasValues)
		have.numValues = firstNonEmpty(have.numValues, f.NumValues)
		if f.SystemModifiedAt {
			have.modifiedAt = firstNonEmpty(have.modifiedAt, f.SystemModifiedAtField)
		}
		steps := strings.Split(strings.TrimPrefix(f.Path, "/"), "/")
		if have.kind == search.BrowsePathV2 {
			p.root.addEntries(steps[:len(steps)-1], at)
			continue
		}
		p.root.addPath(steps, at)
	}
	return p
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// addPath creates the nodes for the path to a field.
func (n *node) addPath(steps []string, field int) {
	for i, step := range steps {
		if step == "$key" && i == len(steps)-1 {
			n.keys = append(n.keys, field)
			return
		}
		n = n.child(step)
	}
	n.fields = append(n.fields, field)
}

// addEntries creates the nodes for the path to the entries of a browse path.
func (n *node) addEntries(steps []string, field int) {
	for _, step := range steps {
		n = n.child(step)
	}
	n.isStep, n.field = true, field
}

// kindOf returns the kind of a search field. Without a type it depends on the stored type of the
// value.
func kindOf(f *model.SearchField) search.Kind {
	switch f.Type {
	case "MAP_ARRAY", "OBJECT":
		return search.ObjectKind
	case "":
		switch f.Leaf {
		case "int", "long":
			return search.Count
		case "float", "double":
			return search.Double
		case "map":
			return search.Keyword
		case "boolean":
			return search.Boolean
		}
		return search.Text
	}
	return search.Kind(f.Type)
}

func isNumber(kind search.Kind) bool {
	return kind == search.Count || kind == search.Double || kind == search.DateTime
}
