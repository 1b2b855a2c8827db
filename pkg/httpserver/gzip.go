package httpserver

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
)

// Gzip compresses JSON and text answers of at least minLength bytes for clients
// that ask. Smaller ones are sent as they are: below some kilobytes compressing
// costs more than it saves. Answers that carry a Content-Encoding are left alone.
func Gzip(minLength int) echo.MiddlewareFunc {
	pool := &sync.Pool{New: func() any {
		// The level is valid, so there is no error.
		w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
		return w
	}}
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if !acceptsGzip(c.Request()) {
				return next(c)
			}
			res := c.Response()
			w := &gzipWriter{ResponseWriter: res.Writer, pool: pool, minLength: minLength}
			res.Writer = w
			// A failed handler has written nothing; its error is rendered by the
			// frame, on the plain writer.
			defer func() { res.Writer = w.ResponseWriter }()
			err := next(c)
			if closeErr := w.close(); err == nil {
				err = closeErr
			}
			return err
		}
	}
}

func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(coding), ";")
		if strings.TrimSpace(name) == "gzip" {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.000")
		}
	}
	return false
}

// gzipWriter holds back the header and the first bytes until it knows whether
// the answer is long enough.
type gzipWriter struct {
	http.ResponseWriter
	pool      *sync.Pool
	minLength int

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
	}
}

func (w *gzipWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
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

// Flush sends what is there; a stream is not worth waiting for its length.
func (w *gzipWriter) Flush() {
	if !w.decided && w.status != 0 {
		w.passThrough()
	}
	if w.gz != nil {
		_ = w.gz.Flush()
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

// Unwrap serves http.ResponseController.
func (w *gzipWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *gzipWriter) compressible() bool {
	h := w.Header()
	if h.Get("Content-Encoding") != "" || h.Get("Content-Range") != "" {
		return false
	}
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return false
	}
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "json") || kind == "application/yaml" ||
		kind == "application/javascript"
}

func (w *gzipWriter) compress() error {
	w.decided = true
	h := w.Header()
	h.Set("Content-Encoding", "gzip")
	h.Add("Vary", "Accept-Encoding")
	h.Del("Content-Length")
	w.ResponseWriter.WriteHeader(w.status)
	w.gz = w.pool.Get().(*gzip.Writer)
	w.gz.Reset(w.ResponseWriter)
	_, err := w.gz.Write(w.held)
	w.held = nil
	return err
}

// passThrough sends the header, and what was held back, uncompressed.
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
	w.gz.Reset(io.Discard)
	w.pool.Put(w.gz)
	w.gz = nil
	return err
}
