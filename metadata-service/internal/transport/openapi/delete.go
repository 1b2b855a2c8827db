package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/pkg/fault"
)

func (e entities) delete(c *call) error {
	u, spec, err := e.Registry.Resolve(c.path["urn"])
	if err != nil {
		return err
	}
	names, err := c.list("aspects", "aspectNames")
	if err != nil {
		return err
	}
	clear, err := c.flag("clear", false)
	if err != nil {
		return err
	}
	switch {
	case len(names) > 0:
		for i, name := range names {
			aspect, ok := spec.AspectFold(name)
			if !ok {
				return fault.New(fault.Malformed, "entity type %s has no aspect %s", spec.Name, truncate(name))
			}
			names[i] = aspect.Name
		}
		_, err = e.Catalog.DeleteAspects(c.ctx(), u, names...)
	case clear:
		_, err = e.Catalog.ClearEntity(c.ctx(), u)
	default:
		_, err = e.Catalog.DeleteEntity(c.ctx(), u)
	}
	return c.writeDeleted(err)
}

func (e entities) deleteAspect(c *call) error {
	u, spec, ok, err := e.aspectAt(c)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.Malformed, "entity type %s has no aspect %s; slashes of a URN in a path are written %%2F", u.Type(), truncate(c.path["aspect"]))
	}
	_, err = e.Catalog.DeleteAspects(c.ctx(), u, spec.Name)
	return c.writeDeleted(err)
}

// writeDeleted responds with an empty list, because the client logs an empty body as an error.
func (c *call) writeDeleted(err error) error {
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, []byte("[]"))
}
