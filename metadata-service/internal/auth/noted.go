package auth

import (
	"context"
	"sync"
)

// maxRefusals bounds the refusals that are noted of one request.
const maxRefusals = 20

type refusals struct {
	mu    sync.Mutex
	noted []error
}

type refusalsKey struct{}

// WithRefusals lets a request note what it was refused, where its answer does not
// tell as a whole.
func WithRefusals(ctx context.Context) context.Context {
	return context.WithValue(ctx, refusalsKey{}, &refusals{})
}

// NoteRefusal notes a refusal that becomes a part of an answer, such as the error of
// one field, so that the audit log hears of it.
func NoteRefusal(ctx context.Context, refusal error) {
	r, ok := ctx.Value(refusalsKey{}).(*refusals)
	if !ok {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.noted) < maxRefusals {
		r.noted = append(r.noted, refusal)
	}
}

// Refusals gives what was noted, at most twenty.
func Refusals(ctx context.Context) []error {
	r, ok := ctx.Value(refusalsKey{}).(*refusals)
	if !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.noted
}
