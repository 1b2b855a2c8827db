package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/urn"
)

// storageTrace is the state of a traced write in one storage.
type storageTrace struct {
	WriteStatus     run.WriteStatus  `json:"writeStatus"`
	WriteMessage    string           `json:"writeMessage,omitempty"`
	WriteExceptions []writeException `json:"writeExceptions,omitempty"`
}

type writeException struct {
	Message string `json:"message"`
}

type aspectTrace struct {
	Success bool         `json:"success"`
	Primary storageTrace `json:"primaryStorage"`
	Search  storageTrace `json:"searchStorage"`
}

func (a *API) traceWrite(c *endpoint.Call) error {
	id, err := endpoint.ParseTraceID(c.PathParams["traceId"])
	if err != nil {
		return err
	}
	errorsOnly, err := c.Flag("onlyIncludeErrors", true)
	if err != nil {
		return err
	}
	detailed, err := c.Flag("detailed", false)
	if err != nil {
		return err
	}
	var body map[string][]string
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	requested := make(map[urn.URN][]string, len(body))
	total := len(body)
	for text, aspects := range body {
		if total += len(aspects); total > endpoint.MaxItems {
			return endpoint.TooMany("aspects")
		}
		u, _, err := a.Registry.Resolve(text)
		if err != nil {
			return err
		}
		requested[u] = a.aspects.All(aspects)
	}
	states, err := run.New(a.Catalog).Trace(c.Ctx(), id, requested)
	if err != nil {
		return err
	}
	answer := make(map[urn.URN]map[string]aspectTrace, len(states))
	for u, aspects := range states {
		traces := make(map[string]aspectTrace, len(aspects))
		for name, state := range aspects {
			t := traceOfAspect(state, detailed)
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

func traceOfAspect(state run.Traced, detailed bool) aspectTrace {
	t := aspectTrace{
		Success: state.Primary != run.StatusError && state.Search != run.StatusError,
		Primary: storageTrace{WriteStatus: state.Primary, WriteMessage: state.Message}, Search: storageTrace{WriteStatus: state.Search},
	}
	if state.Search == run.StatusError {
		t.Search.WriteMessage = "Primary storage write failed."
	}
	if detailed && state.Message != "" {
		t.Primary.WriteExceptions = []writeException{{state.Message}}
	}
	return t
}
