package graphql

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// DefaultMaxVariables is the default limit for the variables of a request, in bytes.
const DefaultMaxVariables = 2 << 20

// maxEnvelope bounds the body without the variables, in bytes: the text, with each character
// escaped, and additional members that clients send.
const maxEnvelope = 1 << 20

// paths are the paths of the GraphQL API below each prefix.
var paths = [...]string{"/api/graphql", "/api/v2/graphql"}

// Mount registers the GraphQL API at its paths below the prefixes. The middleware that determines
// actors and admits requests must run before it.
func (e *Engine) Mount(server *echo.Echo, prefixes ...string) {
	for _, prefix := range prefixes {
		for _, path := range paths {
			server.Any(prefix+path, e.serve)
			server.RouteNotFound(prefix+path, e.serve) // methods that the router does not support
		}
	}
}

// body is the JSON form of a request.
type body struct {
	Query         *string         `json:"query"`
	OperationName *string         `json:"operationName"`
	Variables     json.RawMessage `json:"variables"`
}

func (e *Engine) serve(c echo.Context) error {
	r := c.Request()
	if r.Method != http.MethodPost {
		c.Response().Header().Set("Allow", http.MethodPost)
		return c.JSON(http.StatusMethodNotAllowed, map[string]any{"error": "GraphQL is asked by POST", "message": r.Method + " is not supported at " + r.URL.Path + ": send POST with a JSON body", "status": http.StatusMethodNotAllowed})
	}
	if r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") != "" && !isJSON(r) {
		// A form on a foreign page can send the cookie with other content types, but not with
		// JSON.
		return c.JSON(http.StatusUnsupportedMediaType, map[string]any{"error": "Content-Type must be application/json", "status": http.StatusUnsupportedMediaType})
	}
	if parent := tracing.Header(r.Context()); parent != "" {
		c.Response().Header().Set(tracing.ParentHeader, parent)
	}
	text, err := httpserver.ReadBody(c, int64(e.maxVariables)+maxEnvelope)
	if err != nil {
		return err
	}
	request, err := decode(text)
	if err != nil {
		return c.JSON(http.StatusBadRequest, map[string]any{"error": fault.Message(err), "status": http.StatusBadRequest})
	}
	done := e.Exec(r.Context(), request)
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	if done.Busy != nil {
		return done.Busy // 503 with Retry-After, which clients act on
	}
	return write(c, done)
}

// decode decodes the body of a request. Variables remain JSON text: those that a document does
// not declare are never decoded. Errors are fault.Malformed.
func decode(text []byte) (Request, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return Request{}, fault.New(fault.Malformed, `the body is empty: send JSON such as {"query": "{ me { corpUser { urn } } }"}`)
	}
	if err := jsontree.CheckText(text); err != nil {
		return Request{}, err
	}
	var in *body
	if err := json.Unmarshal(text, &in); err != nil {
		return Request{}, malformedBody(err)
	}
	if in == nil || in.Query == nil {
		return Request{}, fault.New(fault.Malformed, "query: is missing; it must be the text of a GraphQL document")
	}
	request := Request{Query: *in.Query, Variables: in.Variables}
	if in.OperationName != nil {
		request.OperationName = *in.OperationName
	}
	return request, nil
}

// malformedBody converts a JSON error to a message that states why a body is not a request.
func malformedBody(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) && mismatch.Field != "" {
		return fault.New(fault.Malformed, "%s: must be text, is %s", mismatch.Field, withArticle(mismatch.Value))
	}
	if errors.As(err, &mismatch) {
		return fault.New(fault.Malformed, "the body must be one JSON object with a query, is %s; send the requests of a batch one by one", withArticle(mismatch.Value))
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fault.New(fault.Malformed, "the body is not JSON: byte %d: %v", syntax.Offset, syntax)
	}
	return fault.Wrap(err, fault.Malformed, "the body cannot be read as JSON")
}

// withArticle returns the kind of a JSON value with its article.
func withArticle(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// encodePlain encodes JSON without escaping < and >, for readability.
func encodePlain(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// maxCopiedData is the largest size of data that is copied into one buffer with the rest of the
// response, in bytes.
const maxCopiedData = 32 << 10

// write sends a response. Data is JSON already and is not encoded again. It may be long and
// shared between requests, so long data is sent without a copy.
func write(c echo.Context, done Response) error {
	failures, err := encodePlain(done.Errors)
	if err != nil {
		return err
	}
	text := make([]byte, 0, min(len(done.Data), maxCopiedData)+len(failures)+64)
	text = append(text, '{')
	if len(done.Errors) > 0 {
		text = append(append(append(text, `"errors":`...), failures...), ',')
	}
	const contentType, end = "application/json;charset=utf-8", `"extensions":{}}`
	if done.Data == nil {
		return c.Blob(http.StatusOK, contentType, append(text, end...))
	}
	text = append(text, `"data":`...)
	if len(done.Data) <= maxCopiedData {
		return c.Blob(http.StatusOK, contentType, append(append(text, done.Data...), `,`+end...))
	}
	if err := c.Blob(http.StatusOK, contentType, text); err != nil {
		return err
	}
	if _, err := c.Response().Write(done.Data); err != nil {
		return err
	}
	_, err = c.Response().Write([]byte(`,` + end))
	return err
}
