package doctest_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
)

// mirror responds with the body of the request, with 201 for a POST.
var mirror = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Seen", r.Header.Get("X-Sent"))
	if r.Method == http.MethodPost {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = io.Copy(w, r.Body)
})

func example(request, answer string) string {
	return "text\n```http\n" + request + "\n```\nmore\n```sh\nignored\n```\n```http\n" + answer + "\n```\n"
}

func TestAnswersAreCompared(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ request, answer, problem string }{
		"equal values":                {"POST /x\n\n{\"a\": 1, \"b\": [true]}", "201 Created\n\n{\"b\":[true],\"a\":1}", ""},
		"another status":              {"POST /x\n\n{}", "200 OK\n\n{}", "status 201"},
		"another value":               {"POST /x\n\n{\"a\":{\"b\":1}}", "201\n\n{\"a\":{\"b\":2}}", "/a/b"},
		"a missing member":            {"POST /x\n\n{}", "201\n\n{\"a\":\"…\"}", "/a"},
		"a member not shown":          {"POST /x\n\n{\"a\":1,\"b\":2}", "201\n\n{\"a\":1}", "/b"},
		"an open object":              {"POST /x\n\n{\"a\":1,\"b\":2}", "201\n\n{\"a\":1,\"…\":\"…\"}", ""},
		"any value":                   {"POST /x\n\n{\"a\":[1]}", "201\n\n{\"a\":\"…\"}", ""},
		"an open array":               {"POST /x\n\n[1,2,3]", "201\n\n[1,\"…\"]", ""},
		"an element too many":         {"POST /x\n\n[1,2]", "201\n\n[1]", "/1"},
		"an element missing":          {"POST /x\n\n[1]", "201\n\n[1,2,\"…\"]", "/1"},
		"an object for an array":      {"POST /x\n\n{}", "201\n\n[]", "differs"},
		"an array for an object":      {"POST /x\n\n[]", "201\n\n{}", "differs"},
		"an empty body":               {"GET /x", "200 OK", ""},
		"text":                        {"POST /x\n\nplain text", "201\n\nplain text", ""},
		"other text":                  {"POST /x\n\nplain text", "201\n\nplain", "body is"},
		"text where JSON is expected": {"POST /x\n\nplain", "201\n\n{}", "no JSON"},
		"a header":                    {"GET /x\nX-Sent: yes", "200\nX-Seen: yes", ""},
		"any header":                  {"GET /x\nX-Sent: yes", "200\nX-Seen: …", ""},
		"a header that is missing":    {"GET /x", "200\nX-Seen: …", "X-Seen"},
		"another header":              {"GET /x\nX-Sent: yes", "200\nX-Seen: no", "X-Seen"},
		"a request without a path":    {"GET", "200", "method and a path"},
		"a header without a colon":    {"GET /x\nnonsense", "200", "no header"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := doctest.Check(example(c.request, c.answer), mirror)
			switch {
			case c.problem == "" && err != nil:
				t.Errorf("fails: %v", err)
			case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
				t.Errorf("gives %v, want an error with %q", err, c.problem)
			}
		})
	}
}

func TestABlockMustEnd(t *testing.T) {
	t.Parallel()
	if err := doctest.Check("```http\nGET /x\n", mirror); err == nil {
		t.Error("accepts a block without an end")
	}
}

func TestRunReadsAPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte(example("POST /x\n\n[1]", "201\n\n[1]")), 0o600); err != nil {
		t.Fatal(err)
	}
	doctest.Run(t, path, mirror)
}
