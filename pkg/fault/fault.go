// Package fault says how things go wrong, in few words that every floor uses.
//
// An error that a caller may act on carries a Kind and a message fit for
// users; its cause is for the log only. Anything without a Kind is Internal:
// users then see a fixed sentence. Test with errors.Is(err, fault.NotFound).
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Kind is the category of a failure. A Kind is itself an error, so that it can
// be the target of errors.Is.
type Kind int

const (
	Internal        Kind = iota // a defect or a broken machine; the caller can do nothing
	Malformed                   // the request could not be read: syntax, types of parameters, a bad URN
	Invalid                     // the request was read, what it states breaks a rule of the model
	Precondition                // a conditional write met another state than it asked for
	Unauthenticated             // who is asking is not known, or the credential is bad
	Forbidden                   // who is asking may not do this
	NotFound                    // the thing asked for does not exist
	Conflict                    // the thing exists already, or changed meanwhile
	TooLarge                    // the input passes a limit
	Throttled                   // too many requests
	Unsupported                 // known, and not served here
	Unavailable                 // try again later
	Canceled                    // the caller left
	StorageFull                 // the disk, a quota or a file size limit is used up; nothing was kept
)

// one row a kind: name, HTTP status, GraphQL extensions.code and extensions.type.
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

// Status is the HTTP status of the kind; a transport whose protocol says
// otherwise overrides single kinds, nothing else.
func (k Kind) Status() int { return kinds[k].status }

// Code is the number GraphQL clients read in extensions.code.
func (k Kind) Code() int { return kinds[k].code }

// Label is the word GraphQL clients read in extensions.type.
func (k Kind) Label() string { return kinds[k].label }

// Error is a failure with a message for users and, maybe, a cause for the log.
type Error struct {
	Kind    Kind
	Message string
	Cause   error
	// Refusal is what a Forbidden failure tells programs; nil when it tells nothing.
	Refusal *Refusal
}

// New makes a failure without a cause.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap makes a failure whose cause is kept for the log and for errors.Is.
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

// KindOf is the kind of the outermost failure in err's chain, Internal when there is none.
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

// FaultKind lets other error types take part: KindOf asks for this method.
func (e *Error) FaultKind() Kind { return e.Kind }

// internalMessage is all that users are told about a defect.
const internalMessage = "Internal server error occurred"

// Message is the text users may see: the message of the outermost failure, or
// a fixed sentence for internal errors.
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

// DefaultRetryAfter is the wait advised to callers when an error says nothing of its own.
const DefaultRetryAfter = time.Second

// RetryAfter is how long a caller should wait before the next attempt, and false
// when waiting does not help. It applies to Unavailable and Throttled. An error
// that knows better has a method RetryAfter() time.Duration; the outermost counts.
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

// PublicMessage is the message without the cause.
func (e *Error) PublicMessage() string { return e.Message }
