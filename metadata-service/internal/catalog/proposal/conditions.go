package proposal

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Conditions are the preconditions on the stored aspect in the headers of a proposal.
type Conditions struct {
	version         string // If-Version-Match; "-1" means absent
	modifiedSince   *time.Time
	unmodifiedSince *time.Time
	// NoneMatch turns the conflict of a CREATE or CREATE_ENTITY into a silent drop.
	NoneMatch bool
}

func (c Conditions) equal(o Conditions) bool {
	return c.version == o.version && c.NoneMatch == o.NoneMatch &&
		sameInstant(c.modifiedSince, o.modifiedSince) && sameInstant(c.unmodifiedSince, o.unmodifiedSince)
}

func sameInstant(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

const maxHeaders = 50

// readConditions reads the headers, ignoring the case of their names. It ignores headers that are
// no conditions.
func readConditions(headers map[string]string) (Conditions, error) {
	var c Conditions
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
			c.version = strconv.FormatInt(version, 10)
		case "if-modified-since":
			c.modifiedSince, err = parseInstant(name, value)
		case "if-unmodified-since":
			c.unmodifiedSince, err = parseInstant(name, value)
		case "if-none-match":
			c.NoneMatch = strings.TrimSpace(value) == "*"
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

func parseInstant(name, value string) (*time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, value)
	if err != nil {
		return nil, fault.New(fault.Malformed, "header %s must be an ISO 8601 instant such as 2026-01-31T10:00:00Z, is %q", name, value)
	}
	return &t, nil
}

// Check compares the conditions with the stored row, nil for an absent one, which counts as
// infinitely old. An unmet condition is fault.Precondition.
func (c Conditions) Check(old *model.Record) error {
	if c.version != "" {
		stored := "-1"
		if old != nil {
			stored = strconv.FormatInt(store.LogicalVersion(old), 10)
		}
		if stored != c.version {
			return fault.New(fault.Precondition, "Expected version %s, actual version %s", c.version, stored)
		}
	}
	if c.modifiedSince != nil && (old == nil || old.CreatedOn <= c.modifiedSince.UnixMilli()) {
		return fault.New(fault.Precondition, "Item last modified %s <= %s", modifiedText(old), c.modifiedSince.Format(time.RFC3339Nano))
	}
	if c.unmodifiedSince != nil && old != nil && old.CreatedOn > c.unmodifiedSince.UnixMilli() {
		return fault.New(fault.Precondition, "Item last modified %s > %s", modifiedText(old), c.unmodifiedSince.Format(time.RFC3339Nano))
	}
	return nil
}

func modifiedText(old *model.Record) string {
	if old == nil {
		return "never"
	}
	return time.UnixMilli(old.CreatedOn).UTC().Format(time.RFC3339Nano)
}
