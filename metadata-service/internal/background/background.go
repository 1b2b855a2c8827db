// Package background gives goroutines an owner: one that waits for them, and
// that reports in log and health how they ended.
//
// A panic in a goroutine that nobody recovers ends the whole process and with
// it everything else that goes on. Here it becomes an error with the stack.
package background

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
)

// PanicError is a panic that was recovered. It is an internal error to callers;
// value and stack are for the log.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap gives the error that fn panicked with, if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Protect runs fn in the goroutine of the caller and returns its error; a panic
// is returned as a *PanicError.
func Protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return fn()
}

// Group owns goroutines that run as long as its maker does. It is safe for
// concurrent use. Make one with NewGroup.
type Group struct {
	log  *slog.Logger
	work sync.WaitGroup

	mu     sync.Mutex
	failed []string
}

// NewGroup makes a group that reports to a log.
func NewGroup(log *slog.Logger) *Group { return &Group{log: log} }

// Go runs fn in a goroutine. That it returns an error, other than that of a
// context that was cancelled, or panics, is logged and kept for Failed.
func (g *Group) Go(name string, fn func() error) {
	g.work.Go(func() {
		err := Protect(fn)
		if err == nil || errors.Is(err, context.Canceled) {
			return
		}
		g.log.Error("background task ended", "task", name, "error", err)
		g.mu.Lock()
		defer g.mu.Unlock()
		g.failed = append(g.failed, name)
	})
}

// Failed names the tasks that ended by an error or a panic, in that order.
func (g *Group) Failed() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.failed)
}

// Wait returns when all goroutines have ended.
func (g *Group) Wait() { g.work.Wait() }
