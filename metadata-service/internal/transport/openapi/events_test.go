package openapi_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type pollResult struct {
	Offset string `json:"offsetId"`
	Count  int
	Events []struct{ ContentType, Value string }
	Error  *string `json:"errorMessage"`
}

func poll(t *testing.T, s *service, topic, rest string) pollResult {
	t.Helper()
	answer := s.do("GET /openapi/v1/events/poll?topic="+topic+"&pollTimeoutSeconds=0"+rest, "")
	var page pollResult
	if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	if page.Offset == "" || page.Count != len(page.Events) || page.Events == nil {
		t.Fatalf("%s", answer.Body)
	}
	return page
}

func TestWritesAreFollowedFromOffsetToOffset(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	at := poll(t, s, "PlatformEvent_v1", "").Offset
	s.do("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD)","globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"},{"tag":"urn:li:tag:b"}]}}}]`)
	var seen []string
	for {
		page := poll(t, s, "PlatformEvent_v1", "&limit=1&offsetId="+url.QueryEscape(at))
		if page.Count == 0 {
			break
		}
		at = page.Offset
		var event struct{ Payload struct{ Value string } }
		if err := json.Unmarshal([]byte(page.Events[0].Value), &event); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, event.Payload.Value)
	}
	for i, part := range []string{`"operation":"CREATE"`, `"modifier":"urn:li:tag:a"`, `"modifier":"urn:li:tag:b"`} {
		if i >= len(seen) || !strings.Contains(seen[i], part) {
			t.Errorf("event %d is to have %s; all are %v", i, part, seen)
		}
	}
}

func TestRefusedPollsSayWhyWhereClientsLook(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	ofAnother := poll(t, s, "MetadataChangeLog_Versioned_v1", "&limit=9999").Offset // more than 5000 counts as 5000
	forged := base64.StdEncoding.EncodeToString([]byte(`{"PlatformEvent_v1-0":9223372036854775807}`))
	for target, want := range map[string]string{
		"topic=PlatformEvent_v1&offsetId=" + url.QueryEscape(ofAnother): "offsetId:",
		"topic=PlatformEvent_v1&offsetId=" + url.QueryEscape(forged):    "offsetId:",
		"topic=Other":                       "topic:",
		"":                                  "topic:",
		"topic=PlatformEvent_v1&offsetId=x": "offsetId:",
		"topic=PlatformEvent_v1&limit=-1":   "limit",
		"topic=PlatformEvent_v1&limit=many": "limit",
		"topic=PlatformEvent_v1&pollTimeoutSeconds=-1": "pollTimeoutSeconds",
		"topic=PlatformEvent_v1&lookbackWindowDays=x":  "lookbackWindowDays",
	} {
		answer := s.do("GET /openapi/v1/events/poll?"+target, "")
		var body struct{ ErrorMessage string }
		if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil || answer.Code != http.StatusBadRequest || !strings.Contains(body.ErrorMessage, want) {
			t.Errorf("%s: %d %s", target, answer.Code, answer.Body)
		}
	}
}

func TestTooManyPollsAreToldToComeBackLater(t *testing.T) {
	t.Parallel()
	waiting, release := make(chan struct{}), make(chan struct{})
	s := newService(t, options{open: true, callers: 1, settled: func(context.Context, uint64) error { close(waiting); <-release; return nil }})
	at := poll(t, s, "PlatformEvent_v1", "").Offset
	s.tag("a")
	done := make(chan int, 1)
	go func() {
		done <- s.do("GET /openapi/v1/events/poll?topic=PlatformEvent_v1&offsetId="+url.QueryEscape(at), "").Code
	}()
	<-waiting
	answer := s.do("GET /openapi/v1/events/poll?topic=PlatformEvent_v1", "")
	var body struct{ ErrorMessage string }
	if err := json.Unmarshal(answer.Body.Bytes(), &body); err != nil || answer.Code != http.StatusTooManyRequests || !strings.Contains(body.ErrorMessage, "Too many simultaneous requests") {
		t.Errorf("the second: %d %s", answer.Code, answer.Body)
	}
	close(release)
	if code := <-done; code != http.StatusOK {
		t.Errorf("the first: %d", code)
	}
}
