package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (a *API) openLineageOperations() []operation {
	list := []operation{{
		method: http.MethodPost, path: "/openlineage/api/v1/lineage", handle: a.takeRunEvent, summary: "Receive an OpenLineage event: a job that started or ended, with its inputs and outputs",
		body: anyObject,
	}}
	return withGroup(list, groupV1, "OpenLineage")
}

// takeRunEvent writes the metadata of an event as the actor that sent it, all or nothing.
func (a *API) takeRunEvent(c *call) error {
	actor, ok := auth.ActorFrom(c.ctx())
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to send events")
	}
	text, err := c.body(openlineage.MaxBytes)
	if err != nil {
		return err
	}
	proposals, err := a.Lineage.Proposals(text, actor.URN)
	if err != nil {
		return err
	}
	if _, err := a.Catalog.Write(c.ctx(), proposals, catalog.WriteOptions{TraceID: c.traceID}); err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}
