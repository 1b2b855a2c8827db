package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Edge is a relationship between two entities, derived from an aspect. Its
// identity is source, type, destination and owner.
type Edge struct {
	Source      urn.URN
	Type        string // name of the relationship, "DownstreamOf"
	Destination urn.URN
	// Owner is the entity whose aspect made the edge. It is the source, save for edges
	// between columns, which the dataset or job made that lists them.
	Owner urn.URN
	// Via is an entity the edge passes through, such as a query; empty for none.
	Via urn.URN
	// Created and Updated are never zero: what the aspect does not say is when, and by whom,
	// it was written.
	Created, Updated AuditStamp
	Properties       json.RawMessage // JSON object, empty for none
}

// MaxEdges is how many edges one aspect value may make. Columns multiply, each
// upstream one with each downstream one, so a small value can mean more edges
// than a machine can hold.
const MaxEdges = 200_000

// EdgeKey is the identity of an edge.
type EdgeKey struct {
	Source, Destination, Owner urn.URN
	Type                       string
}

// Manual tells that a person drew the edge, in the web client, which says so in
// its properties.
func (e *Edge) Manual() bool {
	var properties struct {
		Source string `json:"source"`
	}
	return len(e.Properties) > 0 && json.Unmarshal(e.Properties, &properties) == nil && properties.Source == "UI"
}

// Key is the identity of the edge.
func (e *Edge) Key() EdgeKey {
	return EdgeKey{Source: e.Source, Destination: e.Destination, Owner: e.Owner, Type: e.Type}
}

// Edges derives the edges an aspect value makes, in the order of the registry's
// relationships, each identity once. The stamp fills in times and actors the
// value does not give. The value must be canonical. One that makes more than
// MaxEdges gives MaxEdges+1: too many to be stored, whichever they are.
func (a *AspectSpec) Edges(owner urn.URN, value Object, stamp AuditStamp) []Edge {
	d := edgeDeriver{owner: owner, stamp: stamp, seen: map[EdgeKey]bool{}}
	for i := range a.Relationships {
		d.relationship(&a.Relationships[i], value)
	}
	d.columns(a.Name, value)
	return d.edges
}

// MakesEdges reports whether values of the aspect can make edges.
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
	// What is said of an edge stands in the record that names its destination.
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
		vias = nil // as in the reference: either all edges pass through something, or none
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

// parentPath takes the last step off a path. The parent ends in a slash, unless
// it is the value itself.
func parentPath(path string) (parent, last string) {
	path = strings.TrimPrefix(path, "/")
	i := strings.LastIndexByte(path, '/')
	return path[:i+1], path[i+1:]
}

// selectOne gives what a path leads to first, nil for nothing and for no path.
func selectOne(v any, path string) any {
	if path == "" {
		return nil
	}
	if list := Select(v, path); len(list) > 0 {
		return list[0]
	}
	return nil
}

// Names the rules for columns know.
const (
	downstreamOf = "DownstreamOf"
	inputFields  = "inputFields"
)

// columns adds the edges between columns, which rules make and not annotations.
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

// isOwn reports whether a column is one of the owner, or the owner itself. The lineage of a dataset says nothing of
// the columns of others: whoever may write it need not have any right over these.
func (d *edgeDeriver) isOwn(column urn.URN) bool {
	return column == d.owner || ParentOfColumn(column) == d.owner
}

// fineGrained connects every downstream column of an entry that fits to every upstream
// one. An entry that lacks a side ends the list, as it does in the reference.
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

// LineagePairs is how many pairs of columns the fine-grained lineage of a value connects, MaxEdges at most: a short text
// may list many.
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

// inputs connects the columns of a chart to the columns they read.
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
