package httpserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

func TestRequestsThatAreNotWellFormedUnicodeAreRefused(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	echoed := func(c echo.Context) error {
		body, err := httpserver.ReadBody(c, 1024)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, c.Param("*")+" "+c.QueryParam("q")+" "+string(body))
	}
	s.Echo.Any("/*", echoed, httpserver.WellFormed)
	live := httptest.NewServer(s.Echo)
	defer live.Close()
	for _, tt := range []struct {
		name, target, body string
		status             int
		want               string
	}{
		{"well-formed text passes", "/caf%C3%A9?q=%E2%82%AC", `"é\ud83d\ude00"`, 200, `caf%C3%A9 € "é\ud83d\ude00"`},
		{"U+FFFD that was sent as such passes", "/%EF%BF%BD?q=%EF%BF%BD", "\ufffd", 200, "\ufffd"},
		{"what is not percent-encoded well is left to its reader", "/a?q=%zz&x=%", "", 200, "a"},
		{"no body at all", "/a", "", 200, "a"},
		{"a path in another encoding", "/caf%E9", "", 400, "the path, percent-decoded, is not valid UTF-8"},
		{"half a character in the path", "/caf%C3/x", "", 400, "the path"},
		{"a surrogate in the path", "/%ED%A0%80", "", 400, "the path"},
		{"a parameter in another encoding", "/a?q=caf%E9", "", 400, "query parameter q, percent-decoded, is not valid UTF-8"},
		{"the second of two parameters", "/a?p=1&q=%FF", "", 400, "query parameter q"},
		{"the name of a parameter", "/a?caf%E9=1", "", 400, `query parameter \"caf\\xe9\" has a name`},
		{"a body in another encoding", "/a", "{\"a\":\"caf\xe9\"}", 400, "the request body at byte 9: not valid UTF-8"},
		{"half of a pair in the body", "/a", `{"a":"\ud800"}`, 400, `the request body at byte 6: a \\u escape is half of a surrogate pair`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res, err := http.Post(live.URL+tt.target, "application/json; charset=iso-8859-1", strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("got %d %s, want %d %s", res.StatusCode, body, tt.status, tt.want)
			}
		})
	}
}

func TestACompressedBodyIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t)
	s.Echo.Any("/*", func(c echo.Context) error { return c.NoContent(http.StatusOK) }, httpserver.WellFormed)
	for coding, want := range map[string]int{"gzip": 400, "br, gzip": 400, "identity": 200, "": 200} {
		r := httptest.NewRequest(http.MethodPost, "/a", strings.NewReader("{}"))
		r.Header.Set(echo.HeaderContentEncoding, coding)
		answer := httptest.NewRecorder()
		s.Echo.ServeHTTP(answer, r)
		if answer.Code != want || want == 400 && !strings.Contains(answer.Body.String(), "send it without one") {
			t.Errorf("%q: %d %s", coding, answer.Code, answer.Body)
		}
	}
}
