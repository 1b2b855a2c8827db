package openapi

import (
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
)

// Match returns the pattern of a path below the root and its decoded parameters.
func (a *API) Match(escaped string) (pattern string, params map[string]string, err error) {
	return a.router.Match(escaped)
}

// Cursors, for fuzzing.
var (
	EncodeCursor = encodeCursor
	DecodeCursor = decodeCursor
)

// AsynchronousOperations lists the operations with a parameter async, as group, method and path.
func AsynchronousOperations() [][3]string {
	var list [][3]string
	for _, op := range (&API{system: &system.API{}}).endpoints() {
		if slices.ContainsFunc(op.Query, func(p spec.Param) bool { return p.Name() == "async" }) {
			list = append(list, [3]string{op.Group, op.Method, op.Path})
		}
	}
	return list
}
