package app_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// raw sends text unchanged, and returns the single response after which the proxy closes the
// connection.
func raw(t *testing.T, address, text string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Close {
		t.Errorf("the connection is kept: %v", res.Header)
		return res, string(body)
	}
	if rest, _ := io.ReadAll(in); len(rest) > 0 {
		t.Errorf("after the answer: %q", rest)
	}
	return res, string(body)
}

func TestEveryAPIAnswersAHalfSentBodyAndClosesTheConnection(t *testing.T) {
	t.Parallel()
	broken := make(chan error, 10)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		broken <- err
	}))
	t.Cleanup(service.Close)
	cfg := settings(service.URL)
	cfg.HTTP.BodyStall = 20 * time.Millisecond
	proxy := start(t, cfg)
	for name, tt := range map[string]struct {
		request  string
		proxied  bool
		chunking bool
	}{
		"log-in":                             {request: "POST /logIn"},
		"sign-up":                            {request: "POST /api/signUp"},
		"GraphQL at the service":             {request: "POST /api/graphql", proxied: true},
		"ingest at the service":              {request: "POST /api/gms/aspects?action=ingestProposal", proxied: true},
		"ingest at the service, with chunks": {request: "POST /api/gms/aspects?action=ingestProposal", proxied: true, chunking: true},
		"OpenAPI at the service":             {request: "POST /openapi/v3/entity/tag", proxied: true},
		"an unknown path":                    {request: "POST /nowhere"},
		"a private path":                     {request: "POST /api/gms/auth/signUp"},
		"a page":                             {request: "GET /"},
		"a document without a session":       {request: "GET /mfe/config"},
		"the explorer":                       {request: "GET /api/graphiql"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			half := "Content-Length: 100\r\n\r\n{\"half\":"
			if tt.chunking {
				half = "Transfer-Encoding: chunked\r\n\r\n40\r\n{\"half\":"
			}
			res, text := raw(t, proxy, tt.request+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+half)
			if res.StatusCode != http.StatusRequestTimeout || !strings.Contains(text, "stopped arriving for 20ms") {
				t.Errorf("got %d %s", res.StatusCode, text)
			}
			if tt.proxied {
				if err := <-broken; err == nil {
					t.Error("the service took the half for the whole")
				}
			}
		})
	}
}

func TestABodyThatComesByteByByteEnds(t *testing.T) {
	t.Parallel()
	broken := make(chan error, 10)
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		broken <- err
	}))
	t.Cleanup(service.Close)
	cfg := settings(service.URL)
	cfg.HTTP.BodyGrace, cfg.HTTP.BodyRate = 20*time.Millisecond, 1<<20
	proxy := start(t, cfg)
	for path, proxied := range map[string]bool{"/logIn": false, "/api/graphql": true, "/openapi/v3/entity/tag": true, "/nowhere": false} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", strings.TrimPrefix(proxy, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n{"); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for range 9000 { // of 10,000, so that the body does not end by itself
					if _, err := io.WriteString(conn, " "); err != nil {
						return
					}
				}
			}()
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusRequestTimeout || !res.Close || !strings.Contains(string(text), "slower than 1 MiB in a second") {
				t.Errorf("got %d %s, closing %v, %v", res.StatusCode, text, res.Close, err)
			}
			if proxied && <-broken == nil {
				t.Error("the service took a part for the whole")
			}
			conn.Close()
			<-ended
		})
	}
}
