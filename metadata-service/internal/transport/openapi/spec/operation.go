// Package spec describes the operations below /openapi as OpenAPI documents. A document refers to
// the schemas of the aspects in the model. The package knows no handler.
package spec

import (
	"cmp"
	"net/http"
	"strings"
)

// Root is the prefix of all paths.
const Root = "/openapi"

// ReasonHeader is the header of a response that nothing is stored at an address.
const ReasonHeader = "Not-Found-Reason"

// Groups of operations, each with a document.
const (
	GroupV3         = "openapi-v3"
	GroupV2         = "openapi-v2"
	GroupV1         = "openapi-v1"
	GroupOperations = "operations"
)

// Operation describes one method on one path.
type Operation struct {
	Method  string
	Path    string // below Root, such as /v3/entity/{type}/{urn}
	Group   string // the document that describes it
	Tag     string // chapter of that document
	Summary string
	Query   []Param
	Body    Schema   // nil when there is none
	Answer  Schema   // nil for an empty response
	Media   []string // media types of the response; JSON when there are none
	Status  int      // of success; 0 means 200
	// OtherAnswer is a second successful response: that of a synchronous write when writes are
	// asynchronous by default, or vice versa, or that of a write without changes. Its schema is
	// nil when there is none.
	OtherAnswer Answer
}

// Answer is a status with the schema of the body.
type Answer struct {
	Status int
	Schema Schema
}

// Success is the HTTP status of success.
func (o *Operation) Success() int { return cmp.Or(o.Status, http.StatusOK) }

// IsParam reports whether a segment of a path is a parameter.
func IsParam(segment string) bool { return strings.HasPrefix(segment, "{") }
