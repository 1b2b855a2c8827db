// Package webfiles serves the files of built pages. File names contain a hash of the content, so
// browsers cache the files for ever. Files that compress well are embedded only as brotli and gzip;
// for a client that accepts neither they are decompressed.
package webfiles

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"weak"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

// encodings lists the stored encodings of files, best first. The last one is the identity.
var encodings = [...]struct{ suffix, name string }{{".br", "br"}, {".gz", "gzip"}, {"", ""}}

// Files holds the files of a folder by name. Contents stay in the binary, outside of the heap,
// except for those that are being sent. It is safe for concurrent use.
type Files struct{ byName map[string]*file }

type file struct {
	from     fs.FS
	path     string // without the suffix of the encoding
	mime     string
	variants map[string]int64 // size by encoding

	contents [len(encodings)]content // as sent, in the order of encodings
}

// New returns the files of a folder of a build. The result is empty if the folder is absent. A file
// that is stored only as brotli is an error.
func New(built fs.FS, folder string) (*Files, error) {
	all := &Files{byName: map[string]*file{}}
	entries, err := fs.ReadDir(built, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the files of pages: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return nil, fmt.Errorf("look at the page's file %s: %w", entry.Name(), err)
		}
		all.add(built, folder, entry.Name(), info.Size())
	}
	for name, f := range all.byName {
		if _, plain := f.variants[""]; !plain && f.variants["gzip"] == 0 {
			return nil, fmt.Errorf("the page's file %s is there neither as it is nor as gzip", name)
		}
	}
	return all, nil
}

func (all *Files) add(built fs.FS, folder, stored string, size int64) {
	for _, coding := range encodings {
		name, ok := strings.CutSuffix(stored, coding.suffix)
		if !ok {
			continue
		}
		f := all.byName[name]
		if f == nil {
			f = &file{from: built, path: folder + "/" + name, mime: mimeOf(name), variants: map[string]int64{}}
			all.byName[name] = f
		}
		f.variants[coding.name] = size
		return
	}
}

// mimeOf returns the MIME type for the file types of the build. It does not use the types
// configured on the machine, which may have other names.
func mimeOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".ttf":
		return "font/ttf"
	case ".woff2":
		return "font/woff2"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return echo.MIMEOctetStream
}

// Send responds to a GET or HEAD request with the file of a name, and returns echo.ErrNotFound if
// there is none.
func (all *Files) Send(c echo.Context, name string) error {
	f, ok := all.byName[name]
	if !ok {
		return echo.ErrNotFound
	}
	return f.send(c)
}

func (f *file) send(c echo.Context) error {
	header := c.Response().Header()
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set(echo.HeaderContentType, f.mime)
	if _, plain := f.variants[""]; !plain || len(f.variants) > 1 {
		header.Set(echo.HeaderVary, echo.HeaderAcceptEncoding)
	}
	accepted := c.Request().Header.Get(echo.HeaderAcceptEncoding)
	for i, coding := range encodings {
		_, ok := f.variants[coding.name]
		if !ok || coding.name != "" && !httpserver.AcceptsCoding(accepted, coding.name) {
			continue
		}
		if coding.name != "" {
			header.Set(echo.HeaderContentEncoding, coding.name)
		}
		return f.write(c, &f.contents[i], func() ([]byte, error) { return fs.ReadFile(f.from, f.path+coding.suffix) })
	}
	return f.write(c, &f.contents[len(encodings)-1], f.inflate)
}

func (f *file) write(c echo.Context, from *content, read func() ([]byte, error)) error {
	content, err := from.get(read)
	if err != nil {
		return fmt.Errorf("read the page's file %s: %w", f.path, err)
	}
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(len(*content)))
	c.Response().WriteHeader(http.StatusOK)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	// The response has begun; a write error means that the client has disconnected.
	_, _ = c.Response().Write(*content)
	runtime.KeepAlive(content) // otherwise other requests would read the content again meanwhile
	return nil
}

func (f *file) inflate() ([]byte, error) {
	stored, err := f.from.Open(f.path + ".gz")
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	r, err := gzip.NewReader(stored)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// content is held in memory once, for as long as any response sends it: clients that read slowly
// share it, and need no separate buffers or decoders. It is safe for concurrent use.
type content struct {
	mu   sync.Mutex
	held weak.Pointer[[]byte]
}

func (c *content) get(read func() ([]byte, error)) (*[]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if held := c.held.Value(); held != nil {
		return held, nil
	}
	all, err := read()
	if err != nil {
		return nil, err
	}
	c.held = weak.Make(&all)
	return &all, nil
}
