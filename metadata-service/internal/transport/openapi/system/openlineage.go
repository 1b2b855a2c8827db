package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (a *API) openLineageOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{{Handle: a.takeRunEvent, Operation: spec.Operation{Method: http.MethodPost, Path: "/openlineage/api/v1/lineage", Summary: "Receive an OpenLineage event: a job that started or ended, with its inputs and outputs",
		Body: spec.AnyObject}}}
	return endpoint.InGroup(list, spec.GroupV1, "OpenLineage")
}

// takeRunEvent writes the metadata of an event as the actor that sent it, all or nothing.
func (a *API) takeRunEvent(c *endpoint.Call) error {
	actor, ok := auth.ActorFrom(c.Ctx())
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to send events")
	}
	text, err := c.Body(openlineage.MaxBytes)
	if err != nil {
		return err
	}
	proposals, err := a.Lineage.Proposals(text, actor.URN)
	if err != nil {
		return err
	}
	if _, err := a.Catalog.Write(c.Ctx(), proposals, catalog.WriteOptions{TraceID: c.TraceID}); err != nil {
		return err
	}
	return c.NoContent(http.StatusOK)
}
