package openapi

import (
	"errors"
	"net/http"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// entities serves one generation of the entity API.
type entities struct {
	*API
	shape responseShape
}

// spec finds an entity type from a path or a body, ignoring case.
func (a *API) spec(name string) (*model.EntitySpec, error) {
	return endpoint.EntityType(a.Registry, name)
}

// read reads entities in steps, so that a request for many large ones is refused before it fills
// the memory. A repeated entity is read once. The result has the order of urns. The error is
// fault.TooLarge when the values exceed AnswerLimit.
//
// The catalog reserves memory for the values. The response is sent while it is encoded, so it
// needs no memory for copies of them.
func (a *API) read(c *endpoint.Call, urns []urn.URN, q catalog.EntityQuery) ([]catalog.Entity, error) {
	const step = 200
	found := make([]catalog.Entity, len(urns))
	places := groupEqual(urns)
	for len(places) > 0 {
		n := 1
		for distinct := 1; n < len(places); n++ {
			if urns[places[n]] != urns[places[n-1]] {
				distinct++
			}
			if distinct > step {
				break
			}
		}
		part := make([]urn.URN, n)
		for i, place := range places[:n] {
			part[i] = urns[place]
		}
		q.MaxBytes = int64(max(a.AnswerLimit-c.ResponseBytes, 1))
		read, err := a.Catalog.Entities(c.Ctx(), part, q)
		if errors.Is(err, fault.TooLarge) {
			return nil, a.answerTooLarge()
		}
		if err != nil {
			return nil, err
		}
		size := 0
		for i, e := range read {
			found[places[i]] = e
			for _, aspect := range e.Aspects {
				size += len(aspect.Value)
			}
		}
		if err := a.countAnswer(c, size); err != nil {
			return nil, err
		}
		places = places[n:]
	}
	return found, nil
}

// groupEqual returns the indices of a list of URNs, ordered so that equal URNs are adjacent
// and URNs keep the order of their first occurrence.
func groupEqual(urns []urn.URN) []int {
	first := make(map[urn.URN]int, len(urns))
	places := make([]int, len(urns))
	for i, u := range urns {
		if _, met := first[u]; !met {
			first[u] = i
		}
		places[i] = i
	}
	if len(first) < len(urns) {
		slices.SortStableFunc(places, func(i, j int) int { return first[urns[i]] - first[urns[j]] })
	}
	return places
}

// countAnswer adds the size of values to that of the response, up to the limit.
func (a *API) countAnswer(c *endpoint.Call, bytes int) error {
	if c.ResponseBytes += bytes; c.ResponseBytes > a.AnswerLimit {
		return a.answerTooLarge()
	}
	return nil
}

func (a *API) answerTooLarge() error {
	return fault.New(fault.TooLarge, "the answer would be larger than %d MiB; ask for fewer entities or aspects", a.AnswerLimit>>20)
}

// aspectAt returns the entity and the aspect in a path; ok is false when entities of this type
// have no such aspect.
func (a *API) aspectAt(c *endpoint.Call) (u urn.URN, spec *model.AspectSpec, ok bool, err error) {
	u, entity, err := a.Registry.Resolve(c.PathParams["urn"])
	if err != nil {
		return "", nil, false, err
	}
	spec, ok = entity.AspectFold(c.PathParams["aspect"])
	return u, spec, ok, nil
}

func (e entities) get(c *endpoint.Call) error {
	u, _, err := e.Registry.Resolve(c.PathParams["urn"])
	if err != nil {
		return err
	}
	names, err := c.List("aspects", "aspectNames")
	if err != nil {
		return err
	}
	system, err := c.Flag("systemMetadata", false)
	if err != nil {
		return err
	}
	found, err := e.read(c, []urn.URN{u}, catalog.EntityQuery{Aspects: e.aspects.All(names), Timeseries: true})
	if err != nil {
		return err
	}
	if !found[0].Exists && e.shape == shapeV3 {
		return c.NotFound()
	}
	view := viewEntity(found[0], system)
	size := sizeOf(view)
	if err := admission.ReserveCapped(c.Ctx(), int64(size)); err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, e.shape.appendEntity(make([]byte, 0, size), view))
}

func (e entities) getAspect(c *endpoint.Call) error {
	u, spec, ok, err := e.aspectAt(c)
	if err != nil {
		return err
	}
	system, err := c.Flag("systemMetadata", false)
	if err != nil {
		return err
	}
	version, err := c.Number("version", 0)
	if err != nil {
		return err
	}
	if !ok {
		return c.NotFound()
	}
	rec, err := e.version(c, u, spec, version)
	if err != nil {
		return err
	}
	if rec == nil {
		return c.NotFound()
	}
	return c.JSONBlob(http.StatusOK, appendAspect(nil, viewAspect(spec, rec, system)))
}

// version reads one version of an aspect, nil when it is absent. For a time-series aspect the
// version is a time: it reads the newest document up to it.
func (a *API) version(c *endpoint.Call, u urn.URN, spec *model.AspectSpec, version int64) (*model.Record, error) {
	if !spec.Timeseries {
		found, err := a.Catalog.Aspect(c.Ctx(), u, spec.Name, version, catalog.Concealed)
		return &found.Record, err
	}
	q := catalog.TimeseriesQuery{URN: u, EntityType: u.Type(), Aspect: spec.Name, Limit: 1, PartOfEntity: true}
	if version != 0 {
		q.To = &version
	}
	documents, err := a.Catalog.Timeseries(c.Ctx(), q)
	if err != nil || len(documents) == 0 {
		return nil, err
	}
	return &model.Record{URN: u, Aspect: spec.Name, Value: documents[0].Event, System: documents[0].System}, nil
}

func (e entities) head(c *endpoint.Call) error {
	u, _, err := e.Registry.Resolve(c.PathParams["urn"])
	if err != nil {
		return err
	}
	there, err := e.exists(c, u)
	if err != nil {
		return err
	}
	return writePresence(c, there)
}

func (e entities) headAspect(c *endpoint.Call) error {
	u, spec, ok, err := e.aspectAt(c)
	if err != nil {
		return err
	}
	if !ok {
		return writePresence(c, false)
	}
	softDeleted, err := c.Flag("includeSoftDelete", false)
	if err != nil {
		return err
	}
	there, err := e.Catalog.AspectExists(c.Ctx(), u, spec, softDeleted)
	if err != nil {
		return err
	}
	return writePresence(c, there)
}

func (e entities) exists(c *endpoint.Call, u urn.URN) (bool, error) {
	softDeleted, err := c.Flag("includeSoftDelete", false)
	if err != nil {
		return false, err
	}
	there, err := e.Catalog.Exists(c.Ctx(), []urn.URN{u}, softDeleted)
	return err == nil && there[0], err
}

func writePresence(c *endpoint.Call, there bool) error {
	if !there {
		return c.NotFound()
	}
	return c.NoContent(http.StatusNoContent)
}
