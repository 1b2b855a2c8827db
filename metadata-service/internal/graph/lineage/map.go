package lineage

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Direction is the direction of a walk.
type Direction string

const (
	Upstream   Direction = "UPSTREAM"
	Downstream Direction = "DOWNSTREAM"
)

// Valid reports whether d is Upstream or Downstream.
func (d Direction) Valid() bool { return d == Upstream || d == Downstream }

// kind identifies the meaning of a relationship.
type kind struct{ source, destination, name string }

// Map holds the relationships that are lineage. It is immutable and safe for concurrent use.
type Map struct {
	registry *model.Registry
	ends     map[kind]Direction // direction from the source to the destination
	steps    map[string]*[2][]graph.Step
	names    []string
}

// Between columns only this relationship is lineage. Code derives it, and the registry does not
// list it.
const (
	schemaField  = model.ColumnType
	downstreamOf = "DownstreamOf"
)

// NewMap returns the Map of the lineage relationships of a registry.
func NewMap(registry *model.Registry) *Map {
	m := &Map{registry: registry, ends: map[kind]Direction{}, steps: map[string]*[2][]graph.Step{}}
	m.ends[kind{schemaField, schemaField, downstreamOf}] = Upstream
	for _, aspect := range registry.Aspects() {
		for i := range aspect.Relationships {
			m.add(aspect.Entities, &aspect.Relationships[i])
		}
	}
	for k, destination := range m.ends {
		m.step(k.source, graph.Outgoing, k.name, destination)
		m.step(k.destination, graph.Incoming, k.name, destination.opposite())
		m.names = append(m.names, k.name)
	}
	slices.Sort(m.names)
	m.names = slices.Compact(m.names)
	return m
}

func (d Direction) opposite() Direction {
	if d == Upstream {
		return Downstream
	}
	return Upstream
}

func (d Direction) index() int {
	if d == Upstream {
		return 0
	}
	return 1
}

func (m *Map) add(sources []string, r *model.Relationship) {
	direction := map[string]Direction{"upstream": Upstream, "downstream": Downstream}[r.Lineage]
	if direction == "" {
		return
	}
	for _, source := range sources {
		for _, destination := range r.To {
			if source != schemaField && destination != schemaField {
				m.ends[kind{source, destination, r.Name}] = direction
			}
		}
	}
}

// step records that entities of a type have neighbors in a direction of lineage by a relationship
// in a direction of the graph.
func (m *Map) step(entityType string, edgeDirection graph.Direction, name string, direction Direction) {
	if m.steps[entityType] == nil {
		m.steps[entityType] = &[2][]graph.Step{{{Direction: graph.Outgoing}, {Direction: graph.Incoming}}, {{Direction: graph.Outgoing}, {Direction: graph.Incoming}}}
	}
	steps := m.steps[entityType][direction.index()]
	i := slices.IndexFunc(steps, func(s graph.Step) bool { return s.Direction == edgeDirection })
	if !slices.Contains(steps[i].Types, name) {
		steps[i].Types = append(steps[i].Types, name)
		slices.Sort(steps[i].Types)
	}
}

// Names returns the relationships that are lineage between some types, sorted. The slice must not
// be modified.
func (m *Map) Names() []string { return m.names }

// Steps returns the relationships, with their direction in the graph, that can lead from entities
// of a type upstream or downstream. An edge found with them may still have other types than those
// of lineage; use Ends to check. The slices must not be modified.
func (m *Map) Steps(entityType string, d Direction) []graph.Step {
	steps := m.steps[entityType]
	if steps == nil {
		return nil
	}
	return steps[d.index()]
}

// Ends returns the upstream and downstream end of an edge. ok is false if the edge is not lineage.
func (m *Map) Ends(e *model.Edge) (upstream, downstream urn.URN, ok bool) {
	upstream, downstream = m.ends[kindOf(e)].order(e)
	return upstream, downstream, upstream != ""
}

func kindOf(e *model.Edge) kind { return kind{e.Source.Type(), e.Destination.Type(), e.Type} }

// order returns the ends of an edge whose destination is in direction d. They are empty if d is not
// a direction.
func (d Direction) order(e *model.Edge) (upstream, downstream urn.URN) {
	switch d {
	case Upstream:
		return e.Destination, e.Source
	case Downstream:
		return e.Source, e.Destination
	}
	return "", ""
}

// stepsOf joins the steps of all types of the nodes.
func (m *Map) stepsOf(nodes []urn.URN, d Direction) []graph.Step {
	outgoing, incoming := graph.Step{Direction: graph.Outgoing}, graph.Step{Direction: graph.Incoming}
	seen := map[string]bool{}
	for _, u := range nodes {
		entityType := u.Type()
		if seen[entityType] {
			continue
		}
		seen[entityType] = true
		for _, step := range m.Steps(entityType, d) {
			if step.Direction == graph.Outgoing {
				outgoing.Types = append(outgoing.Types, step.Types...)
				continue
			}
			incoming.Types = append(incoming.Types, step.Types...)
		}
	}
	return []graph.Step{outgoing, incoming}
}

// Ignored selects entities that do not count as a hop: those of a type, and on some platforms if
// Platforms is not empty.
type Ignored struct {
	EntityType string
	Platforms  []urn.URN
}

// Ignore returns the condition Query.IgnoreAsHop for a list of Ignored, nil for an empty list.
func (m *Map) Ignore(list []Ignored) func(urn.URN) bool {
	if len(list) == 0 {
		return nil
	}
	return func(u urn.URN) bool {
		entityType := u.Type()
		for _, i := range list {
			if i.EntityType == entityType && (len(i.Platforms) == 0 || slices.Contains(i.Platforms, m.Platform(u))) {
				return true
			}
		}
		return false
	}
}

// Platform returns the data platform in the key of an entity, or in the key of the entity that it
// belongs to. It is empty for none.
func (m *Map) Platform(u urn.URN) urn.URN {
	const deepest = 3 // such as a column of a table, or a job of a flow
	for range deepest {
		entity, known := m.registry.Entity(u.Type())
		parts := u.Parts()
		if !known || len(parts) != len(entity.KeyParts) {
			return ""
		}
		var belongsTo urn.URN
		for i, part := range entity.KeyParts {
			switch part.Name {
			case "platform", "dashboardTool", "orchestrator":
				if urn.Looks(parts[i]) {
					return urn.URN(parts[i])
				}
				return urn.Make("dataPlatform", parts[i])
			case "flow", "parent":
				belongsTo = urn.URN(parts[i])
			}
		}
		u = belongsTo
	}
	return ""
}
