// Package precondition parses the preconditions of writes that clients send as headers: HTTP headers,
// or the headers of a proposal in a request body. All transports parse them here, so that a header has
// one meaning; the kernel takes catalog.Conditions.
package precondition

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/pkg/fault"
)

// maxHeaders is the largest number of headers of a proposal.
const maxHeaders = 50

// Parse returns the conditions in the headers of a proposal, ignoring the case of their names:
// If-Version-Match (a logical version, -1 for an absent aspect), If-Modified-Since and
// If-Unmodified-Since (ISO 8601 instants), and If-None-Match (* drops conflicting creations
// silently). It ignores other headers. Errors are fault.Malformed.
func Parse(headers map[string]string) (catalog.Conditions, error) {
	var c catalog.Conditions
	if len(headers) > maxHeaders {
		return c, fault.New(fault.Malformed, "headers: more than %d", maxHeaders)
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := headers[name]
		var err error
		switch strings.ToLower(name) {
		case "if-version-match":
			version, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return c, fault.New(fault.Malformed, "header %s must be a whole number, is %q", name, value)
			}
			c.Version = &version
		case "if-modified-since":
			c.ModifiedSince, err = instant(name, value)
		case "if-unmodified-since":
			c.UnmodifiedSince, err = instant(name, value)
		case "if-none-match":
			c.NoneMatch = strings.TrimSpace(value) == "*"
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// Join adds conditions to others, and reports false if both state the same condition.
func Join(to *catalog.Conditions, more catalog.Conditions) bool {
	to.NoneMatch = to.NoneMatch || more.NoneMatch
	return join(&to.Version, more.Version) && join(&to.ModifiedSince, more.ModifiedSince) && join(&to.UnmodifiedSince, more.UnmodifiedSince)
}

func join[T any](to **T, more *T) bool {
	if *to != nil && more != nil {
		return false
	}
	if more != nil {
		*to = more
	}
	return true
}

func instant(name, value string) (*time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, value)
	if err != nil {
		return nil, fault.New(fault.Malformed, "header %s must be an ISO 8601 instant such as 2026-01-31T10:00:00Z, is %q", name, value)
	}
	return &t, nil
}
