package openapi

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
)

// Match returns the pattern of a path below the root and its decoded parameters; the pattern is
// empty when no endpoint has the path.
func (a *API) Match(escaped string) (pattern string, params map[string]string, err error) {
	res, params, err := a.find(escaped)
	if res == nil {
		return "", nil, err
	}
	return res.pattern(), params, err
}

// Cursor and list parsing, for fuzzing.
var (
	EncodeCursor = encodeCursor
	DecodeCursor = decodeCursor
	AppendListed = func(text string) []string { return appendItems(nil, text) }
	ParseTraceID = parseTraceID
)

// MaxListed is the limit of AppendListed.
const MaxListed = maxListItems

// AsynchronousOperations lists the operations with a parameter async, as group, method and path.
func AsynchronousOperations() [][3]string {
	var list [][3]string
	for _, op := range (&API{}).operations() {
		if slices.ContainsFunc(op.Query, func(p spec.Param) bool { return p.Name() == "async" }) {
			list = append(list, [3]string{op.Group, op.Method, op.Path})
		}
	}
	return list
}
