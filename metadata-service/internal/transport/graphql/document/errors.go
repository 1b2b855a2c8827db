package document

import (
	"fmt"
	"strings"
)

// Classifications, as clients find them in extensions.classification.
const (
	// ValidationError marks documents and variables the schema does not allow.
	ValidationError = "ValidationError"
	// InvalidSyntax marks text that is not GraphQL.
	InvalidSyntax = "InvalidSyntax"
	// ExecutionAborted marks documents over a budget.
	ExecutionAborted = "ExecutionAborted"
)

// maxErrors bounds how many findings one document is answered with.
const maxErrors = 100

// Location is a place in the text of the request; both numbers start at 1, and
// columns count characters.
type Location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Error is one finding about a request, ready for the errors of a response.
type Error struct {
	Message        string
	Locations      []Location
	Classification string
	Path           []any
}

// Error gives the message.
func (e Error) Error() string { return e.Message }

// Errors are the findings that keep a request from being executed. They are
// shared between requests; callers must not change them.
type Errors []Error

// Error joins the messages.
func (e Errors) Error() string {
	messages := make([]string, len(e))
	for i := range e {
		messages[i] = e[i].Message
	}
	return strings.Join(messages, "; ")
}

func invalid(at []Location, format string, args ...any) Errors {
	return Errors{{Message: fmt.Sprintf(format, args...), Locations: at, Classification: ValidationError}}
}

func overBudget(budget string, have, limit int) Errors {
	return Errors{{
		Message:        fmt.Sprintf("maximum query %s exceeded %d > %d", budget, have, limit),
		Classification: ExecutionAborted,
	}}
}
