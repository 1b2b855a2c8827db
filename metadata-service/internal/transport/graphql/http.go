package graphql

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/labstack/echo/v4"
)

// maxBody is the largest request that is read.
const maxBody = 16 << 20

// paths are where GraphQL is answered, below each prefix.
var paths = [...]string{"/api/graphql", "/api/v2/graphql"}

// Mount answers GraphQL at its paths below the prefixes.
func (e *Engine) Mount(server *echo.Echo, prefixes ...string) {
	for _, prefix := range prefixes {
		for _, path := range paths {
			server.Any(prefix+path, e.serve)
			server.RouteNotFound(prefix+path, e.serve) // methods that nobody has heard of
		}
	}
}

// body is a request as it travels.
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
		// A form of a foreign page can send other types with the cookie, and no JSON.
		return c.JSON(http.StatusUnsupportedMediaType, map[string]any{"error": "Content-Type must be application/json", "status": http.StatusUnsupportedMediaType})
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxBody)
	var in *body
	decoder := json.NewDecoder(r.Body)
	err := decoder.Decode(&in)
	if err == nil {
		_, err = decoder.Token() // nothing may follow
	}
	if !errors.Is(err, io.EOF) || in == nil || in.Query == nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return c.JSON(http.StatusRequestEntityTooLarge, map[string]any{"error": "the body is larger than 16 MiB", "status": http.StatusRequestEntityTooLarge})
		}
		return c.NoContent(http.StatusBadRequest)
	}
	request := Request{Query: *in.Query, Variables: in.Variables}
	if in.OperationName != nil {
		request.OperationName = *in.OperationName
	}
	done := e.Exec(r.Context(), request)
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	return write(c, done)
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// plain is JSON in which < and > stay as they are, for people to read.
func plain(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// write sends a response. Data is JSON already, so it is not looked at again.
func write(c echo.Context, done Response) error {
	failures, err := plain(done.Errors)
	if err != nil {
		return err
	}
	text := make([]byte, 0, len(done.Data)+len(failures)+64)
	text = append(text, '{')
	if len(done.Errors) > 0 {
		text = append(append(append(text, `"errors":`...), failures...), ',')
	}
	if done.Data != nil {
		text = append(append(append(text, `"data":`...), done.Data...), ',')
	}
	text = append(text, `"extensions":{}}`...)
	return c.Blob(http.StatusOK, "application/json;charset=utf-8", text)
}
