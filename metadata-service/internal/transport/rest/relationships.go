package rest

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const defaultRelationships = 100

// getRelationships lists the relationships of the given types of an entity.
func (s *handlers) getRelationships(c echo.Context) error {
	query := c.Request().URL.RawQuery
	u, err := s.urnParam(query)
	if err != nil {
		return err
	}
	q := discover.RelationshipQuery{URN: u, Direction: graph.Direction(c.QueryParam("direction"))}
	if q.Types, err = requiredList(query, "types"); err != nil {
		return err
	}
	if q.Start, err = pageParam(c, "start", 0, 1<<31); err != nil {
		return err
	}
	if q.Count, err = pageParam(c, "count", defaultRelationships, search.MaxPage); err != nil {
		return err
	}
	page, err := s.Discover.Relationships(c.Request().Context(), q)
	if err != nil {
		return err
	}
	relationships := make([]any, len(page.Edges))
	for i := range page.Edges {
		e := &page.Edges[i]
		relationships[i] = object{"entity": string(graph.Neighbor(e, q.Direction)), "type": e.Type}
	}
	tree := object{"start": q.Start, "count": len(relationships), "total": page.Total, "relationships": relationships}
	if page.Truncated {
		tree["truncated"] = true
	}
	return writeTree(c, tree)
}

// urnParam reads the URN in the parameter urn.
func (s *handlers) urnParam(query string) (urn.URN, error) {
	values, err := requiredList(query, "urn")
	if err != nil {
		return "", err
	}
	if len(values) != 1 {
		return "", fault.New(fault.Malformed, "query parameter urn must be one URN")
	}
	u, _, err := s.registry.Resolve(values[0])
	return u, err
}

// pageParam reads an integer from 0 to a limit; larger ones are reduced to the limit.
func pageParam(c echo.Context, name string, absent, high int) (int, error) {
	text := c.QueryParam(name)
	if text == "" {
		return absent, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Malformed, "query parameter %s must be a whole number that is not negative, is %q", name, truncate(text))
	}
	return int(min(n, int64(high))), nil
}

func (s *handlers) relationshipActions() []action {
	return []action{typedAction("getLineage", queryLimit, s.getLineage)}
}

type getLineageInput struct {
	URN       string    `json:"urn" param:"required"`
	Direction string    `json:"direction" param:"required"`
	Start     *looseInt `json:"start"`
	Count     *looseInt `json:"count"`
	MaxHops   *looseInt `json:"maxHops"`
}

// getLineage lists the entities upstream or downstream of an entity.
func (s *handlers) getLineage(ctx context.Context, in getLineageInput) (any, error) {
	u, _, err := s.registry.Resolve(in.URN)
	if err != nil {
		return nil, err
	}
	direction, err := lineageDirection(in.Direction)
	if err != nil {
		return nil, err
	}
	start, err := in.Start.clamp("start", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	count, err := in.Count.clamp("count", 0, defaultRelationships, search.MaxPage)
	if err != nil {
		return nil, err
	}
	hops, err := in.MaxHops.clamp("maxHops", 1, 1, 1000)
	if err != nil {
		return nil, err
	}
	page, err := s.Discover.Lineage(ctx, discover.LineageListing{URN: u, Direction: direction, MaxHops: hops, Start: start, Count: count})
	if err != nil {
		return nil, err
	}
	relationships := make([]any, len(page.Rows))
	for i, row := range page.Rows {
		relationships[i] = object{"entity": string(row.URN), "type": row.Type, "degree": row.Degree}
	}
	return object{"start": start, "count": len(relationships), "total": page.Total, "filtered": page.Filtered, "relationships": relationships}, nil
}
