package apptest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest/doctest"
)

// sent is an event of a stream.
type sent struct {
	id, name, data string
}

// changed returns a short text of the change.
func (s sent) changed(t *testing.T) string {
	t.Helper()
	var c struct{ EntityUrn, Category, Operation, Modifier string }
	if err := json.Unmarshal([]byte(s.data), &c); err != nil {
		t.Fatalf("%q: %v", s.data, err)
	}
	return strings.TrimSpace(c.EntityUrn + " " + c.Category + " " + c.Operation + " " + c.Modifier)
}

// listener reads a stream.
type listener struct {
	t     *testing.T
	lines *bufio.Reader
	close func() error
	last  string
}

func listen(t *testing.T, s *apptest.Service, token, query, last string) *listener {
	t.Helper()
	return listenAt(t, s, token, "/events/stream"+query, last)
}

func listenAt(t *testing.T, s *apptest.Service, token, path, last string) *listener {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Accept-Encoding", "gzip") // which could delay events
	if last != "" {
		request.Header.Set("Last-Event-ID", last)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" || answer.Header.Get("Content-Encoding") != "" {
		t.Fatalf("stream: %d %v", answer.StatusCode, answer.Header)
	}
	return &listener{t: t, lines: bufio.NewReader(answer.Body), close: answer.Body.Close, last: last}
}

// next returns the next event, or false at the end of the stream.
func (l *listener) next() (e sent, ok bool) {
	l.t.Helper()
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			return e, false
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "id":
			e.id, l.last = value, value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				return e, true
			}
			e = sent{}
		}
	}
}

// expectEvents checks that the next events are the given ones.
func (l *listener) expectEvents(wanted ...string) {
	l.t.Helper()
	for _, want := range wanted {
		e, ok := l.next()
		if !ok || e.name != "entityChangeEvent" || e.changed(l.t) != want {
			l.t.Fatalf("want %q, got %v %+v", want, ok, e)
		}
	}
}

func tagged(s *apptest.Service, n int) string {
	u := fmt.Sprintf("urn:li:tag:t%d", n)
	s.JSON(http.MethodPost, "/openapi/v3/entity/tag?async=false", `[{"urn":"`+u+`","tagProperties":{"value":{"name":"t"}}}]`, nil)
	return u + " LIFECYCLE CREATE"
}

func TestAStreamTellsEachEventOnceOverCutsAndRestarts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := apptest.Start(t, dir)
	token := s.As("urn:li:corpuser:datahub").Token()
	l := listen(t, s, token, "", "")
	l.expectEvents(tagged(s, 1), tagged(s, 2))
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	three := tagged(s, 3)
	l = listen(t, s, token, "", l.last)
	l.expectEvents(three)
	s.Stop() // the open stream must not delay the stop
	if e, ok := l.next(); ok {
		t.Fatalf("after the end: %+v", e)
	}
	s = apptest.Start(t, dir)
	four := tagged(s, 4)
	l = listen(t, s, token, "", l.last)
	l.expectEvents(four, tagged(s, 5))
}

func TestAStreamOfWhatIsThereEnds(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	token := s.As("urn:li:corpuser:datahub").Token()
	wanted := []string{tagged(s, 1), tagged(s, 2)}
	l := listen(t, s, token, "?follow=false&lookbackWindowDays=1", "")
	var found []string
	for e, ok := l.next(); ok; e, ok = l.next() {
		if what := e.changed(t); strings.HasPrefix(what, "urn:li:tag:t") {
			found = append(found, what)
		}
	}
	if fmt.Sprint(found) != fmt.Sprint(wanted) {
		t.Errorf("got %s, want %s", found, wanted)
	}
	l = listen(t, s, token, "?follow=false&lookbackWindowDays=1&topic=MetadataChangeLog_Versioned_v1", "")
	if e, ok := l.next(); !ok || e.name != "MetadataChangeLog_Versioned_v1" || !strings.Contains(e.data, `"aspectName"`) {
		t.Errorf("of the log: %v %+v", ok, e)
	}
}

const changes = "/events/changes"

// notices checks that the next changes are the given ones.
func (l *listener) notices(wanted ...string) {
	l.t.Helper()
	for _, want := range wanted {
		e, ok := l.next()
		got := e.name
		if e.name == "change" {
			got = e.changed(l.t)
		}
		if !ok || got != want {
			l.t.Fatalf("want %q, got %v %+v", want, ok, e)
		}
	}
}

func TestChangesAreStreamedToEverybodyAndWhoComesBackReadsAgain(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	token := s.As(jo).Token()
	l := listenAt(t, s, token, changes, "")
	l.notices(tagged(s, 1), "urn:li:tag:t1 OTHER ADD", tagged(s, 2), "urn:li:tag:t2 OTHER ADD")
	at := l.last
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	l = listenAt(t, s, token, changes, at) // nothing was missed
	l.notices(tagged(s, 3), "urn:li:tag:t3 OTHER ADD")
	l = listenAt(t, s, token, changes, at)
	l.notices("reset", tagged(s, 4))
	l = listenAt(t, s, token, changes+"?follow=false", "not one of ours")
	l.notices("reset")
	if e, ok := l.next(); ok {
		t.Errorf("after the end: %+v", e)
	}
	s.Stop() // open streams must not delay the stop
}

