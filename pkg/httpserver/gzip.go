package httpserver

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/labstack/echo/v4"
)

// Gzip compresses JSON, JavaScript and text responses of at least minLength bytes for clients that
// accept it. Smaller responses are sent uncompressed: below some kilobytes compression costs more
// than it saves. It also leaves unchanged: responses with a Content-Encoding, partial content,
// event streams, and responses that must not be transformed. An ETag becomes a weak one, since the
// bytes differ.
//
// Responses to requests that another site caused in a browser are not compressed: an attacker who
// controls a part of a response and sees its length could guess the rest (BREACH).
//
// At most maxGzipWriters responses are compressed at a time, further ones are sent uncompressed: a
// compressor uses about a megabyte for as long as the client reads.
//
// The frame renders errors of handlers, uncompressed; a server with Config.Gzip compresses these,
// too.
func Gzip(minLength int) echo.MiddlewareFunc {
	z := newCompressor(minLength)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error { return z.around(c, next) }
	}
}

// maxGzipWriters is the maximum number of responses compressed at a time.
const maxGzipWriters = 64

// compressor wraps responses with gzip writers. It is safe for concurrent use.
type compressor struct {
	minLength int
	pool      sync.Pool
	used      atomic.Int64 // writers taken from the pool
}

func newCompressor(minLength int) *compressor {
	return &compressor{minLength: minLength, pool: sync.Pool{New: func() any {
		// The level is valid, so there is no error.
		w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
		return w
	}}}
}

// around calls next with a response that compresses.
func (z *compressor) around(c echo.Context, next echo.HandlerFunc) error {
	res := c.Response()
	w := &gzipWriter{ResponseWriter: res.Writer, compressor: z, wanted: AcceptsCoding(c.Request().Header.Get(echo.HeaderAcceptEncoding), "gzip") && !crossSite(c.Request())}
	res.Writer = w
	// A failed handler has written nothing; the frame renders its error on the plain writer.
	defer func() {
		res.Writer = w.ResponseWriter
		w.giveBack() // after a panic
	}()
	err := next(c)
	if closeErr := w.close(); err == nil {
		err = closeErr
	}
	return err
}

// crossSite reports whether a page of another site caused a browser request, including links to
// this site. Programs other than browsers do not send the header.
func crossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	return true
}

// AcceptsCoding reports whether an Accept-Encoding header accepts a coding: the coding, or the star
// if the coding is not named, must be present with a weight other than zero.
func AcceptsCoding(header, coding string) bool {
	star := false
	for item := range strings.SplitSeq(header, ",") {
		name, parameters, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case coding:
			return acceptsWeight(parameters)
		case "*":
			star = acceptsWeight(parameters)
		}
	}
	return star
}

func acceptsWeight(parameters string) bool {
	weight, ok := strings.CutPrefix(strings.ToLower(strings.ReplaceAll(parameters, " ", "")), "q=")
	if !ok {
		return true
	}
	q, err := strconv.ParseFloat(weight, 64)
	return err == nil && q > 0
}

// gzipWriter holds back the header and the first bytes until it is known whether the response is
// long enough.
type gzipWriter struct {
	http.ResponseWriter
	*compressor
	wanted bool // accepted by the client

	status  int
	held    []byte
	decided bool
	gz      *gzip.Writer
}

func (w *gzipWriter) WriteHeader(status int) {
	if status < http.StatusOK {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	if w.decided || w.status != 0 {
		return
	}
	w.status = status
	if !w.compressible() {
		w.passThrough()
		return
	}
	addVary(w.Header())
	if !w.wanted {
		w.passThrough()
	}
}

func (w *gzipWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if !w.decided {
		if len(w.held)+len(p) < w.minLength {
			w.held = append(w.held, p...)
			return len(p), nil
		}
		if err := w.compress(); err != nil {
			return 0, err
		}
	}
	if w.gz != nil {
		return w.gz.Write(p)
	}
	return w.ResponseWriter.Write(p)
}

// Flush sends the held data, since it makes no sense to hold back a stream because of its length. A
// response that is flushed before its first byte is compressed only if all lengths are.
func (w *gzipWriter) Flush() {
	if !w.decided && w.status != 0 {
		if w.minLength > 0 {
			w.passThrough()
		} else {
			_ = w.compress() // the next write reports a disconnected client
		}
	}
	if w.gz != nil {
		_ = w.gz.Flush()
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap returns the inner writer, for http.ResponseController.
func (w *gzipWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *gzipWriter) compressible() bool {
	h := w.Header()
	if h.Get("Content-Encoding") != "" || h.Get("Content-Range") != "" || h.Get("Content-Length") == "0" {
		return false
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return false
	}
	if strings.Contains(h.Get("Cache-Control"), "no-transform") {
		return false
	}
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return strings.HasPrefix(kind, "text/") && kind != "text/event-stream" || strings.HasSuffix(kind, "json") || kind == "application/yaml" ||
		kind == "application/javascript"
}

// take takes a writer from the pool, or returns nil if the maximum number is in use.
func (z *compressor) take() *gzip.Writer {
	if z.used.Add(1) > maxGzipWriters {
		z.used.Add(-1)
		return nil
	}
	return z.pool.Get().(*gzip.Writer)
}

// giveBack returns the writer of a response, if it has one, to the pool.
func (w *gzipWriter) giveBack() {
	if w.gz == nil {
		return
	}
	w.gz.Reset(io.Discard)
	w.pool.Put(w.gz)
	w.gz = nil
	w.used.Add(-1)
}

// compress starts a compressed response, or an uncompressed one if no writer is available.
func (w *gzipWriter) compress() error {
	gz := w.take()
	if gz == nil {
		w.passThrough()
		return nil
	}
	w.decided = true
	h := w.Header()
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	h.Del("Accept-Ranges")
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		h.Set("ETag", "W/"+tag)
	}
	w.ResponseWriter.WriteHeader(w.status)
	w.gz = gz
	w.gz.Reset(w.ResponseWriter)
	if len(w.held) == 0 {
		return nil
	}
	_, err := w.gz.Write(w.held)
	w.held = nil
	return err
}

// addVary tells caches that the response depends on the codings that the client accepts.
func addVary(h http.Header) {
	for _, line := range h.Values(echo.HeaderVary) {
		if strings.Contains(line, "*") || strings.Contains(strings.ToLower(line), "accept-encoding") {
			return
		}
	}
	h.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
}

// passThrough sends the header, and the held data, uncompressed.
func (w *gzipWriter) passThrough() {
	w.decided = true
	w.ResponseWriter.WriteHeader(w.status)
	if len(w.held) > 0 {
		_, _ = w.ResponseWriter.Write(w.held)
		w.held = nil
	}
}

func (w *gzipWriter) close() error {
	if !w.decided && w.status != 0 {
		w.passThrough()
	}
	if w.gz == nil {
		return nil
	}
	err := w.gz.Close()
	w.giveBack()
	return err
}
