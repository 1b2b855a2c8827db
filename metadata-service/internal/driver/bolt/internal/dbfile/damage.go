// Package dbfile isolates its callers from failures of a bbolt file: damaged pages, to which bbolt
// responds with panics, memory faults or endless walks, and full disks, which bbolt reports only in
// message text. The store and the time series use all their files through dbfile. The package does
// not interpret the contents of the files.
package dbfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/pkg/fault"
)

// DamageError reports that a file does not contain the data that was written to it. For callers it
// is an internal error; the text is for the operator.
type DamageError struct {
	Path   string
	Reason string
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("the file %s is damaged or not a store (%s); stop the service, let `metadata-service verify` list the damage, "+
		"and restore the data folder from a backup", e.Path, e.Reason)
}

// FaultKind implements the interface of package fault.
func (*DamageError) FaultKind() fault.Kind { return fault.Internal }

// Guard runs fn, which works on the pages of a file. On a damaged page bbolt panics, or the
// processor faults when the page refers outside the file; Guard converts both into a *DamageError.
// Every use of bbolt must be inside a Guard, in whatever goroutine. A panic with another cause
// becomes an internal error.
func Guard(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if value := recover(); value != nil {
			err = Recovered(path, value)
		}
	}()
	return fn()
}

// Recovered converts a panic into an error. Call it in the deferred function that recovers, while
// the stack still shows the origin of the panic.
func Recovered(path string, value any) error {
	frames := background.PanicFrames()
	_, outside := value.(interface{ Addr() uintptr }) // address of the fault in memory
	if outside || len(frames) > 0 && strings.HasPrefix(frames[0].Function, "go.etcd.io/bbolt") {
		reason := fmt.Sprint(value)
		if _, ok := value.(runtime.Error); ok {
			reason = "a page leads to where the file holds nothing, or something else" // instead of the processor's message
		}
		return &DamageError{Path: path, Reason: reason}
	}
	return fault.Wrap(fmt.Errorf("panic: %v at %s", value, background.Place(frames)), fault.Internal, "work on %s", path)
}

// IsDamage reports whether an error is due to a damaged page.
func IsDamage(err error) bool {
	var damage *DamageError
	return errors.As(err, &damage)
}

// Inspect reads every page of a file and returns at most 50 problems. No process may write the file
// meanwhile: a file in use is an error of kind fault.Unavailable. An absent file is fs.ErrNotExist.
func Inspect(ctx context.Context, path string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	if isEmpty(path) {
		return []string{emptyFile}, nil
	}
	if reason := cut(path); reason != "" {
		return []string{reason}, nil
	}
	pageSize := 0
	// Opening takes the lock and reads the page size; the page walk below finds the damage.
	err := Guard(path, func() error {
		db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: 2 * time.Second})
		if err != nil {
			return err
		}
		pageSize = db.Info().PageSize
		return db.Close()
	})
	if errors.Is(err, berrors.ErrTimeout) {
		return nil, fault.New(fault.Unavailable, "another process uses %s; stop it first", path)
	}
	if err != nil {
		return []string{err.Error()}, nil
	}
	return inspect(path, pageSize, true)
}
