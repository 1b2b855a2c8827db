package app_test

import (
	"bufio"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// unzipped sends a request that accepts gzip, and returns the decompressed response.
func unzipped(t *testing.T, method, address string, change ...func(*http.Request)) (text string, header http.Header) {
	t.Helper()
	res := do(t, method, address, "{}", append(change, func(r *http.Request) { r.Header.Set("Accept-Encoding", "gzip") })...)
	if res.header.Get("Content-Encoding") != "gzip" {
		return res.body, res.header
	}
	r, err := gzip.NewReader(strings.NewReader(res.body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain), res.header
}

// Responses of the service, of the pages and of the proxy itself.
func TestAnswersAreCompressedForClientsThatTakeIt(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/openapi/zipped" {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			_, _ = io.WriteString(z, `{"zipped":1}`)
			return
		}
		_, _ = io.WriteString(w, `{"data":{}}`)
	}))
	t.Cleanup(service.Close)
	address := start(t, settings(service.URL))
	elsewhere := func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }
	bearer := func(r *http.Request) { r.Header.Set("Authorization", "Bearer t") }
	browser := func(r *http.Request) { r.Header.Set("Accept", "text/html") }
	tests := []struct {
		name, method, path, want string
		change                   func(*http.Request)
		zipped                   bool
	}{
		{"GraphQL", "POST", "/api/graphql", `{"data":{}}`, bearer, true},
		{"an answer of a few bytes", "GET", "/openapi/v3/x", `{"data":{}}`, bearer, true},
		{"what the service compressed, once", "GET", "/openapi/zipped", `{"zipped":1}`, bearer, true},
		{"the document of the pages", "GET", "/datasets", "<", browser, true},
		{"a refusal of the proxy", "GET", "/api/v2/none", `{"error"`, bearer, true},
		{"what a page of another site asks for", "GET", "/openapi/v3/x", `{"data":{}}`, elsewhere, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			body, header := unzipped(t, tt.method, address+tt.path, tt.change)
			if zipped := header.Get("Content-Encoding") == "gzip"; zipped != tt.zipped || !strings.HasPrefix(body, tt.want) {
				t.Errorf("got compressed %v, %.80q", zipped, body)
			}
		})
	}
}

// Compression must not delay data that the service has sent.
func TestCompressedAnswersStreamAtOnce(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{"text/event-stream", "application/x-ndjson", "text/plain"} {
		t.Run(contentType, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", contentType)
				_, _ = io.WriteString(w, "first\n")
				_ = http.NewResponseController(w).Flush()
				<-release
				_, _ = io.WriteString(w, "second\n")
			}))
			t.Cleanup(service.Close)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, start(t, settings(service.URL))+"/openapi/v1/x", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Accept-Encoding", "gzip")
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			var body io.Reader = res.Body
			if zipped := res.Header.Get("Content-Encoding") == "gzip"; zipped != (contentType != "text/event-stream") {
				t.Errorf("got compressed %v", zipped)
			} else if zipped {
				if body, err = gzip.NewReader(res.Body); err != nil {
					t.Fatal(err)
				}
			}
			lines := bufio.NewReader(body)
			if line, err := lines.ReadString('\n'); err != nil || line != "first\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			close(release)
			if line, err := lines.ReadString('\n'); err != nil || line != "second\n" {
				t.Errorf("got %q, %v", line, err)
			}
			if _, err := lines.ReadByte(); err != io.EOF {
				t.Errorf("the answer ended with %v", err)
			}
		})
	}
}
