package fault

import "slices"

// Refusal is what a Forbidden failure tells programs beside its message: who was
// refused, doing what, and what would have allowed it.
type Refusal struct {
	// Actor is the URN of who asked.
	Actor string `json:"actor,omitempty"`
	// Operation is what was tried by an interface that reads or writes anything: READ, UPDATE
	// ... It is empty for operations that have a name of their own.
	Operation string `json:"operation,omitempty"`
	// Missing is empty when no privilege would have helped.
	Missing []Missing `json:"missing,omitempty"`
}

// Missing is what an actor lacks over one resource.
type Missing struct {
	// Privileges are those of which any one suffices.
	Privileges []string `json:"privileges"`
	// Resource is the URN of an entity, "urn:li:restricted:" for one that the actor may not view, the beginning of the URNs of a type when all its
	// entities are meant, or empty for the platform.
	Resource string `json:"resource,omitempty"`
}

// maxMissing bounds what is told of a batch.
const maxMissing = 20

// Refuse makes a Forbidden failure that tells programs why.
func Refuse(r Refusal, format string, args ...any) *Error {
	err := New(Forbidden, format, args...)
	err.Refusal = &r
	return err
}

// RefusalOf is what the Forbidden failures in err's tree tell, those of a batch
// together: each missing privilege once, and at most twenty.
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
