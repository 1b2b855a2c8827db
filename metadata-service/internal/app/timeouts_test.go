package app_test

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

func TestEveryAPIAnswersAHalfSentBodyAndClosesTheConnection(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.HTTP.BodyStall = 20 * time.Millisecond })
	address := strings.TrimPrefix(s.URL, "http://")
	for name, tt := range map[string]struct {
		request    string
		credential string
	}{
		"GraphQL":                       {"POST /api/graphql", apptest.Credential},
		"GraphQL without a credential":  {"POST /api/graphql", ""},
		"Rest.li ingest":                {"POST /aspects?action=ingestProposal", apptest.Credential},
		"Rest.li action":                {"POST /entities?action=search", apptest.Credential},
		"Rest.li read":                  {"GET /entities/urn%3Ali%3Atag%3Aa", apptest.Credential},
		"OpenAPI":                       {"POST /openapi/v3/entity/tag", apptest.Credential},
		"OpenAPI without a credential":  {"POST /openapi/v3/entity/tag", ""},
		"sign-in":                       {"POST /auth/verifyNativeUserCredentials", apptest.Credential},
		"sign-in without a credential":  {"POST /auth/verifyNativeUserCredentials", ""},
		"an unknown path":               {"POST /nowhere", apptest.Credential},
		"an open path that reads none":  {"GET /health", ""},
		"a method that is not accepted": {"POST /config", apptest.Credential},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			header := " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
			if tt.credential != "" {
				header += "Authorization: " + tt.credential + "\r\n"
			}
			if _, err := io.WriteString(conn, tt.request+header+"\r\n{\"half\":"); err != nil {
				t.Fatal(err)
			}
			in := bufio.NewReader(conn)
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusRequestTimeout || !res.Close || !strings.Contains(string(text), "stopped arriving for 20ms") {
				t.Errorf("got %d %s, closing %v, %v", res.StatusCode, text, res.Close, err)
			}
			if rest, _ := io.ReadAll(in); len(rest) > 0 {
				t.Errorf("after the answer: %q", rest)
			}
		})
	}
}

func TestABodyThatComesByteByByteEnds(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, t.TempDir(), func(c *app.Config) { c.HTTP.BodyGrace, c.HTTP.BodyRate = 20*time.Millisecond, 1<<20 })
	for _, path := range []string{"/api/graphql", "/aspects?action=ingestProposal", "/openapi/v3/entity/tag", "/auth/verifyNativeUserCredentials", "/nowhere"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			header := " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000\r\nAuthorization: " + apptest.Credential
			if _, err := io.WriteString(conn, "POST "+path+header+"\r\n\r\n{"); err != nil {
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
			conn.Close()
			<-ended
		})
	}
}

func TestTimeoutsMustBePositive(t *testing.T) {
	t.Parallel()
	c := app.Defaults()
	c.HTTP.Header, c.HTTP.Body = 0, -1
	said := errors.Join(c.Validate()...).Error()
	for _, want := range []string{"http.header_timeout", "http.body_timeout", "http.body_stall"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s is not refused: %s", want, said)
		}
	}
}
