// Package background gives goroutines an owner: one that waits for them, and
// that reports in log and health how they ended.
//
// A panic in a goroutine that nobody recovers ends the whole process and with
// it everything else that goes on. Here it becomes an error that tells the place.
package background

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// PanicError is a panic that was recovered. It is an internal error to callers;
// value and place are for the log.
type PanicError struct {
	Value any
	// Place is where it happened and by which way, the innermost function first, in one line.
	Place string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v at %s", e.Value, e.Place) }

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
			err = &PanicError{Value: value, Place: Place(PanicFrames())}
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

// placeFrames bounds Place; what lies further out is the same for most.
const placeFrames = 10

// PanicFrames are the functions that were running when a panic happened, the
// innermost one first. It is to be called while the panic is recovered.
func PanicFrames() (found []runtime.Frame) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, "runtime."):
			panicked = true
		case panicked:
			found = append(found, frame)
		}
		if !more {
			return found
		}
	}
}

// Place writes frames in one line.
func Place(frames []runtime.Frame) string {
	var places []string
	for _, f := range frames[:min(len(frames), placeFrames)] {
		places = append(places, fmt.Sprintf("%s:%d", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.Line))
	}
	return strings.Join(places, " < ")
}
