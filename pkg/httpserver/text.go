package httpserver

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// WellFormed rejects requests whose path, query or JSON body is not well-formed Unicode with
// fault.Malformed, before a decoder replaces the invalid parts by U+FFFD: path and query at once,
// the body when the invalid bytes are read. It also rejects compressed bodies. Use it on routes
// behind RenderWith. It ignores a charset in Content-Type; bodies are UTF-8.
func WellFormed(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if !utf8json.Valid(r.URL.Path) {
			return fault.New(fault.Malformed, "the path, percent-decoded, is not valid UTF-8; encode the UTF-8 form of the text")
		}
		if err := checkQuery(r.URL.RawQuery); err != nil {
			return err
		}
		if coding := r.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
			return fault.New(fault.Malformed, "the body comes with Content-Encoding %.40q; send it without one", coding)
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &textBody{Reader: utf8json.NewReader(r.Body), Closer: r.Body}
		}
		return next(c)
	}
}

// checkQuery names the invalid parameter. It ignores invalid percent-encoding, which the code that
// reads the parameter handles.
func checkQuery(raw string) error {
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			continue
		}
		if !utf8json.Valid(name) {
			return fault.New(fault.Malformed, "query parameter %q has a name that is not valid UTF-8; encode the UTF-8 form of the text", name)
		}
		if value, err := url.QueryUnescape(value); err == nil && !utf8json.Valid(value) {
			return fault.New(fault.Malformed, "query parameter %s, percent-decoded, is not valid UTF-8; encode the UTF-8 form of the text", name)
		}
	}
	return nil
}

// textBody adds a description of the text to the error about invalid Unicode.
type textBody struct {
	io.Reader
	io.Closer
}

func (b *textBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	var bad *utf8json.Error
	if errors.As(err, &bad) {
		err = fault.Wrap(err, fault.Malformed, "the request body at %s", bad.PublicMessage())
	}
	return n, err
}
