package openapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Preconditions as HTTP headers. HTTP clients expect that a write depends on them; DataHub
// clients state them for each aspect, in the member headers of its wrapper. A header has the same
// meaning for a request that writes a single aspect. It does not state the aspect when there are
// several, and ignoring it would overwrite protected values, so all other requests that change
// something refuse it.
const (
	ifVersionMatch    = "If-Version-Match"
	ifMatch           = "If-Match"
	ifModifiedSince   = "If-Modified-Since"
	ifUnmodifiedSince = "If-Unmodified-Since"
)

var preconditions = []string{ifVersionMatch, ifMatch, ifModifiedSince, ifUnmodifiedSince}

// refusePreconditions refuses a request with a precondition that the operation does not support.
func (c *call) refusePreconditions() error {
	switch c.operation.Method {
	case http.MethodGet, http.MethodHead:
		return nil
	}
	for _, name := range preconditions {
		if len(c.Request().Header.Values(name)) > 0 && !c.operation.conditional {
			return fault.New(fault.Malformed, "header %s: this operation cannot keep it; write a single aspect, or state it in the member headers of each aspect", name)
		}
	}
	return nil
}

// condition adds the preconditions of the request to its only proposal.
func (c *call) condition(proposals []catalog.Proposal) error {
	for _, name := range preconditions {
		values := c.Request().Header.Values(name)
		if len(values) == 0 {
			continue
		}
		if len(proposals) != 1 {
			return fault.New(fault.Malformed, "header %s: the request writes %d aspects, and the header is about one; state it in the member headers of each aspect", name, len(proposals))
		}
		if len(values) > 1 {
			return fault.New(fault.Malformed, "header %s: sent %d times", name, len(values))
		}
		member, value, err := conditionOf(name, strings.TrimSpace(values[0]))
		if err != nil {
			return err
		}
		conditions, err := precondition.Parse(map[string]string{member: value})
		if err != nil {
			return err
		}
		if !precondition.Join(&proposals[0].Conditions, conditions) {
			return fault.New(fault.Malformed, "header %s: the aspect states it as well, in its member headers", name)
		}
	}
	return nil
}

// conditionOf converts a precondition to the form of the member headers.
func conditionOf(name, value string) (member, condition string, err error) {
	switch name {
	case ifMatch:
		version, quoted := strings.CutPrefix(value, `"`)
		version, closed := strings.CutSuffix(version, `"`)
		if _, err := strconv.ParseInt(version, 10, 64); err != nil || quoted != closed {
			return "", "", fault.New(fault.Malformed, "header %s must be one version such as \"3\", is %q", name, truncate(value))
		}
		return ifVersionMatch, version, nil
	case ifModifiedSince, ifUnmodifiedSince:
		if at, err := http.ParseTime(value); err == nil {
			value = at.UTC().Format(time.RFC3339)
		}
	}
	return name, value, nil
}
