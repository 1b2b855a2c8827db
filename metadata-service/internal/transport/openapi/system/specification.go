package system

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Name and version of the registry for clients.
const (
	registryName    = "unknownRegistry"
	registryVersion = "0.0.0.0-dev"
)

type aspectAnnotation struct {
	Name          string `json:"name"`
	Timeseries    bool   `json:"timeseries"`
	AutoRender    bool   `json:"autoRender"`
	SchemaVersion int64  `json:"schemaVersion"`
}

type searchableField struct {
	Path       string `json:"path"`
	FieldName  string `json:"fieldName"`
	FieldType  string `json:"fieldType"`
	Queryable  bool   `json:"queryByDefault"`
	Filterable bool   `json:"addToFilters"`
}

type relationshipField struct {
	Path             string   `json:"path"`
	Name             string   `json:"name"`
	DestinationTypes []string `json:"validDestinationTypes"`
	IsLineage        bool     `json:"isLineage"`
	IsUpstream       bool     `json:"isUpstream,omitempty"`
}

type aspectSpecification struct {
	Annotation      aspectAnnotation    `json:"aspectAnnotation"`
	RegistryName    string              `json:"registryName"`
	RegistryVersion string              `json:"registryVersion"`
	Record          string              `json:"record"`
	Entities        []string            `json:"entities"`
	Searchable      []searchableField   `json:"searchableFieldSpecs"`
	Relationships   []relationshipField `json:"relationshipFieldSpecs"`
}

type entityAnnotation struct {
	Name      string `json:"name"`
	KeyAspect string `json:"keyAspect"`
}

// entitySpecification has the members of the reference API. Details of fields are part of each
// aspect; the lists of the entity are empty.
type entitySpecification struct {
	Name              string                         `json:"name"`
	KeyAspectName     string                         `json:"keyAspectName"`
	Annotation        entityAnnotation               `json:"entityAnnotation"`
	KeyAspectSpec     aspectSpecification            `json:"keyAspectSpec"`
	AspectSpecs       []aspectSpecification          `json:"aspectSpecs"`
	AspectSpecMap     map[string]aspectSpecification `json:"aspectSpecMap"`
	Searchable        []searchableField              `json:"searchableFieldSpecs"`
	SearchableTypes   map[string][]string            `json:"searchableFieldTypes"`
	SearchScore       []searchableField              `json:"searchScoreFieldSpecs"`
	Relationships     []relationshipField            `json:"relationshipFieldSpecs"`
	SearchableRefSpec []searchableField              `json:"searchableRefFieldSpecs"`
}

func specifyAspect(a *model.AspectSpec) aspectSpecification {
	s := aspectSpecification{
		Annotation:   aspectAnnotation{Name: a.Name, Timeseries: a.Timeseries, SchemaVersion: a.SchemaVersion},
		RegistryName: registryName, RegistryVersion: registryVersion,
		Record: a.Record.Name, Entities: a.Entities,
		Searchable: []searchableField{}, Relationships: []relationshipField{},
	}
	for _, f := range a.Search {
		s.Searchable = append(s.Searchable, searchableField{
			Path: f.Path, FieldName: f.Field, FieldType: f.Type, Queryable: f.Query, Filterable: f.Filter,
		})
	}
	for _, r := range a.Relationships {
		s.Relationships = append(s.Relationships, relationshipField{
			Path: r.Path, Name: r.Name, DestinationTypes: r.To, IsLineage: r.Lineage != "", IsUpstream: r.Lineage == "upstream",
		})
	}
	return s
}

func specifyEntity(e *model.EntitySpec) entitySpecification {
	return entitySpecification{
		Name: e.Name, KeyAspectName: e.Key.Name, Annotation: entityAnnotation{Name: e.Name, KeyAspect: e.Key.Name},
		KeyAspectSpec: specifyAspect(e.Key), AspectSpecs: specifyAspects(e),
		AspectSpecMap: map[string]aspectSpecification{}, Searchable: []searchableField{},
		SearchableTypes: map[string][]string{}, SearchScore: []searchableField{},
		Relationships: []relationshipField{}, SearchableRefSpec: []searchableField{},
	}
}

func specifyAspects(e *model.EntitySpec) []aspectSpecification {
	list := make([]aspectSpecification, 0, len(e.Aspects)+len(e.Timeseries))
	for _, a := range e.All() {
		list = append(list, specifyAspect(a))
	}
	return list
}

// servePage responds with one page of specifications. Each is encoded after the previous one was
// sent, because all of them together take a megabyte.
func servePage[S, T any](c *endpoint.Call, all []S, count int64, specify func(S) T) error {
	start, err := c.Number("start", 0)
	if err != nil {
		return err
	}
	size, err := c.Count("count", count, endpoint.MaxCount)
	if err != nil {
		return err
	}
	if start < 0 || start > 0 && start >= int64(len(all)) {
		return fault.New(fault.Malformed, "query parameter start must be at least 0 and less than the total of %d, is %d", len(all), start)
	}
	rest := all[start:]
	rest = rest[:min(size, len(rest))]
	head := fmt.Appendf(nil, `{"start":%d,"count":%d,"total":%d,"elements":[`, start, len(rest), len(all))
	if err := c.JSONBlob(http.StatusOK, head); err != nil {
		return err
	}
	for i, one := range rest {
		if err := writeElement(c, i, specify(one)); err != nil {
			return err
		}
	}
	_, err = c.Response().Write([]byte("]}\n"))
	return err
}

