package patch

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Fine-grained lineage is addressed as
//	/fineGrainedLineages/<transform operation or NONE>/<downstream>/<query or NONE>/<upstream>
// with {"confidenceScore", "upstreamType", "downstreamType"} as the value. A patch addresses single
// edges, the aspect holds groups of edges.

const (
	fineGrained  = "fineGrainedLineages"
	lineageDepth = 4
	none         = "NONE"
	// untouchedKey is the key of elements without a place in this scheme, since they lack an
	// upstream or a downstream. They are kept unchanged, below their index.
	untouchedKey = "\x00"
)

func tabulateLineage(list []any) *table {
	root := newTable()
	for i, e := range list {
		o, ok := e.(model.Object)
		upstreams, _ := o["upstreams"].([]any)
		downstreams, _ := o["downstreams"].([]any)
		if !ok || len(upstreams) == 0 || len(downstreams) == 0 {
			root.sub(untouchedKey).put(strconv.Itoa(i), e)
			continue
		}
		for _, down := range downstreams {
			group := root.sub(orNone(o["transformOperation"])).sub(scalar(down)).sub(orNone(o["query"]))
			if len(group.entries) == 0 {
				group.rank = i
			}
			for _, up := range upstreams {
				group.put(scalar(up), edgeOf(o))
			}
		}
	}
	return root
}

func orNone(v any) string {
	if s := scalar(v); s != "" {
		return s
	}
	return none
}

// edgeOf returns the attributes of a group that apply to each of its edges.
func edgeOf(o model.Object) model.Object {
	edge := model.Object{}
	for name, v := range o {
		switch name {
		case "upstreams", "downstreams", "transformOperation", "query":
		default:
			edge[name] = v
		}
	}
	return edge
}

// listLineage rebuilds the list. Stored groups keep their positions, new ones are appended.
func listLineage(root *table) any {
	var found []ranked
	for operation, below := range root.all() {
		if operation == untouchedKey {
			found = append(found, untouchedElements(below)...)
			continue
		}
		for down, below := range tables(below) {
			for query, below := range tables(below) {
				if group, ok := below.(*table); ok && len(group.index) > 0 {
					found = append(found, ranked{group.rank, lineageGroup(operation, down, query, group)})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	out := make([]any, len(found))
	for i, r := range found {
		out[i] = r.element
	}
	return out
}

// ranked is an element of the list and its original position.
type ranked struct {
	rank    int
	element any
}

func untouchedElements(v any) []ranked {
	var found []ranked
	for place, e := range tables(v) {
		// A patch may write below the reserved key, too. Only elements count.
		if rank, err := strconv.Atoi(place); err == nil {
			if _, deeper := e.(*table); !deeper {
				found = append(found, ranked{rank, e})
			}
		}
	}
	return found
}

// tables iterates over the entries of a table, and over nothing for any other node.
func tables(v any) iter.Seq2[string, any] {
	if t, ok := v.(*table); ok {
		return t.all()
	}
	return func(func(string, any) bool) {}
}

// lineageGroup rebuilds one element. Its confidence is the lowest of its edges.
func lineageGroup(operation, down, query string, group *table) model.Object {
	o := model.Object{"upstreamType": "FIELD_SET", "downstreamType": "FIELD", "downstreams": []any{down}}
	if operation != none {
		o["transformOperation"] = operation
	}
	if query != none {
		o["query"] = query
	}
	upstreams := make([]any, 0, len(group.index))
	lowest := math.Inf(1)
	for up, e := range group.all() {
		upstreams = append(upstreams, up)
		edge, _ := e.(model.Object)
		for name, v := range edge {
			if name != "confidenceScore" {
				o[name] = v
			}
		}
		score := confidence(edge)
		if score < lowest {
			lowest = score
			o["confidenceScore"] = jsontree.Float(score)
		}
	}
	o["upstreams"] = upstreams
	return o
}

func confidence(edge model.Object) float64 {
	f, err := strconv.ParseFloat(scalar(edge["confidenceScore"]), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 1
	}
	return f
}
