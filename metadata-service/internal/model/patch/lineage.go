package patch

import (
	"iter"
	"math"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// Fine-grained lineage is addressed as
// /fineGrainedLineages/<transform operation or NONE>/<downstream>/<query or NONE>/<upstream>
// with {"confidenceScore", "upstreamType", "downstreamType"} as the value: a
// writer names single edges, the aspect holds groups of them.

const (
	fineGrained  = "fineGrainedLineages"
	lineageDepth = 4
	none         = "NONE"
	// untouched is the key of elements that have no place in the scheme: they lack an
	// upstream or a downstream, and are kept as they are.
	untouched = "\x00"
)

func tabulateLineage(list []any) *table {
	root := newTable()
	for _, e := range list {
		o, ok := e.(model.Object)
		upstreams, _ := o["upstreams"].([]any)
		downstreams, _ := o["downstreams"].([]any)
		if !ok || len(upstreams) == 0 || len(downstreams) == 0 {
			kept, _ := root.get(untouched)
			list, _ := kept.([]any)
			root.put(untouched, append(list, e))
			continue
		}
		for _, down := range downstreams {
			group := root.sub(orNone(o["transformOperation"])).sub(scalar(down)).sub(orNone(o["query"]))
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

// edgeOf keeps what a group says of each of its edges.
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

func listLineage(root *table) any {
	out := []any{}
	for operation, below := range root.all() {
		if list, ok := below.([]any); ok && operation == untouched {
			out = append(out, list...)
			continue
		}
		for down, below := range tables(below) {
			for query, below := range tables(below) {
				if group, ok := below.(*table); ok && len(group.index) > 0 {
					out = append(out, lineageGroup(operation, down, query, group))
				}
			}
		}
	}
	return out
}

// tables yields the entries of a table, nothing for any other node.
func tables(v any) iter.Seq2[string, any] {
	if t, ok := v.(*table); ok {
		return t.all()
	}
	return func(func(string, any) bool) {}
}

// lineageGroup rebuilds one element; the lowest confidence of its edges counts.
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
