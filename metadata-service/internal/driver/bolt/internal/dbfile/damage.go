// Package dbfile keeps what can go wrong with a file of bbolt away from those who
// work with one: damaged pages, which the library answers with panics, faults and
// endless walks, and full disks, which it tells of in text alone. The store and
// the time series use each of their files through it. It knows nothing of what
// the files hold.
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

// DamageError says that a file does not hold what was written to it. It is an
// internal error to callers; the text is for the operator.
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

// Guard runs fn, which works on the pages of a file. The library panics when it
// meets a damaged one, or the processor when that leads outside the file: both
// become a *DamageError. Every use of the library goes through here, in whatever
// goroutine; a panic that has another cause is an internal error.
func Guard(path string, fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if value := recover(); value != nil {
			err = Recovered(path, value)
		}
	}()
	return fn()
}

// Recovered makes an error of a panic. It is called where that is recovered,
// while the stack still tells where it came from.
func Recovered(path string, value any) error {
	frames := background.PanicFrames()
	_, outside := value.(interface{ Addr() uintptr }) // of memory
	if outside || len(frames) > 0 && strings.HasPrefix(frames[0].Function, "go.etcd.io/bbolt") {
		reason := fmt.Sprint(value)
		if _, ok := value.(runtime.Error); ok {
			reason = "a page leads to where the file holds nothing, or something else" // and not what the processor says of it
		}
		return &DamageError{Path: path, Reason: reason}
	}
	return fault.Wrap(fmt.Errorf("panic: %v at %s", value, background.Place(frames)), fault.Internal, "work on %s", path)
}

// IsDamage tells whether an error is due to a damaged page.
func IsDamage(err error) bool {
	var damage *DamageError
	return errors.As(err, &damage)
}

// Inspect reads every page of a file that no process writes, and lists what is wrong with it, at most 50 problems. A file in use is of kind
// fault.Unavailable, an absent one fs.ErrNotExist.
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
	// The lock matters; what the library thinks of the file is found out below.
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
