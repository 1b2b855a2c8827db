package timeseries

import (
	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of the contract, not of a driver.
const (
	MaxIndexBytes = 200  // index name
	MaxIDBytes    = 512  // document id
	MaxConditions = 1024 // conditions of a filter, in all alternatives
)

// CheckIndex checks an index name: it consists of lower-case letters, digits, underscores and
// hyphens and starts with a letter, so that it can be a file name on every system. The error is of
// kind fault.Invalid.
func CheckIndex(name string) error {
	if name == "" || len(name) > MaxIndexBytes {
		return fault.New(fault.Invalid, "index name must have 1 to %d bytes, this one has %d", MaxIndexBytes, len(name))
	}
	for i := range len(name) {
		if !indexByte(name[i], i == 0) {
			return fault.New(fault.Invalid,
				"index name %q must start with a lower-case letter and go on with lower-case letters, digits, _ and -", name)
		}
	}
	return nil
}

func indexByte(c byte, first bool) bool {
	switch {
	case 'a' <= c && c <= 'z':
		return true
	case '0' <= c && c <= '9', c == '_', c == '-':
		return !first
	}
	return false
}

// Check checks whether a driver can apply the batch. The error is of kind fault.Invalid and names
// the step.
func (b Batch) Check() error {
	for i, op := range b.Ops {
		if (op.Upsert == nil) == (op.Erase == nil) {
			return fault.New(fault.Invalid, "step %d must either upsert or erase", i)
		}
		if op.Upsert == nil {
			continue
		}
		if err := op.Upsert.check(); err != nil {
			return fault.Wrap(err, fault.Invalid, "step %d", i)
		}
	}
	return nil
}

// Upserts reports whether the batch upserts a document.
func (b Batch) Upserts() bool {
	for _, op := range b.Ops {
		if op.Upsert != nil {
			return true
		}
	}
	return false
}

func (d *Document) check() error {
	if d.ID == "" || len(d.ID) > MaxIDBytes {
		return fault.New(fault.Invalid, "document id must have 1 to %d bytes, this one has %d", MaxIDBytes, len(d.ID))
	}
	if d.URN == "" {
		return fault.New(fault.Invalid, "document %s has no URN", d.ID)
	}
	if d.Exploded && d.Event != nil {
		return fault.New(fault.Invalid, "document %s is exploded and must have no event", d.ID)
	}
	for name, value := range d.Columns {
		switch value.(type) {
		case string, int64, float64:
		default:
			return fault.New(fault.Invalid, "column %q of document %s is a %T; use string, int64 or float64", name, d.ID, value)
		}
	}
	return nil
}
