package lineageedit

import (
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// manualSource is the source of manual edges.
const manualSource = "UI"

// place is the location of edges between two entity types.
type place struct {
	aspect string
	// edges is the list of edge records, which name the other end in the member end. plain, if set,
	// is an older list of URNs; union is set if these are wrapped in unions.
	edges, end string
	plain      string
	union      bool
	// byUpstream is set if the upstream entity holds the edge.
	byUpstream bool
	// columns is the side of column lineage with the other end of the edge, empty for none.
	columns string
	base    func(holder urn.URN, stamp jsontree.Object) jsontree.Object
}

// edge is an edge with its place.
type edge struct {
	place
	holder, other urn.URN
}

// placeOf returns the place of edges between two entity types.
func placeOf(upstream, downstream string) (place, bool) {
	job := place{aspect: "dataJobInputOutput", end: "destinationUrn", base: jobBase}
	switch upstream + " " + downstream {
	case "dataset dataset":
		return place{aspect: "upstreamLineage", edges: "upstreams", end: "dataset", columns: "upstreams", base: datasetBase}, true
	case "dataJob dataset":
		job.edges, job.plain, job.columns, job.byUpstream = "outputDatasetEdges", "outputDatasets", "downstreams", true
		return job, true
	case "dataset dataJob":
		job.edges, job.plain, job.columns = "inputDatasetEdges", "inputDatasets", "upstreams"
		return job, true
	case "dataJob dataJob":
		job.edges, job.plain = "inputDatajobEdges", "inputDatajobs"
		return job, true
	case "dataset chart", "chart chart":
		return place{aspect: "chartInfo", edges: "inputEdges", end: "destinationUrn", plain: "inputs", union: true, base: minimalInfo}, true
	case "dataset dashboard":
		return place{aspect: "dashboardInfo", edges: "datasetEdges", end: "destinationUrn", plain: "datasets", base: minimalInfo}, true
	case "chart dashboard":
		return place{aspect: "dashboardInfo", edges: "chartEdges", end: "destinationUrn", plain: "charts", base: minimalInfo}, true
	}
	return place{}, false
}

func datasetBase(urn.URN, jsontree.Object) jsontree.Object {
	return jsontree.Object{"upstreams": []any{}}
}

func jobBase(urn.URN, jsontree.Object) jsontree.Object {
	return jsontree.Object{"inputDatasets": []any{}, "outputDatasets": []any{}}
}

// minimalInfo returns the minimal info of a chart or dashboard.
func minimalInfo(holder urn.URN, stamp jsontree.Object) jsontree.Object {
	title := holder.Key()
	if parts := holder.Parts(); len(parts) > 0 {
		title = parts[len(parts)-1]
	}
	return jsontree.Object{"title": title, "description": "", "lastModified": jsontree.Object{"created": stamp, "lastModified": stamp}}
}

func (p place) between(up, down urn.URN) edge {
	if p.byUpstream {
		return edge{p, up, down}
	}
	return edge{p, down, up}
}

// add writes the edge unless it is present.
func (e edge) add(value, stamp jsontree.Object) {
	list, _ := value[e.edges].([]any)
	plain, _ := value[e.plain].([]any)
	for _, entry := range list {
		if o, ok := entry.(jsontree.Object); ok && o[e.end] == string(e.other) {
			return
		}
	}
	for _, entry := range plain {
		if e.isOtherEnd(entry) {
			return
		}
	}
	entry := jsontree.Object{e.end: string(e.other), "created": stamp, "properties": jsontree.Object{"source": manualSource}}
	if e.aspect == "upstreamLineage" {
		entry["type"], entry["auditStamp"] = "TRANSFORMED", stamp
	} else {
		entry["sourceUrn"], entry["lastModified"] = string(e.holder), stamp
	}
	value[e.edges] = append(list[:len(list):len(list)], entry)
}

// isOtherEnd reports whether an entry of the plain list is the other end.
func (e edge) isOtherEnd(entry any) bool {
	if o, ok := entry.(jsontree.Object); ok && e.union {
		return o["string"] == string(e.other)
	}
	return entry == string(e.other)
}

// remove removes the edge from both lists, with its column lineage.
func (e edge) remove(value jsontree.Object) {
	removeElements(value, e.edges, func(entry any) bool {
		o, _ := entry.(jsontree.Object)
		return o[e.end] == string(e.other)
	})
	if e.plain != "" {
		removeElements(value, e.plain, e.isOtherEnd)
	}
	if e.columns != "" {
		e.removeColumns(value)
	}
}

// removeColumns removes columns of the other end from column lineage, and drops entries with an
// empty side.
func (e edge) removeColumns(value jsontree.Object) {
	removeElements(value, "fineGrainedLineages", func(entry any) bool {
		o, _ := entry.(jsontree.Object)
		side, _ := o[e.columns].([]any)
		if len(side) == 0 {
			return false
		}
		removeElements(o, e.columns, func(column any) bool {
			text, _ := column.(string)
			return text == string(e.other) || model.ParentOfColumn(urn.URN(text)) == e.other
		})
		side, _ = o[e.columns].([]any)
		return len(side) == 0
	})
}

// removeElements removes elements from a list, if the list exists.
func removeElements(value jsontree.Object, member string, drop func(any) bool) {
	list, ok := value[member].([]any)
	if !ok {
		return
	}
	out := make([]any, 0, len(list))
	for _, entry := range list {
		if !drop(entry) {
			out = append(out, entry)
		}
	}
	value[member] = out
}
