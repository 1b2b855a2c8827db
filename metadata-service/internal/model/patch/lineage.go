package patch

import (
	"encoding/json"
	"strconv"

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
			keep, _ := root.items[untouched].([]any)
			root.put(untouched, append(keep, e))
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

func (t *table) sub(key string) *table {
	if inner, ok := t.items[key].(*table); ok {
		return inner
	}
	inner := newTable()
	t.put(key, inner)
	return inner
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
	for _, operation := range root.order {
		if keep, ok := root.items[operation].([]any); ok && operation == untouched {
			out = append(out, keep...)
			continue
		}
		byDownstream, ok := root.items[operation].(*table)
		if !ok {
			continue
		}
		for _, down := range byDownstream.order {
			byQuery, ok := byDownstream.items[down].(*table)
			if !ok {
				continue
			}
			for _, query := range byQuery.order {
				if group, ok := byQuery.items[query].(*table); ok && len(group.order) > 0 {
					out = append(out, lineageGroup(operation, down, query, group))
				}
			}
		}
	}
	return out
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
	upstreams := make([]any, 0, len(group.order))
	lowest := 2.0
	for _, up := range group.order {
		upstreams = append(upstreams, up)
		edge, _ := group.items[up].(model.Object)
		for name, v := range edge {
			if name != "confidenceScore" {
				o[name] = v
			}
		}
		score := confidence(edge)
		if score < lowest {
			lowest = score
			o["confidenceScore"] = json.Number(strconv.FormatFloat(score, 'g', -1, 64))
		}
	}
	o["upstreams"] = upstreams
	return o
}

func confidence(edge model.Object) float64 {
	if n, ok := edge["confidenceScore"].(json.Number); ok {
		if f, err := n.Float64(); err == nil {
			return f
		}
	}
	return 1
}
