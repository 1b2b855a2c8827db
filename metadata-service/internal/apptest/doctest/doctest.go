// Package doctest runs the examples of the API pages in docs/ and compares the documented responses
// with those of the service.
//
// An example is two fenced blocks marked http, one after the other: a request
// and its response.
//
//	```http
//	POST /openapi/v3/entity/tag?async=false
//
//	[{"urn": "urn:li:tag:pii", "status": {"value": {"removed": false}}}]
//	```
//
//	```http
//	200 OK
//
//	[{"urn": "urn:li:tag:pii", "status": {"value": {"removed": false}}, "…": "…"}]
//	```
//
// Both may have headers below their first line; only the headers shown in a response are compared.
// JSON bodies are compared as values, other bodies as text. In a response the string "…" matches
// any value, a member "…" of an object matches the members not shown, and an element "…" at the end
// of an array matches further elements; as the value of a header it matches any text. All examples
// of a page run in order against one service. Fenced blocks with other marks are ignored.
package doctest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

const anything = "…"

// block is a fenced block: its first line, its headers, its body.
type block struct {
	line    int // in the page
	first   string
	headers http.Header
	body    string
}

// Run runs the examples of the page at path against handler. The test fails for a page without
// examples, a request without a response, or a different response.
func Run(t *testing.T, path string, handler http.Handler) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := parse(string(page))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if len(blocks) == 0 || len(blocks)%2 != 0 {
		t.Fatalf("%s: %d http blocks, want pairs of request and answer", path, len(blocks))
	}
	for i := 0; i < len(blocks); i += 2 {
		if err := check(blocks[i], blocks[i+1], handler); err != nil {
			t.Errorf("%s:%d: %s: %v", path, blocks[i].line, blocks[i].first, err)
		}
	}
}

func parse(page string) ([]block, error) {
	var blocks []block
	var lines []string
	open, fence := 0, ""
	n := 0
	for text := range strings.Lines(page) {
		n++
		text = strings.TrimRight(text, "\r\n")
		switch {
		case open == 0 && strings.HasPrefix(text, "```"):
			open, fence, lines = n, strings.TrimPrefix(text, "```"), nil
		case open > 0 && text == "```":
			if fence == "http" {
				b, err := parseBlock(open, lines)
				if err != nil {
					return nil, err
				}
				blocks = append(blocks, b)
			}
			open = 0
		case open > 0:
			lines = append(lines, text)
		}
	}
	if open > 0 {
		return nil, fmt.Errorf("line %d: the block does not end", open)
	}
	return blocks, nil
}

func parseBlock(line int, lines []string) (block, error) {
	if len(lines) == 0 {
		return block{}, fmt.Errorf("line %d: the block is empty", line)
	}
	b := block{line: line, first: lines[0], headers: http.Header{}}
	rest := lines[1:]
	for len(rest) > 0 && rest[0] != "" {
		name, value, ok := strings.Cut(rest[0], ": ")
		if !ok {
			return block{}, fmt.Errorf("line %d: %q is no header; an empty line stands before the body", line, rest[0])
		}
		b.headers.Add(name, value)
		rest = rest[1:]
	}
	b.body = strings.TrimSpace(strings.Join(rest, "\n"))
	return b, nil
}

// check sends one request and compares its response.
func check(request, answer block, handler http.Handler) error {
	method, target, ok := strings.Cut(request.first, " ")
	if !ok || !strings.HasPrefix(target, "/") {
		return fmt.Errorf("want a method and a path")
	}
	r := httptest.NewRequest(method, target, strings.NewReader(request.body))
	if request.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, values := range request.headers {
		r.Header[name] = values
	}
	rec := httptest.NewRecorder()
	handler.ServeHTTP(rec, r)

	status, _, _ := strings.Cut(answer.first, " ")
	if got := fmt.Sprint(rec.Code); got != status {
		return fmt.Errorf("status %s, want %s; the body is %s", got, status, rec.Body)
	}
	for name := range answer.headers {
		got, want := rec.Header().Get(name), answer.headers.Get(name)
		if got != want && (want != anything || got == "") {
			return fmt.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	return compare(answer.body, bytes.TrimSpace(rec.Body.Bytes()))
}

func compare(want string, got []byte) error {
	wanted, err := jsontree.Decode([]byte(want))
	if err != nil {
		if want != string(got) && want != anything {
			return fmt.Errorf("body is\n%s\nwant\n%s", got, want)
		}
		return nil
	}
	tree, err := jsontree.Decode(got)
	if err != nil {
		return fmt.Errorf("body is no JSON: %s", got)
	}
	if place := differs(wanted, tree, ""); place != "" {
		return fmt.Errorf("body differs at %s; it is\n%s", place, got)
	}
	return nil
}

// differs returns the path of the first difference, empty when there is none.
func differs(want, got any, at string) string {
	if want == anything {
		return ""
	}
	switch want := want.(type) {
	case jsontree.Object:
		o, ok := got.(jsontree.Object)
		if !ok {
			return at + "/"
		}
		return objectDiffers(want, o, at)
	case []any:
		list, ok := got.([]any)
		if !ok {
			return at + "/"
		}
		return arrayDiffers(want, list, at)
	}
	if !jsontree.Equal(want, got) {
		return at + "/"
	}
	return ""
}

func objectDiffers(want, got jsontree.Object, at string) string {
	for name, member := range want {
		if name == anything {
			continue
		}
		other, there := got[name]
		if !there {
			return at + "/" + name
		}
		if place := differs(member, other, at+"/"+name); place != "" {
			return place
		}
	}
	if _, more := want[anything]; more {
		return ""
	}
	for name := range got {
		if _, there := want[name]; !there {
			return at + "/" + name
		}
	}
	return ""
}

func arrayDiffers(want, got []any, at string) string {
	if n := len(want); n > 0 && want[n-1] == anything && len(got) >= n-1 {
		want, got = want[:n-1], got[:n-1]
	}
	if len(want) != len(got) {
		return fmt.Sprintf("%s/%d", at, min(len(want), len(got)))
	}
	for i := range want {
		if place := differs(want[i], got[i], fmt.Sprintf("%s/%d", at, i)); place != "" {
			return place
		}
	}
	return ""
}
