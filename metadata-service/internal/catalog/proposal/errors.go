package proposal

import (
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
)

// ItemError is the error of one proposal of a batch.
type ItemError struct {
	Index  int // index in the batch
	URN    string
	Aspect string
	Err    error // of kind Malformed, Invalid, Forbidden, Precondition, Conflict, TooLarge or Unsupported
}

func (e ItemError) Error() string {
	return fmt.Sprintf("item %d (%s, %s): %s", e.Index, e.URN, e.Aspect, fault.Message(e.Err))
}

// WriteError lists the errors of a batch that was refused as a whole. Its kind is the gravest of
// its items: Forbidden and Unauthenticated before Precondition, then Malformed and Conflict, then
// Invalid, which also stands for all other kinds.
type WriteError struct {
	Items []ItemError
	// Undecided is the number of proposals without a decision, because an earlier one refused the
	// batch.
	Undecided int
	// Async is set when the client requested an asynchronous write and might expect the valid items
	// to be kept.
	Async bool
}

// maxReported bounds the items that a message names.
const maxReported = 20

func (e *WriteError) Error() string { return e.PublicMessage() }

// PublicMessage names the items with aspect, path and reason, at most 20 of them.
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

// gravity orders the fault kinds of items.
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

// FaultKind returns the kind of the batch for pkg/fault.
func (e *WriteError) FaultKind() fault.Kind {
	kind := fault.Invalid
	for _, item := range e.Items {
		if k := fault.KindOf(item.Err); gravity(k) > gravity(kind) {
			kind = k
		}
	}
	return kind
}

// Unwrap returns the errors of the items, so that errors.As finds a *model.URNError.
func (e *WriteError) Unwrap() []error {
	errs := make([]error, len(e.Items))
	for i, item := range e.Items {
		errs[i] = item.Err
	}
	return errs
}
