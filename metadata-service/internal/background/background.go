// Package background gives goroutines an owner that waits for them and reports their failures in
// log and health.
//
// An unrecovered panic in a goroutine ends the whole process. This package converts it into an
// error with the place of the panic.
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

// PanicError is a recovered panic. For callers it is an internal error; value and place are for the
// log.
type PanicError struct {
	Value any
	// Place lists the functions that were running, the innermost first, in one line.
	Place string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v at %s", e.Value, e.Place) }

// Unwrap returns the panic value if it is an error, otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Protect runs fn in the goroutine of the caller and returns its error. It returns a panic as a
// *PanicError.
func Protect(fn func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Place: Place(PanicFrames())}
		}
	}()
	return fn()
}

// Group owns goroutines that run as long as their owner. It is safe for concurrent use. NewGroup
// creates one.
type Group struct {
	log  *slog.Logger
	work sync.WaitGroup

	mu     sync.Mutex
	failed []string
}

// NewGroup creates a group that reports to a log.
func NewGroup(log *slog.Logger) *Group { return &Group{log: log} }

// Go runs fn in a goroutine. If fn panics or returns an error other than context.Canceled, the
// group logs the error, and Failed includes the name.
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

// Failed returns the names of the tasks that ended with an error or a panic, in order of their
// ends.
func (g *Group) Failed() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.failed)
}

// Wait returns when all goroutines have ended.
func (g *Group) Wait() { g.work.Wait() }

// placeFrames limits Place; the outer frames are the same in most cases.
const placeFrames = 10

// PanicFrames returns the functions that were running when a panic happened, the innermost first.
// Call it while the panic is being recovered.
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

// Place formats frames as one line.
func Place(frames []runtime.Frame) string {
	var places []string
	for _, f := range frames[:min(len(frames), placeFrames)] {
		places = append(places, fmt.Sprintf("%s:%d", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.Line))
	}
	return strings.Join(places, " < ")
}
