package rest

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

func (s *handlers) aspectActions() []action {
	return []action{
		{name: "ingestProposal", run: s.ingestProposal},
		{name: "ingestProposalBatch", run: s.ingestProposalBatch},
		typedAction("getTimeseriesAspectValues", queryLimit, s.timeseriesValues),
		typedAction("getCount", queryLimit, s.countAspect),
		typedAction("restoreIndices", queryLimit, s.restoreIndices),
	}
}

// getAspect reads one version of one aspect. The response contains the value as a member with the
// full name of its record, as clients expect.
func (s *handlers) getAspect(c echo.Context) error {
	u, _, err := s.pathKey(c)
	if err != nil {
		return err
	}
	name := c.QueryParam("aspect")
	if name == "" {
		return fault.New(fault.Malformed, "query parameter aspect is required, as in aspect=status")
	}
	version, err := intParam(c, "version")
	if err != nil {
		return err
	}
	a, err := s.Catalog.Aspect(c.Request().Context(), u, name, version, catalog.Concealed)
	if errors.Is(err, fault.NotFound) {
		// Clients interpret the bare status as a missing aspect.
		return fault.Wrap(err, fault.NotFound, "")
	}
	if err != nil {
		return err
	}
	if version < 0 {
		version = a.Row
	}
	return writeTree(c, object{"version": version, "aspect": object{a.Spec.Record.Name: a.Value}})
}

func (s *handlers) ingestProposal(c echo.Context) (any, error) {
	return s.ingest(c, "proposal", true)
}

func (s *handlers) ingestProposalBatch(c echo.Context) (any, error) {
	return s.ingest(c, "proposals", false)
}

func (s *handlers) ingest(c echo.Context, member string, single bool) (any, error) {
	if err := httpserver.LimitBody(c, ingestLimit); err != nil {
		return nil, err
	}
	proposals, async, err := readProposals(c.Request().Body, member, single)
	if err != nil {
		return nil, err
	}
	if _, err := s.Catalog.Write(c.Request().Context(), proposals, s.writeOptions(async)); err != nil {
		return nil, err
	}
	return "success", nil
}

type countInput struct {
	Aspect  string `json:"aspect" param:"required"`
	URNLike string `json:"urnLike"`
}

func (s *handlers) countAspect(ctx context.Context, in countInput) (any, error) {
	if in.URNLike == "" {
		in.URNLike = "%"
	}
	return s.Discover.CountAspect(ctx, in.Aspect, in.URNLike)
}
