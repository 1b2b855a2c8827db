package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// logicalParent is the aspect that links a physical asset to its logical asset.
const logicalParent = "logicalParent"

func (a *API) linkLogical(c *endpoint.Call) error {
	parent, _, err := a.Registry.Resolve(c.PathParams["parentUrn"])
	if err != nil {
		return err
	}
	actor, _ := auth.ActorFrom(c.Ctx())
	stamp := jsontree.Object{"time": a.Now().UnixMilli(), "actor": string(actor.URN)}
	value := jsontree.Object{"parent": jsontree.Object{"destinationUrn": string(parent), "created": stamp, "lastModified": stamp}}
	proposals := []catalog.Proposal{{URN: c.PathParams["childUrn"], Change: model.Upsert, Aspect: logicalParent, Value: jsontree.Encode(value)}}
	written, err := a.Catalog.Write(c.Ctx(), proposals, catalog.WriteOptions{TraceID: c.TraceID})
	if err != nil {
		return err
	}
	if written, err = a.Catalog.DiscloseWritten(c.Ctx(), written, catalog.Concealed); err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, shapeV3.appendEntity(nil, storedViews(written[:1], writeMode{})[0]))
}

func (a *API) unlinkLogical(c *endpoint.Call) error {
	child, _, err := a.Registry.Resolve(c.PathParams["childUrn"])
	if err != nil {
		return err
	}
	_, err = a.Catalog.UnsetAspect(c.Ctx(), child, logicalParent)
	return writeDeleted(c, err)
}
