package proposal

import (
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// ItemError is what is wrong with one proposal of a batch.
type ItemError struct {
	Index  int // in the batch
	URN    string
	Aspect string
	Err    error // of kind Malformed, Invalid, Forbidden, Precondition or Conflict
}

func (e ItemError) Error() string {
	return fmt.Sprintf("item %d (%s, %s): %s", e.Index, e.URN, e.Aspect, fault.Message(e.Err))
}

// WriteError lists what is wrong with the proposals of a batch, of which
// nothing was written. Its kind is the gravest of its items: Forbidden before
// Precondition before Malformed and Conflict, and these before Invalid.
type WriteError struct {
	Items []ItemError
	// Undecided is how many further proposals nobody has decided about, as the batch was
	// refused before.
	Undecided int
	// Async is set when the caller asked for asynchronous writing and might expect the
	// good items to be kept.
	Async bool
}

// maxReported is how many items a message names.
const maxReported = 20

func (e *WriteError) Error() string { return e.PublicMessage() }

// PublicMessage names the items with aspect, path and reason.
func (e *WriteError) PublicMessage() string {
	texts := make([]string, 0, min(len(e.Items), maxReported))
	for i, item := range e.Items {
		if i == maxReported {
			texts = append(texts, fmt.Sprintf("and %d more", len(e.Items)-i))
			break
		}
		texts = append(texts, fmt.Sprintf("EntityAspect:(%s,%s) Exceptions: [%s]", item.URN, item.Aspect, fault.Message(item.Err)))
	}
	if e.Undecided > 0 {
		texts = append(texts, fmt.Sprintf("%d further items were not examined", e.Undecided))
	}
	text := "Failed to validate MCP due to: ValidationExceptionCollection{" + strings.Join(texts, "; ") + "}"
	if e.Async {
		text += ". Nothing of the batch was written: asynchronous batches are all or nothing, too"
	}
	return text
}

// gravity orders the kinds a batch may fail with.
func gravity(k fault.Kind) int {
	switch k {
	case fault.Forbidden, fault.Unauthenticated:
		return 3
	case fault.Precondition:
		return 2
	case fault.Malformed, fault.Conflict:
		return 1
	}
	return 0
}

// FaultKind tells pkg/fault the kind of the batch.
func (e *WriteError) FaultKind() fault.Kind {
	kind := fault.Invalid
	for _, item := range e.Items {
		if k := fault.KindOf(item.Err); gravity(k) > gravity(kind) {
			kind = k
		}
	}
	return kind
}

// Unwrap gives the errors of the items, so that errors.As finds a *model.URNError.
func (e *WriteError) Unwrap() []error {
	errs := make([]error, len(e.Items))
	for i, item := range e.Items {
		errs[i] = item.Err
	}
	return errs
}
