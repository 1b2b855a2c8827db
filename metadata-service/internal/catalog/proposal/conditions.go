package proposal

import (
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Conditions are preconditions of a write on the stored aspect. The zero value has none.
type Conditions struct {
	// Version is the logical version that must be stored, or Absent; nil allows any version.
	Version *int64
	// ModifiedSince and UnmodifiedSince compare with the time of the last change, to the millisecond.
	ModifiedSince, UnmodifiedSince *time.Time
	// NoneMatch turns the conflict of a CREATE or CREATE_ENTITY into a silent drop.
	NoneMatch bool
}

// Absent is the version of an aspect that is not stored.
const Absent int64 = -1

// AtVersion returns the condition that the stored aspect has a logical version, as reported by
// store.LogicalVersion, or is Absent.
func AtVersion(version int64) Conditions { return Conditions{Version: &version} }

// VersionOf returns the version of a record for AtVersion; nil is Absent.
func VersionOf(stored *model.Record) int64 {
	if stored == nil {
		return Absent
	}
	return store.LogicalVersion(stored)
}

func (c Conditions) equal(o Conditions) bool {
	return c.NoneMatch == o.NoneMatch && sameVersion(c.Version, o.Version) &&
		sameInstant(c.ModifiedSince, o.ModifiedSince) && sameInstant(c.UnmodifiedSince, o.UnmodifiedSince)
}

func sameVersion(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

func sameInstant(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// Check compares the conditions with the stored row, nil for an absent one, which counts as
// infinitely old. An unmet condition is fault.Precondition.
func (c Conditions) Check(old *model.Record) error {
	if c.Version != nil {
		if stored := VersionOf(old); stored != *c.Version {
			return fault.New(fault.Precondition, "Expected version %d, actual version %d", *c.Version, stored)
		}
	}
	if c.ModifiedSince != nil && (old == nil || old.CreatedOn <= c.ModifiedSince.UnixMilli()) {
		return fault.New(fault.Precondition, "Item last modified %s <= %s", modifiedText(old), c.ModifiedSince.Format(time.RFC3339Nano))
	}
	if c.UnmodifiedSince != nil && old != nil && old.CreatedOn > c.UnmodifiedSince.UnixMilli() {
		return fault.New(fault.Precondition, "Item last modified %s > %s", modifiedText(old), c.UnmodifiedSince.Format(time.RFC3339Nano))
	}
	return nil
}

func modifiedText(old *model.Record) string {
	if old == nil {
		return "never"
	}
	return time.UnixMilli(old.CreatedOn).UTC().Format(time.RFC3339Nano)
}
