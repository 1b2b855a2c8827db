package auth

import (
	"context"
	"sync"
)

// maxRefusals limits the refusals that are recorded for one request.
const maxRefusals = 20

type refusals struct {
	mu     sync.Mutex
	errors []error
}

type refusalsKey struct{}

// WithRefusals returns a context that records refusals which the status of the answer does not
// show.
func WithRefusals(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusalsKey{}, &refusals{})
}

// NoteRefusal records a refusal that is only a part of an answer, such as the error of one field,
// for the audit log. It does nothing without WithRefusals, and after the first twenty refusals. It
// is safe for concurrent use.
func NoteRefusal(ctx context.Context, refusal error) {
	r, ok := ctx.Value(refusalsKey{}).(*refusals)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.errors) < maxRefusals {
		r.errors = append(r.errors, refusal)
	}
}

// Refusals returns the recorded refusals, at most twenty.
func Refusals(ctx context.Context) []error {
	r, ok := ctx.Value(refusalsKey{}).(*refusals)
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errors
}
