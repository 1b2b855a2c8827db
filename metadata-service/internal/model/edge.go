package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Edge is a relationship between two entities, derived from an aspect. Source, type, destination
// and owner identify it.
type Edge struct {
	Source      urn.URN
	Type        string // name of the relationship, "DownstreamOf"
	Destination urn.URN
	// Owner is the entity of the aspect from which the edge is derived. It is the source, except
	// for edges between columns, which belong to the dataset or job that lists them.
	Owner urn.URN
	// Via is an entity through which the edge passes, such as a query. It is empty for none.
	Via urn.URN
	// Created and Updated are never zero: the defaults are the time and the actor of the write of
	// the aspect.
	Created, Updated AuditStamp
	Properties       json.RawMessage // JSON object, empty for none
}

// MaxEdges limits the edges of one aspect value. Lineage of columns connects each upstream column
// with each downstream column, so a small value can result in more edges than fit into memory.
const MaxEdges = 200_000

// EdgeKey identifies an edge.
type EdgeKey struct {
	Source, Destination, Owner urn.URN
	Type                       string
}

// Manual reports whether a user drew the edge in the web client, which marks such edges in their
// properties.
func (e *Edge) Manual() bool {
	var properties struct {
		Source string `json:"source"`
	}
	return len(e.Properties) > 0 && json.Unmarshal(e.Properties, &properties) == nil && properties.Source == "UI"
}

// Key returns the identity of the edge.
func (e *Edge) Key() EdgeKey {
	return EdgeKey{Source: e.Source, Destination: e.Destination, Owner: e.Owner, Type: e.Type}
}

// Edges derives the edges of an aspect value, without duplicates, in the order of the registry's
// relationships. The stamp provides times and actors that the value lacks. The value must be
// canonical. For a value with more than MaxEdges edges the result has MaxEdges+1 edges, which is
// too many to be stored.
func (a *AspectSpec) Edges(owner urn.URN, value Object, stamp AuditStamp) []Edge {
	d := edgeDeriver{owner: owner, stamp: stamp, seen: map[EdgeKey]bool{}}
	for i := range a.Relationships {
		d.relationship(&a.Relationships[i], value)
	}
	d.columns(a.Name, value)
	return d.edges
}

// MakesEdges reports whether values of the aspect can have edges.
func (a *AspectSpec) MakesEdges() bool { return len(a.Relationships) > 0 || a.Name == inputFields }

type edgeDeriver struct {
	owner urn.URN
	stamp AuditStamp
	edges []Edge
	seen  map[EdgeKey]bool
}

func (d *edgeDeriver) full() bool { return len(d.edges) > MaxEdges }

func (d *edgeDeriver) add(e Edge) {
	if d.full() {
		return
	}
	if e.Destination == "" || e.Source == "" || d.seen[e.Key()] {
		return
	}
	d.seen[e.Key()] = true
	d.edges = append(d.edges, e)
}

func (d *edgeDeriver) relationship(r *Relationship, value Object) {
	record, destination := parentPath(r.Path)
	// The attributes of an edge are in the record that names its destination.
	within := func(path string) string {
		relative, ok := strings.CutPrefix(strings.TrimPrefix(path, "/"), record)
		if !ok {
			return ""
		}
		return relative
	}
	createdOn, createdActor := within(r.CreatedOn), within(r.CreatedActor)
	updatedOn, updatedActor := within(r.UpdatedOn), within(r.UpdatedActor)
	properties := within(r.Properties)
	vias, n := Select(value, r.Via), 0
	if r.Via == "" || len(vias) != len(Select(value, r.Path)) {
		vias = nil // as in DataHub: either all edges of a relationship have a Via, or none
	}
	holders := Select(value, strings.TrimSuffix(record, "/"))
	d.edges = slices.Grow(d.edges, min(len(holders), MaxEdges))
	for _, holder := range holders {
		e := Edge{Source: d.owner, Type: r.Name, Owner: d.owner}
		e.Created = stampAt(holder, createdOn, createdActor, d.stamp)
		e.Updated = stampAt(holder, updatedOn, updatedActor, d.stamp)
		e.Properties = encodeObject(selectOne(holder, properties))
		for _, to := range Select(holder, destination) {
			if vias != nil {
				e.Via = urnOf(vias[n])
			}
			n++
			e.Destination = urnOf(to)
			d.add(e)
		}
	}
}