// writeElement writes an element of a list, after a comma unless it is the first.
func writeElement(c *endpoint.Call, i int, element any) error {
	text, err := json.Marshal(element)
	if err != nil {
		return err
	}
	if i > 0 {
		text = append([]byte{','}, text...)
	}
	_, err = c.Response().Write(text)
	return err
}

func (a *API) entitySpecifications(c *endpoint.Call) error {
	const count = 5
	return servePage(c, a.Registry.Entities(), count, specifyEntity)
}

func (a *API) entitySpecification(c *endpoint.Call) error {
	spec, ok := a.Registry.Entity(c.PathParams["name"])
	if !ok {
		return c.NotFound()
	}
	return c.JSON(http.StatusOK, specifyEntity(spec))
}

func (a *API) entityAspects(c *endpoint.Call) error {
	spec, ok := a.Registry.Entity(c.PathParams["name"])
	if !ok {
		return c.NotFound()
	}
	return c.JSON(http.StatusOK, specifyAspects(spec))
}

func (a *API) aspectSpecifications(c *endpoint.Call) error {
	const count = 20
	return servePage(c, a.Registry.Aspects(), count, specifyAspect)
}

func (a *API) aspectSpecification(c *endpoint.Call) error {
	spec, ok := a.Registry.Aspect(a.aspects.Of(c.PathParams["name"]))
	if !ok {
		return c.NotFound()
	}
	return c.JSON(http.StatusOK, specifyAspect(spec))
}

// eventSpecifications responds with an empty page: the registry has no events of its own.
func (a *API) eventSpecifications(c *endpoint.Call) error {
	return servePage(c, []*model.AspectSpec{}, endpoint.DefaultCount, specifyAspect)
}

// lineageEdge is a lineage relationship from the point of view of one entity type.
type lineageEdge struct {
	Type           string `json:"type"`
	Direction      string `json:"direction"` // of the other end
	OpposingEntity string `json:"opposingEntity"`
}

const (
	upstream   = "UPSTREAM"
	downstream = "DOWNSTREAM"
)

// lineageEdges lists the lineage edges of an entity type, from its own aspects and from aspects
// of other types that refer to it.
func (a *API) lineageEdges(entity *model.EntitySpec, direction string) []lineageEdge {
	edges := []lineageEdge{}
	add := func(e lineageEdge) {
		if (direction == "" || direction == e.Direction) && !slices.Contains(edges, e) {
			edges = append(edges, e)
		}
	}
	for _, source := range a.Registry.Entities() {
		for _, aspect := range source.Aspects {
			for _, r := range aspect.Relationships {
				if r.Lineage == "" {
					continue
				}
				there, back := upstream, downstream
				if r.Lineage == "downstream" {
					there, back = back, there
				}
				for _, to := range r.To {
					if source == entity {
						add(lineageEdge{Type: r.Name, Direction: there, OpposingEntity: to})
					}
					if to == entity.Name {
						add(lineageEdge{Type: r.Name, Direction: back, OpposingEntity: source.Name})
					}
				}
			}
		}
	}
	return edges
}

type lineageSpecification struct {
	Upstream   []lineageEdge `json:"upstreamEdges"`
	Downstream []lineageEdge `json:"downstreamEdges"`
}

func (a *API) specifyLineage(e *model.EntitySpec) lineageSpecification {
	return lineageSpecification{Upstream: a.lineageEdges(e, upstream), Downstream: a.lineageEdges(e, downstream)}
}

func (a *API) lineageSpecifications(c *endpoint.Call) error {
	specs := map[string]lineageSpecification{}
	for _, e := range a.Registry.Entities() {
		if s := a.specifyLineage(e); len(s.Upstream)+len(s.Downstream) > 0 {
			specs[e.Name] = s
		}
	}
	return c.JSON(http.StatusOK, specs)
}

func (a *API) lineageSpecification(c *endpoint.Call) error {
	spec, ok := a.Registry.Entity(c.PathParams["name"])
	if !ok {
		return c.NotFound()
	}
	return c.JSON(http.StatusOK, a.specifyLineage(spec))
}

func (a *API) lineageEdgesOf(c *endpoint.Call) error {
	spec, ok := a.Registry.Entity(c.PathParams["name"])
	if !ok {
		return c.NotFound()
	}
	direction := strings.ToUpper(c.PathParams["direction"])
	if direction != "" && direction != upstream && direction != downstream {
		return fault.New(fault.Malformed, "direction must be %s or %s, is %q", upstream, downstream, endpoint.Truncate(direction))
	}
	return c.JSON(http.StatusOK, a.lineageEdges(spec, direction))
}
