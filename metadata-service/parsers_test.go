package main_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/pkg/parsercost"
)

// parserTable returns every parser of external text, of this program and of pkg. A new parser is
// one row, in the file of its kind, with typical texts and with texts of an attacker who wants to
// keep it busy.
func parserTable(tb testing.TB) []parsercost.Parser {
	tb.Helper()
	return append(append(libraryParsers(tb), searchParsers(tb)...), requestParsers(tb)...)
}

// withoutRow lists fuzz tests of code that reads no external text.
var withoutRow = map[string]string{
	"../pkg/fault.FuzzMessage":                     "writes messages",
	"internal/driver/bolt.FuzzDecodeRow":           "reads files of the service",
	"internal/driver/bolt.FuzzDecodeEntry":         "reads files of the service",
	"internal/driver/bolt.FuzzDecodeIndexValues":   "reads files of the service",
	"internal/driver/bolt.FuzzEdgeDecoders":        "reads files of the service",
	"internal/driver/bolt/series.FuzzDecode":       "reads files of the service",
	"internal/driver/roaring.FuzzDecodingASegment": "reads files of the service",
	"internal/load.FuzzList":                       "reads files that an operator names",
}

func TestEveryParserIsInTheTable(t *testing.T) {
	problems, err := parsercost.Missing(".", []string{"internal", "../pkg"}, parserTable(t), withoutRow)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
}

// BenchmarkParsers fails if a byte of a parser's worst input costs more than a hundred times as
// much as a byte of ordinary input. make abuse runs it.
func BenchmarkParsers(b *testing.B) { parsercost.Run(b, parserTable(b)) }

// repeat repeats a part between two ends, up to a length in bytes.
func repeat(begin, part, end string, length int) string {
	return begin + strings.Repeat(part, max((length-len(begin)-len(end))/len(part), 1)) + end
}

// counting writes a part with the numbers from 0 on, up to a length in bytes.
func counting(begin, format, end string, length int) string {
	var text strings.Builder
	text.WriteString(begin)
	for i := 0; text.Len() < length-len(end); i++ {
		fmt.Fprintf(&text, format, i)
	}
	return strings.TrimSuffix(text.String(), ",") + end
}

// sender sends requests to a service, as a user without a role.
type sender struct {
	tb      testing.TB
	service *apptest.Service
	token   string
	client  *http.Client
}

func newSender(tb testing.TB) *sender {
	tb.Helper()
	s := apptest.New(tb)
	d := &sender{tb: tb, service: s, token: s.As("urn:li:corpuser:jo").Token(), client: &http.Client{Transport: &http.Transport{}}}
	tb.Cleanup(d.client.CloseIdleConnections)
	return d
}

// send sends a request. No text may cause an internal error of the service.
func (d *sender) send(method, path, body string, headers ...string) {
	d.tb.Helper()
	r, err := http.NewRequestWithContext(d.tb.Context(), method, d.service.URL+path, strings.NewReader(body))
	if err != nil {
		d.tb.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+d.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := d.client.Do(r)
	if err != nil {
		d.tb.Fatal(err)
	}
	defer answer.Body.Close()
	var text bytes.Buffer
	if _, err := io.Copy(&text, answer.Body); err != nil {
		d.tb.Fatal(err)
	}
	if answer.StatusCode >= http.StatusInternalServerError {
		d.tb.Fatalf("%s %.100s: %d %.500s", method, path, answer.StatusCode, text.Bytes())
	}
}

// body returns a parser of bodies.
func (d *sender) body(path string, headers ...string) func(string) {
	return func(text string) { d.send(http.MethodPost, path, text, headers...) }
}

// parameter returns a parser of a parameter in the query.
func (d *sender) parameter(path string) func(string) {
	return func(text string) { d.send(http.MethodGet, path+url.QueryEscape(text), "") }
}

// raw returns a parser of the unescaped rest of the address.
func (d *sender) raw(path string) func(string) {
	return func(text string) { d.send(http.MethodGet, path+text, "") }
}

// header returns a parser of a header.
func (d *sender) header(path, name string) func(string) {
	return func(text string) { d.send(http.MethodGet, path, "", name, text) }
}

func base64url(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