func TestThePageAboutChangesIsTrue(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	by := map[string]sender{http.MethodGet: {t, s.As(jo)}, http.MethodPost: {t, s.As("urn:li:corpuser:datahub")}}
	doctest.Run(t, "../../../docs/api/changes.md", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { by[r.Method].ServeHTTP(w, r) }))
}

func TestStreamsOfChangesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	u := s.As(jo)
	for path, reason := range map[string]string{
		changes + "?follow=maybe":       "follow",
		"/events/owned?count=0":         "count",
		"/events/owned?count=1e9":       "count",
		"/events/owned?since=yesterday": "since",
		"/events/owned?before=x":        "before",
	} {
		if status, body := u.Call(http.MethodGet, path, ""); status != http.StatusBadRequest || !strings.Contains(body, reason) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for range 16 {
		listenAt(t, s, u.Token(), changes, "")
	}
	if status, body := u.Call(http.MethodGet, changes, ""); status != http.StatusTooManyRequests || !strings.Contains(body, "16 streams") {
		t.Errorf("the 17th: %d %s", status, body)
	}
	listenAt(t, s, s.As(mia).Token(), changes, "").notices(tagged(s, 1)) // other users are still served
}

func TestAStreamEndsWithTheTokenAndTheRight(t *testing.T) {
	t.Parallel()
	revoke := func(s *apptest.Service, u apptest.User) {
		var known struct {
			Data struct {
				ListAccessTokens struct {
					Tokens []struct{ ID, ActorUrn string }
				}
			}
		}
		s.JSON(http.MethodPost, "/api/graphql", `{"query":"{ listAccessTokens(input: {start: 0, count: 10}) { tokens { id actorUrn } } }"}`, &known)
		for _, token := range known.Data.ListAccessTokens.Tokens {
			if token.ActorUrn == string(u.URN) {
				s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { revokeAccessToken(tokenId: \"`+token.ID+`\") }"}`, nil)
			}
		}
	}
	for name, end := range map[string]struct {
		path   string
		how    func(s *apptest.Service, u apptest.User)
		reason string
	}{
		"the token is revoked":             {"/events/stream", revoke, "revoked"},
		"the token is revoked, of changes": {changes, revoke, "revoked"},
		"the policy is gone": {"/events/stream", func(s *apptest.Service, _ apptest.User) {
			s.JSON(http.MethodPost, "/api/graphql", `{"query":"mutation { deletePolicy(urn: \"urn:li:dataHubPolicy:listeners\") }"}`, nil)
		}, "GET_PLATFORM_EVENTS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := apptest.New(t)
			s.JSON(http.MethodPost, "/openapi/v3/entity/dataHubPolicy?async=false", `[{"urn":"urn:li:dataHubPolicy:listeners","dataHubPolicyInfo":{"value":{"displayName":"Listeners","description":"","type":"PLATFORM","state":"ACTIVE",
				"privileges":["GET_PLATFORM_EVENTS"],"editable":true,"actors":{"users":["`+string(jo)+`"],"allUsers":false,"allGroups":false,"resourceOwners":false}}}}]`, nil)
			u := s.As(jo)
			l := listenAt(t, s, u.Token(), end.path, "")
			created := tagged(s, 1)
			if e, ok := l.next(); !ok || e.changed(t) != created {
				t.Fatalf("want %q, got %v %+v", created, ok, e)
			}
			end.how(s, u)
			for {
				e, ok := l.next()
				if !ok {
					t.Fatal("the stream ended without a reason")
				}
				if e.name == "end" {
					if !strings.Contains(e.data, end.reason) {
						t.Errorf("ended by %s", e.data)
					}
					return
				}
			}
		})
	}
}

func TestStreamsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	u := s.As("urn:li:corpuser:datahub")
	for query, reason := range map[string]string{
		"topic=Weather":          "topic",
		"offsetId=x":             "offsetId",
		"lookbackWindowDays=x":   "lookbackWindowDays",
		"lookbackWindowDays=-1":  "lookbackWindowDays",
		"follow=maybe":           "follow",
		"lookbackWindowDays=1e9": "lookbackWindowDays",
	} {
		if status, body := u.Call(http.MethodGet, "/events/stream?"+query, ""); status != http.StatusBadRequest || !strings.Contains(body, reason) {
			t.Errorf("%s: %d %s", query, status, body)
		}
	}
	if status, body := s.As(jo).Call(http.MethodGet, "/events/stream", ""); status != http.StatusForbidden && status != http.StatusUnauthorized || !strings.Contains(body, "GET_PLATFORM_EVENTS") {
		t.Errorf("without the privilege: %d %s", status, body)
	}
	var open []*listener
	for range 16 {
		open = append(open, listen(t, s, u.Token(), "", ""))
	}
	if status, body := u.Call(http.MethodGet, "/events/stream", ""); status != http.StatusTooManyRequests || !strings.Contains(body, "16 streams") {
		t.Errorf("the 17th: %d %s", status, body)
	}
	open[0].expectEvents(tagged(s, 1))
	open[15].expectEvents("urn:li:tag:t1 LIFECYCLE CREATE")
}
