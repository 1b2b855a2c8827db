package fault_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

var errCause = errors.New("cause /private/place")

func TestKinds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		kind         fault.Kind
		status, code int
		label        string
	}{
		{fault.Internal, 500, 500, "SERVER_ERROR"},
		{fault.Malformed, 400, 400, "BAD_REQUEST"},
		{fault.Invalid, 400, 400, "BAD_REQUEST"},
		{fault.Precondition, 412, 400, "BAD_REQUEST"},
		{fault.Unauthenticated, 401, 401, "UNAUTHORIZED"},
		{fault.Forbidden, 403, 403, "UNAUTHORIZED"},
		{fault.NotFound, 404, 404, "NOT_FOUND"},
		{fault.Conflict, 409, 409, "CONFLICT"},
		{fault.TooLarge, 413, 400, "BAD_REQUEST"},
		{fault.Throttled, 429, 429, "SERVICE_UNAVAILABLE"},
		{fault.Unsupported, 501, 400, "BAD_REQUEST"},
		{fault.Unavailable, 503, 503, "SERVICE_UNAVAILABLE"},
		{fault.Canceled, 499, 500, "SERVER_ERROR"},
		{fault.StorageFull, 507, 507, "INSUFFICIENT_STORAGE"},
	}
	for _, tt := range tests {
		t.Run(tt.kind.Error(), func(t *testing.T) {
			t.Parallel()
			if tt.kind.Status() != tt.status || tt.kind.Code() != tt.code || tt.kind.Label() != tt.label || tt.kind.Error() == "" {
				t.Errorf("got %d %d %s", tt.kind.Status(), tt.kind.Code(), tt.kind.Label())
			}
			err := fmt.Errorf("write: %w", fault.New(tt.kind, "message of %d", 1))
			if fault.KindOf(err) != tt.kind || !errors.Is(err, tt.kind) {
				t.Errorf("kind is lost: %v", fault.KindOf(err))
			}
			want := "message of 1"
			if tt.kind == fault.Internal {
				want = "Internal server error occurred"
			}
			if got := fault.Message(err); got != want {
				t.Errorf("message: got %q, want %q", got, want)
			}
		})
	}
}

func TestErrorsAround(t *testing.T) {
	t.Parallel()
	wrapped := fault.Wrap(errCause, fault.Conflict, "%s exists", "x")
	tests := []struct {
		name    string
		err     error
		kind    fault.Kind
		message string
	}{
		{"an error of anybody is internal and stays private", errCause, fault.Internal, "Internal server error occurred"},
		{"a bare kind", fmt.Errorf("read: %w", fault.NotFound), fault.NotFound, "read: not found"},
		{"the cause is not shown", wrapped, fault.Conflict, "x exists"},
		{"layers in between are not shown", fmt.Errorf("a: %w", fmt.Errorf("b: %w", wrapped)), fault.Conflict, "x exists"},
		{"the outermost failure decides", fault.Wrap(wrapped, fault.Unavailable, "later"), fault.Unavailable, "later"},
		{"a failure inside a joined error", errors.Join(errCause, wrapped), fault.Conflict, "x exists"},
		{"a type of its own", fmt.Errorf("c: %w", ownError{}), fault.Throttled, "slow down"},
		{"no error", nil, fault.Internal, "Internal server error occurred"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := fault.KindOf(tt.err); got != tt.kind {
				t.Errorf("kind: got %v, want %v", got, tt.kind)
			}
			if got := fault.Message(tt.err); got != tt.message {
				t.Errorf("message: got %q, want %q", got, tt.message)
			}
		})
	}
}

func TestTheLogSeesTheCause(t *testing.T) {
	t.Parallel()
	err := fault.Wrap(errCause, fault.Invalid, "bad")
	if !errors.Is(err, errCause) || err.Error() != "bad: cause /private/place" {
		t.Errorf("got %v", err)
	}
	if errors.Is(err, fault.NotFound) {
		t.Error("one kind passes for another")
	}
}

type ownError struct{}

func (ownError) Error() string         { return "own" }
func (ownError) FaultKind() fault.Kind { return fault.Throttled }
func (ownError) PublicMessage() string { return "slow down" }

func FuzzMessage(f *testing.F) {
	f.Add("a %s b", int(fault.Invalid))
	f.Add("", int(fault.Internal))
	f.Fuzz(func(t *testing.T, text string, kind int) {
		k := fault.Kind(uint(kind) % uint(fault.Canceled+1))
		err := fmt.Errorf("outer: %w", fault.Wrap(errCause, k, "%s", text))
		message := fault.Message(err)
		if k != fault.Internal && message != text {
			t.Errorf("got %q, want %q", message, text)
		}
		if strings.Contains(message, "private") && !strings.Contains(text, "private") {
			t.Errorf("the cause shows: %q", message)
		}
	})
}

type retryLater struct{ error }

func (retryLater) RetryAfter() time.Duration { return time.Minute }

func (p retryLater) Unwrap() error { return p.error }

func TestRetryAfterIsForWhatWaitingCures(t *testing.T) {
	t.Parallel()
	busy := fault.New(fault.Unavailable, "busy")
	for name, tt := range map[string]struct {
		err  error
		wait time.Duration
		ok   bool
	}{
		"unavailable":               {busy, time.Second, true},
		"too many requests, inside": {fmt.Errorf("outer: %w", fault.New(fault.Throttled, "slow down")), time.Second, true},
		"an error that knows":       {fmt.Errorf("outer: %w", retryLater{busy}), time.Minute, true},
		"an error of another kind":  {retryLater{fault.New(fault.Invalid, "no")}, 0, false},
		"a defect":                  {errors.New("defect"), 0, false},
		"nothing":                   {nil, 0, false},
	} {
		if wait, ok := fault.RetryAfter(tt.err); wait != tt.wait || ok != tt.ok {
			t.Errorf("%s: got %v, %v, want %v, %v", name, wait, ok, tt.wait, tt.ok)
		}
	}
}
