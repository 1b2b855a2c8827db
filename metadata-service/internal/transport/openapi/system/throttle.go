package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
)

// throttleInfo is a throttle in force, by kind.
type throttleInfo struct {
	Throttled map[string]bool  `json:"throttled"`
	Backoff   map[string]int64 `json:"backoffWaitMs"`
}

// manualThrottle is the only kind of throttle: awaited followers of the change log apply a write
// before its response, so they are never behind.
const manualThrottle = "MANUAL"

func (a *API) throttles(c *endpoint.Call) error {
	on, err := a.Catalog.Throttled(c.Ctx())
	if err != nil {
		return err
	}
	all := map[string]throttleInfo{}
	if on {
		all["["+manualThrottle+"]"] = throttleInfo{map[string]bool{manualThrottle: true}, map[string]int64{manualThrottle: fault.DefaultRetryAfter.Milliseconds()}}
	}
	return c.JSON(http.StatusOK, all)
}

func (a *API) throttle(c *endpoint.Call) error {
	if c.QueryParam("enabled") == "" {
		return fault.New(fault.Malformed, "query parameter enabled is required: true or false")
	}
	on, err := c.Flag("enabled", false)
	if err != nil {
		return err
	}
	if err := a.Catalog.SetThrottled(c.Ctx(), on); err != nil {
		return err
	}
	return a.throttles(c)
}
