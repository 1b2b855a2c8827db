package system

import (
	"net/http"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

type typeCount struct {
	EntityType string `json:"entityType"`
	Count      int    `json:"count"`
}

func (a *API) counts(c *endpoint.Call) error {
	names, err := c.List("types")
	if err != nil {
		return err
	}
	total, err := c.Flag("includeTotal", false)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = endpoint.Listable(a.Registry)
	}
	// Counting visits every entity, so repeated types are counted once.
	seen := map[string]bool{}
	names = slices.DeleteFunc(names, func(name string) bool {
		key := strings.ToLower(name)
		again := seen[key]
		seen[key] = true
		return again
	})
	answer := struct {
		Counts []typeCount `json:"counts"`
		Total  *int        `json:"total,omitempty"`
	}{Counts: make([]typeCount, len(names))}
	sum := 0
	for i, name := range names {
		if answer.Counts[i], err = a.countOf(c, name); err != nil {
			return err
		}
		sum += answer.Counts[i].Count
	}
	if total {
		answer.Total = &sum
	}
	return c.JSON(http.StatusOK, answer)
}

func (a *API) countType(c *endpoint.Call) error {
	n, err := a.countOf(c, c.PathParams["type"])
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, n)
}

// countOf counts the entities of a type, without soft-deleted ones.
func (a *API) countOf(c *endpoint.Call, name string) (typeCount, error) {
	spec, err := endpoint.EntityType(a.Registry, name)
	if err != nil {
		return typeCount{}, err
	}
	n, err := a.Discover.CountAll(c.Ctx(), spec.Name)
	return typeCount{EntityType: spec.Name, Count: n}, err
}
