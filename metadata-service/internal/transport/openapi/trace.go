package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/pkg/urn"
)

// storageTrace is where a traced write stands in one storage.
type storageTrace struct {
	WriteStatus run.WriteStatus `json:"writeStatus"`
}

type aspectTrace struct {
	Success bool         `json:"success"`
	Primary storageTrace `json:"primaryStorage"`
	Search  storageTrace `json:"searchStorage"`
}

// notTraced is the state of a storage that keeps no trace ids.
const notTraced run.WriteStatus = "TRACE_NOT_IMPLEMENTED"

func (a *API) traceWrite(c *call) error {
	id, err := parseTraceID(c.path["traceId"])
	if err != nil {
		return err
	}
	errorsOnly, err := c.flag("onlyIncludeErrors", true)
	if err != nil {
		return err
	}
	var body map[string][]string
	if err := c.decode(bodyLimit, &body); err != nil {
		return err
	}
	asked := make(map[urn.URN][]string, len(body))
	total := len(body)
	for text, aspects := range body {
		if total += len(aspects); total > maxItems {
			return tooMany("aspects")
		}
		u, _, err := a.Registry.Resolve(text)
		if err != nil {
			return err
		}
		asked[u] = a.aspectNames(aspects)
	}
	states, err := run.New(a.Catalog).Trace(c.ctx(), id, asked)
	if err != nil {
		return err
	}
	answer := make(map[urn.URN]map[string]aspectTrace, len(states))
	for u, aspects := range states {
		traces := make(map[string]aspectTrace, len(aspects))
		for name, state := range aspects {
			t := aspectTrace{Success: state != run.StatusError, Primary: storageTrace{state}, Search: storageTrace{notTraced}}
			if !errorsOnly || !t.Success {
				traces[name] = t
			}
		}
		if len(traces) > 0 {
			answer[u] = traces
		}
	}
	return c.JSON(http.StatusOK, answer)
}