// parentPath removes the last step of a path. The parent ends in a slash, unless it is the value
// itself.
func parentPath(path string) (parent, last string) {
	path = strings.TrimPrefix(path, "/")
	i := strings.LastIndexByte(path, '/')
	return path[:i+1], path[i+1:]
}

// selectOne returns the first value at a path, nil for none and for an empty path.
func selectOne(v any, path string) any {
	if path == "" {
		return nil
	}
	if list := Select(v, path); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Names that the rules for columns use.
const (
	downstreamOf = "DownstreamOf"
	inputFields  = "inputFields"
)

// columns adds the edges between columns. Code derives them, and not the annotations of the
// registry.
func (d *edgeDeriver) columns(aspect string, value Object) {
	switch aspect {
	case "upstreamLineage":
		d.fineGrained(value, d.isOwn, func(entry Object) urn.URN { return urn.URN(jsontree.Text(entry, "query")) })
	case "dataJobInputOutput":
		d.fineGrained(value, func(urn.URN) bool { return true }, func(Object) urn.URN { return d.owner })
	case inputFields:
		d.inputs(value)
	}
}

// isOwn reports whether a column belongs to the owner or is the owner itself. The lineage of a
// dataset determines only the edges of its own columns, since an actor that may write it need not
// have a privilege over other datasets.
func (d *edgeDeriver) isOwn(column urn.URN) bool {
	return column == d.owner || ParentOfColumn(column) == d.owner
}

// fineGrained connects every accepted downstream column of an entry to every upstream column. As in
// DataHub, an entry that lacks a side ends the list.
func (d *edgeDeriver) fineGrained(value Object, fits func(downstream urn.URN) bool, via func(entry Object) urn.URN) {
	entries, _ := value["fineGrainedLineages"].([]any)
	for _, e := range entries {
		entry, _ := e.(Object)
		upstreams, downstreams := Select(entry, "/upstreams/*"), Select(entry, "/downstreams/*")
		if len(upstreams) == 0 || len(downstreams) == 0 {
			return
		}
		for i := range downstreams {
			downstream := urnOf(downstreams[i])
			if !fits(downstream) {
				continue
			}
			for j := range upstreams {
				if d.full() {
					return
				}
				d.add(Edge{
					Source: downstream, Type: downstreamOf, Destination: urnOf(upstreams[j]), Owner: d.owner,
					Via: via(entry), Created: d.stamp, Updated: d.stamp,
				})
			}
		}
	}
}

// LineagePairs returns the number of column pairs that the fine-grained lineage of a value
// connects, at most MaxEdges. A short text can describe many pairs.
func LineagePairs(value Object) (pairs int) {
	entries, _ := value["fineGrainedLineages"].([]any)
	for _, e := range entries {
		entry, _ := e.(Object)
		upstreams, _ := entry["upstreams"].([]any)
		downstreams, _ := entry["downstreams"].([]any)
		if pairs += len(upstreams) * len(downstreams); pairs > MaxEdges {
			return MaxEdges
		}
	}
	return pairs
}

// inputs connects the columns of a chart to their source columns.
func (d *edgeDeriver) inputs(value Object) {
	fields, _ := value["fields"].([]any)
	for _, f := range fields {
		entry, _ := f.(Object)
		column, _ := entry["schemaField"].(Object)
		path := jsontree.Text(column, "fieldPath")
		if path == "" {
			continue
		}
		d.add(Edge{
			Source: ColumnURN(d.owner, path), Type: downstreamOf, Destination: urn.URN(jsontree.Text(entry, "schemaFieldUrn")),
			Owner: d.owner, Created: d.stamp, Updated: d.stamp,
		})
	}
}

func urnOf(v any) urn.URN {
	s, _ := v.(string)
	return urn.URN(s)
}

func stampAt(record any, time, actor string, otherwise AuditStamp) AuditStamp {
	s := otherwise
	if n, ok := selectOne(record, time).(json.Number); ok {
		if t, err := n.Int64(); err == nil && t > 0 {
			s.Time = t
		}
	}
	if who := urnOf(selectOne(record, actor)); who != "" {
		s.Actor = who
	}
	return s
}
