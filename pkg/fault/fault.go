// Package fault defines the categories of failures that all packages share.
//
// An error that a caller can handle carries a Kind and a message for users; its cause is only for
// the log. An error without a Kind is Internal: users then see a fixed sentence. Test with
// errors.Is(err, fault.NotFound).
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Kind is the category of a failure. A Kind is an error itself, so that it can be the target of
// errors.Is.
type Kind int

const (
	Internal        Kind = iota // a defect or a broken machine; the caller cannot resolve it
	Malformed                   // the request is not readable: syntax, types of parameters, an invalid URN
	Invalid                     // the request is readable but violates a rule of the model
	Precondition                // a conditional write found another state than required
	Unauthenticated             // the actor is unknown, or the credential is invalid
	Forbidden                   // the actor may not do this
	NotFound                    // the requested object does not exist
	Conflict                    // the object already exists, or has changed meanwhile
	TooLarge                    // the input exceeds a limit
	Throttled                   // too many requests
	Unsupported                 // known, but not supported here
	Unavailable                 // retry later
	Canceled                    // the caller has cancelled the request
	StorageFull                 // the disk, a quota or a file size limit is exhausted; nothing was stored
)

// One row per kind: name, HTTP status, GraphQL extensions.code and extensions.type.
var kinds = [...]struct {
	name   string
	status int
	code   int
	label  string
}{
	Internal:        {"internal", http.StatusInternalServerError, 500, "SERVER_ERROR"},
	Malformed:       {"malformed", http.StatusBadRequest, 400, "BAD_REQUEST"},
	Invalid:         {"invalid", http.StatusBadRequest, 400, "BAD_REQUEST"},
	Precondition:    {"precondition failed", http.StatusPreconditionFailed, 400, "BAD_REQUEST"},
	Unauthenticated: {"unauthenticated", http.StatusUnauthorized, 401, "UNAUTHORIZED"},
	Forbidden:       {"forbidden", http.StatusForbidden, 403, "UNAUTHORIZED"},
	NotFound:        {"not found", http.StatusNotFound, 404, "NOT_FOUND"},
	Conflict:        {"conflict", http.StatusConflict, 409, "CONFLICT"},
	TooLarge:        {"too large", http.StatusRequestEntityTooLarge, 400, "BAD_REQUEST"},
	Throttled:       {"too many requests", http.StatusTooManyRequests, 429, "SERVICE_UNAVAILABLE"},
	Unsupported:     {"unsupported", http.StatusNotImplemented, 400, "BAD_REQUEST"},
	Unavailable:     {"unavailable", http.StatusServiceUnavailable, 503, "SERVICE_UNAVAILABLE"},
	Canceled:        {"canceled", 499, 500, "SERVER_ERROR"},
	StorageFull:     {"insufficient storage", http.StatusInsufficientStorage, 507, "INSUFFICIENT_STORAGE"},
}

func (k Kind) Error() string { return kinds[k].name }

// Status returns the HTTP status of the kind. A transport may override it for single kinds if its
// protocol requires another status.
func (k Kind) Status() int { return kinds[k].status }

// Code returns the number for extensions.code of GraphQL.
func (k Kind) Code() int { return kinds[k].code }

// Label returns the word for extensions.type of GraphQL.
func (k Kind) Label() string { return kinds[k].label }

// Error is a failure with a message for users and an optional cause for the log.
type Error struct {
	Kind    Kind
	Message string
	Cause   error
	// Refusal describes a Forbidden failure to programs; nil for no description.
	Refusal *Refusal
}

// New returns a failure without a cause.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap returns a failure with a cause for the log and for errors.Is.
func Wrap(cause error, kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...), Cause: cause}
}

func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Message
	}
	return e.Message + ": " + e.Cause.Error()
}

func (e *Error) Unwrap() error { return e.Cause }

// Is makes errors.Is(err, fault.NotFound) true for every failure of that kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(Kind)
	return ok && kind == e.Kind
}

// KindOf returns the kind of the outermost failure in err's chain, Internal if there is none.
func KindOf(err error) Kind {
	var kinded interface{ FaultKind() Kind }
	if errors.As(err, &kinded) {
		return kinded.FaultKind()
	}
	var kind Kind
	if errors.As(err, &kind) {
		return kind
	}
	return Internal
}

// FaultKind is the method by which KindOf finds the kind of an error; other error types may
// implement it.
func (e *Error) FaultKind() Kind { return e.Kind }

// internalMessage is the message for users about a defect.
const internalMessage = "Internal server error occurred"

// Message returns the text for users: the message of the outermost failure, or a fixed sentence for
// internal errors.
func Message(err error) string {
	if KindOf(err) == Internal {
		return internalMessage
	}
	var public interface{ PublicMessage() string }
	if errors.As(err, &public) {
		return public.PublicMessage()
	}
	return err.Error()
}

// DefaultRetryAfter is the advised wait for errors that do not specify one.
const DefaultRetryAfter = time.Second

// RetryAfter returns how long a caller should wait before the next attempt, or false if waiting
// does not help. It applies to Unavailable and Throttled. An error type can specify the time with a
// method RetryAfter() time.Duration; the outermost such error applies.
func RetryAfter(err error) (time.Duration, bool) {
	if kind := KindOf(err); kind != Unavailable && kind != Throttled {
		return 0, false
	}
	var advised interface{ RetryAfter() time.Duration }
	if errors.As(err, &advised) {
		return advised.RetryAfter(), true
	}
	return DefaultRetryAfter, true
}

// PublicMessage returns the message without the cause.
func (e *Error) PublicMessage() string { return e.Message }
