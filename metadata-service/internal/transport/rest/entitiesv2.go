package rest

import (
	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/urn"
)

func (s *handlers) getEntity(c echo.Context) error {
	u, _, err := s.pathKey(c)
	if err != nil {
		return err
	}
	entities, err := s.readEntities(c, []urn.URN{u})
	if err != nil {
		return err
	}
	return writeTree(c, entities[string(u)])
}

func (s *handlers) getEntities(c echo.Context) error {
	urns, err := s.idsParam(c)
	if err != nil {
		return err
	}
	entities, err := s.readEntities(c, urns)
	if err != nil {
		return err
	}
	return writeBatch(c, entities)
}

// readEntities returns each entity with its aspects in envelopes. An absent entity has only its
// key aspect.
func (s *handlers) readEntities(c echo.Context, urns []urn.URN) (object, error) {
	names, err := aspectsParam(c)
	if err != nil {
		return nil, err
	}
	key, err := boolParam(c, "alwaysIncludeKeyAspect", true)
	if err != nil {
		return nil, err
	}
	entities, err := s.read(c.Request().Context(), new(int64), urns, catalog.EntityQuery{Aspects: names, AlwaysKey: key})
	if err != nil {
		return nil, err
	}
	trees := make(object, len(entities))
	for _, e := range entities {
		trees[string(e.URN)] = entityTree(e)
	}
	return trees, nil
}

func entityTree(e catalog.Entity) object {
	aspects := make(object, len(e.Aspects))
	for _, a := range e.Aspects {
		aspects[a.Spec.Name] = envelopeTree(a, a.Row)
	}
	return object{"entityName": e.Spec.Name, "urn": string(e.URN), "aspects": aspects}
}

func envelopeTree(a catalog.Aspect, version int64) object {
	envelope := object{
		"name":    a.Spec.Name,
		"type":    "VERSIONED",
		"version": version,
		"value":   a.Value,
		"created": object{"time": a.CreatedOn, "actor": string(a.CreatedBy)},
	}
	// A key aspect that was derived from the URN was never written and has no system metadata.
	if a.System.LastObserved != 0 || a.System.Version != "" {
		envelope["systemMetadata"] = systemJSON(a.System)
	}
	return envelope
}
