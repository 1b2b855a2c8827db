package fault

import "slices"

// Refusal describes a Forbidden failure to programs, in addition to its message: the actor, the
// operation, and the privileges that would have allowed it.
type Refusal struct {
	// Actor is the URN of the actor.
	Actor string `json:"actor,omitempty"`
	// Operation is the operation of a generic read or write interface: READ, UPDATE ... It is empty
	// for operations with a specific name.
	Operation string `json:"operation,omitempty"`
	// Missing is empty if no privilege would have allowed the operation.
	Missing []Missing `json:"missing,omitempty"`
}

// Missing lists the privileges that an actor lacks on one resource.
type Missing struct {
	// Privileges are alternatives: any one suffices.
	Privileges []string `json:"privileges"`
	// Resource is the URN of an entity; "urn:li:restricted:" for one that the actor may not view;
	// the common prefix of the URNs of a type if all its entities are meant; or empty for the
	// platform.
	Resource string `json:"resource,omitempty"`
}

// maxMissing is the maximum number of entries for a batch.
const maxMissing = 20

// Refuse returns a Forbidden failure with a Refusal.
func Refuse(r Refusal, format string, args ...any) *Error {
	err := New(Forbidden, format, args...)
	err.Refusal = &r
	return err
}

// RefusalOf combines the Refusals of all Forbidden failures in err's tree, as for a batch: each
// missing privilege once, and at most twenty.
func RefusalOf(err error) Refusal {
	var all Refusal
	collect(err, &all)
	return all
}

func collect(err error, all *Refusal) {
	if e, ok := err.(*Error); ok && e.Kind == Forbidden && e.Refusal != nil {
		all.add(e.Refusal)
	}
	switch wrapper := err.(type) {
	case interface{ Unwrap() error }:
		collect(wrapper.Unwrap(), all)
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			collect(inner, all)
		}
	}
}

func (r *Refusal) add(other *Refusal) {
	if r.Actor == "" {
		r.Actor = other.Actor
	}
	if r.Operation == "" {
		r.Operation = other.Operation
	}
	for _, m := range other.Missing {
		same := func(known Missing) bool {
			return known.Resource == m.Resource && slices.Equal(known.Privileges, m.Privileges)
		}
		if len(r.Missing) < maxMissing && !slices.ContainsFunc(r.Missing, same) {
			r.Missing = append(r.Missing, m)
		}
	}
}
