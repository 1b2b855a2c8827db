package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/urn"
)

type versionBody struct {
	Version         string `json:"version"`
	Comment         string `json:"comment"`
	SourceTimestamp int64  `json:"sourceCreationTimestamp"`
	SourceCreator   string `json:"sourceCreator"`
}

func (a *API) versioningOperations() []endpoint.Endpoint {
	const path = "/v3/entity/versioning/{versionSetUrn}/relationship/versionOf/{entityUrn}"
	list := []endpoint.Endpoint{
		{Handle: a.linkVersion, Operation: spec.Operation{Method: http.MethodPost, Path: path, Summary: "Make an entity the latest version of a set", Body: spec.AnyObject, Answer: spec.Entity}},
		{Handle: a.unlinkVersion, Operation: spec.Operation{Method: http.MethodDelete, Path: path, Summary: "Take an entity out of a version set", Answer: spec.EmptyList}},
	}
	return endpoint.InGroup(list, spec.GroupV3, "Versions")
}

func (a *API) versionEnds(c *endpoint.Call) (set, entity urn.URN, err error) {
	if set, _, err = a.Registry.Resolve(c.PathParams["versionSetUrn"]); err != nil {
		return "", "", err
	}
	entity, _, err = a.Registry.Resolve(c.PathParams["entityUrn"])
	return set, entity, err
}

func (a *API) linkVersion(c *endpoint.Call) error {
	set, entity, err := a.versionEnds(c)
	if err != nil {
		return err
	}
	var body versionBody
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	link := version.Link{Set: set, Entity: entity, Label: body.Version, Comment: body.Comment, SourceTime: body.SourceTimestamp}
	if body.SourceCreator != "" {
		if link.SourceActor, _, err = a.Registry.Resolve(body.SourceCreator); err != nil {
			return err
		}
	}
	// Authorization comes before the stored state of the set, which determines whether the link
	// is possible.
	if err := a.Catalog.Permit(c.Ctx(), auth.On(auth.OpUpdate, set, ""), auth.On(auth.OpUpdate, entity, "")); err != nil {
		return err
	}
	written, err := a.Versions.WriteLink(c.Ctx(), link, catalog.WriteOptions{TraceID: c.TraceID})
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, shapeV3.appendEntity(nil, storedViews(written[:1], writeMode{})[0]))
}

func (a *API) unlinkVersion(c *endpoint.Call) error {
	set, entity, err := a.versionEnds(c)
	if err != nil {
		return err
	}
	return writeDeleted(c, a.Versions.WriteUnlink(c.Ctx(), set, entity, catalog.WriteOptions{TraceID: c.TraceID}))
}
