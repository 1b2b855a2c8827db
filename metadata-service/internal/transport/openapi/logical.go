package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// logicalParent is the aspect that links a physical asset to its logical asset.
const logicalParent = "logicalParent"

func (a *API) linkLogical(c *call) error {
	parent, _, err := a.Registry.Resolve(c.path["parentUrn"])
	if err != nil {
		return err
	}
	actor, _ := auth.ActorFrom(c.ctx())
	stamp := jsontree.Object{"time": a.Now().UnixMilli(), "actor": string(actor.URN)}
	value := jsontree.Object{"parent": jsontree.Object{"destinationUrn": string(parent), "created": stamp, "lastModified": stamp}}
	proposals := []catalog.Proposal{{URN: c.path["childUrn"], Change: model.Upsert, Aspect: logicalParent, Value: jsontree.Encode(value)}}
	written, err := a.Catalog.Write(c.ctx(), proposals, catalog.WriteOptions{TraceID: c.traceID})
	if err != nil {
		return err
	}
	if written, err = a.Catalog.DiscloseWritten(c.ctx(), written, catalog.Concealed); err != nil {
		return err
	}
	return c.json(http.StatusOK, shapeV3.appendEntity(nil, storedViews(written[:1], writeMode{})[0]))
}

func (a *API) unlinkLogical(c *call) error {
	child, _, err := a.Registry.Resolve(c.path["childUrn"])
	if err != nil {
		return err
	}
	_, err = a.Catalog.UnsetAspect(c.ctx(), child, logicalParent)
	return c.writeDeleted(err)
}
