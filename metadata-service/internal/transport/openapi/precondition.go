package openapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
)

// addConditions adds the preconditions of the request to its only proposal.
func addConditions(c *endpoint.Call, proposals []catalog.Proposal) error {
	for _, name := range endpoint.Preconditions() {
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
	case endpoint.IfMatch:
		version, quoted := strings.CutPrefix(value, `"`)
		version, closed := strings.CutSuffix(version, `"`)
		if _, err := strconv.ParseInt(version, 10, 64); err != nil || quoted != closed {
			return "", "", fault.New(fault.Malformed, "header %s must be one version such as \"3\", is %q", name, endpoint.Truncate(value))
		}
		return endpoint.IfVersionMatch, version, nil
	case endpoint.IfModifiedSince, endpoint.IfUnmodifiedSince:
		if at, err := http.ParseTime(value); err == nil {
			value = at.UTC().Format(time.RFC3339)
		}
	}
	return name, value, nil
}
