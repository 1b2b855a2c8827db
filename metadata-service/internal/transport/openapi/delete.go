package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (e entities) delete(c *endpoint.Call) error {
	u, spec, err := e.Registry.Resolve(c.PathParams["urn"])
	if err != nil {
		return err
	}
	names, err := c.List("aspects", "aspectNames")
	if err != nil {
		return err
	}
	clear, err := c.Flag("clear", false)
	if err != nil {
		return err
	}
	switch {
	case len(names) > 0:
		for i, name := range names {
			aspect, ok := spec.AspectFold(name)
			if !ok {
				return fault.New(fault.Malformed, "entity type %s has no aspect %s", spec.Name, endpoint.Truncate(name))
			}
			names[i] = aspect.Name
		}
		_, err = e.Catalog.DeleteAspects(c.Ctx(), u, names...)
	case clear:
		_, err = e.Catalog.ClearEntity(c.Ctx(), u)
	default:
		_, err = e.Catalog.DeleteEntity(c.Ctx(), u)
	}
	return writeDeleted(c, err)
}

func (e entities) deleteAspect(c *endpoint.Call) error {
	u, spec, ok, err := e.aspectAt(c)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Malformed, "entity type %s has no aspect %s; slashes of a URN in a path are written %%2F", u.Type(), endpoint.Truncate(c.PathParams["aspect"]))
	}
	_, err = e.Catalog.DeleteAspects(c.Ctx(), u, spec.Name)
	return writeDeleted(c, err)
}

// writeDeleted responds with an empty list, because the client logs an empty body as an error.
func writeDeleted(c *endpoint.Call, err error) error {
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, []byte("[]"))
}
