package document

import (
	"fmt"
	"strings"
)

// Classifications, sent to clients in extensions.classification.
const (
	// ValidationError marks documents and variables that violate the schema.
	ValidationError = "ValidationError"
	// InvalidSyntax marks text that is not GraphQL.
	InvalidSyntax = "InvalidSyntax"
	// ExecutionAborted marks documents over a budget.
	ExecutionAborted = "ExecutionAborted"
)

// maxErrors bounds the number of errors in the response to one document.
const maxErrors = 100

// Location is a position in the text of the request. Both numbers start at 1; columns count
// characters.
type Location struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// Error is one error about a request, ready for the errors of a response.
type Error struct {
	Message        string
	Locations      []Location
	Classification string
	Path           []any
}

// Error returns the message.
func (e Error) Error() string { return e.Message }

// Errors are the errors for which a request is not executed. Requests share them; callers must
// not change them.
type Errors []Error

// Error joins the messages with "; ".
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
