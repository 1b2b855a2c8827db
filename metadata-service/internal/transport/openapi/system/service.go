package system

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
)

// whoAmI responds with the actor of the request.
func (a *API) whoAmI(c *endpoint.Call) error {
	actor, ok := auth.ActorFrom(c.Ctx())
	if !ok {
		return fault.New(fault.Unauthenticated, "nobody is signed in")
	}
	return c.JSON(http.StatusOK, map[string]string{"urn": string(actor.URN)})
}

func (a *API) featureFlags(c *endpoint.Call) error {
	flags := a.Flags
	if flags == nil {
		flags = map[string]bool{}
	}
	return c.JSON(http.StatusOK, flags)
}

func (a *API) featureFlag(c *endpoint.Call) error {
	name := c.PathParams["name"]
	if value, ok := a.Flags[name]; ok {
		return c.JSON(http.StatusOK, map[string]bool{name: value})
	}
	available := make([]string, 0, len(a.Flags))
	for known := range a.Flags {
		available = append(available, known)
	}
	slices.Sort(available)
	return c.JSON(http.StatusNotFound, struct {
		Error     string `json:"error"`
		Available string `json:"available"`
	}{"Unknown flag: " + endpoint.Truncate(name), strings.Join(available, ", ")})
}

// track accepts usage events of the web client and discards them, so that the client does not
// report failures to its user.
func (a *API) track(c *endpoint.Call) error {
	var event struct {
		Type string `json:"type"`
	}
	if err := c.Decode(endpoint.BodyLimit, &event); err != nil {
		return err
	}
	if event.Type == "" {
		return fault.New(fault.Malformed, "the event has no type")
	}
	return c.NoContent(http.StatusOK)
}

// requireManage admits only actors that may manage the system.
func (a *API) requireManage(handle func(*endpoint.Call) error) func(*endpoint.Call) error {
	return requirePermission(a.Operations.MayManage, handle)
}

// requireStatus admits only actors that may read the status of the system.
func (a *API) requireStatus(handle func(*endpoint.Call) error) func(*endpoint.Call) error {
	return requirePermission(a.Operations.MayReadStatus, handle)
}

// requirePermission admits only actors for which the function may returns no error. Clients
// search for the word authorization in refusals.
func requirePermission(may func(context.Context) error, handle func(*endpoint.Call) error) func(*endpoint.Call) error {
	return func(c *endpoint.Call) error {
		if err := may(c.Ctx()); errors.Is(err, fault.Forbidden) {
			return fault.Wrap(err, fault.Forbidden, "no authorization: %s", fault.Message(err))
		} else if err != nil {
			return err
		}
		return handle(c)
	}
}
