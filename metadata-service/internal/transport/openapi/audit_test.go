package openapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

const auditSearch = "POST /openapi/v1/events/audit/search"

func (s *service) record(events ...audit.Event) {
	s.t.Helper()
	for _, e := range events {
		e.Time += start.UnixMilli()
		s.events.Record(s.t.Context(), e)
	}
}

func TestAuditEventsComeNewestFirstAndInPages(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	for i := range 25 {
		s.record(audit.Event{Type: audit.UpdatePolicy, Time: int64(-2000 - i), Actor: "urn:li:corpuser:jo", Entity: "urn:li:dataHubPolicy:p", Aspect: "dataHubPolicyInfo"})
	}
	var times []string
	scroll, pages := "", 0
	for {
		page := s.ok(auditSearch+"?size=10&scrollId="+url.QueryEscape(scroll), `{"eventTypes":["UpdatePolicyEvent"],"somethingElse":1}`)
		wantAt(t, page, "25", "total")
		for _, e := range at(t, page, "usageEvents").([]any) {
			times = append(times, fmt.Sprint(at(t, e, "timestamp")))
		}
		pages++
		if !strings.Contains(encode(page), "nextScrollId") {
			break
		}
		scroll = at(t, page, "nextScrollId").(string)
	}
	if len(times) != 25 || pages != 3 {
		t.Fatalf("%d events on %d pages", len(times), pages)
	}
	for i := 1; i < len(times); i++ {
		if times[i] >= times[i-1] {
			t.Errorf("%s follows %s", times[i], times[i-1])
		}
	}
	if rec := s.do(auditSearch+"?scrollId="+url.QueryEscape(scroll), `{"eventTypes":["LogInEvent"]}`); rec.Code != 400 {
		t.Errorf("the scroll id of another query gives %d", rec.Code)
	}
	wantAt(t, s.ok(auditSearch+"?size=0", `{}`), "26", "total")
}

func TestAuditFiltersNarrowTogether(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	const day = 24 * 3600 * 1000
	s.record(
		audit.Event{Type: audit.UpdateUser, Time: -5, Actor: "urn:li:corpuser:a", Entity: "urn:li:corpuser:b", Aspect: "corpUserInfo"},
		audit.Event{Type: audit.UpdateUser, Time: -4, Actor: "urn:li:corpuser:a", Entity: "urn:li:corpGroup:b", Aspect: "roleMembership"},
		audit.Event{Type: audit.UpdateAspect, Time: -3, Actor: "urn:li:corpuser:a", Entity: "urn:li:tag:b", Aspect: "tagProperties"},
		audit.Event{Type: audit.UpdateAspect, Time: -2, Actor: "urn:li:corpuser:a", Entity: "urn:li:tag:b", Aspect: "status"},
		audit.Event{Type: audit.RefusedAction, Time: -1, Actor: "urn:li:corpuser:a"},
		audit.Event{Type: audit.UpdateUser, Time: -day - 1, Actor: "urn:li:corpuser:a", Entity: "urn:li:corpuser:old", Aspect: "corpUserInfo"},
	)
	begin := start.UnixMilli()
	for _, tt := range []struct {
		query, body string
		total       string
	}{
		{"", `{}`, "4"},
		{"", `{"eventTypes":null,"entityTypes":[],"aspectTypes":null,"actorUrns":[]}`, "4"},
		{"", `{"entityTypes":["corpuser","corpGroup"]}`, "2"},
		{"", `{"entityTypes":["CORPUSER"]}`, "0"},
		{"", `{"aspectTypes":["roleMembership"],"eventTypes":["UpdateUserEvent","LogInEvent"]}`, "1"},
		{"", `{"actorUrns":["urn:li:corpuser:a"]}`, "3"},
		{"", `{"eventTypes":["AccessRefusedEvent"]}`, "1"},
		{"", `{"eventTypes":["updateuserevent"]}`, "0"},
		{"", `{"eventTypes":["EntityEvent"]}`, "0"},
		{"?startTime=0", `{}`, "5"},
		{"?startTime=-7&endTime=-7", `{}`, "4"},
		{fmt.Sprintf("?startTime=%d&endTime=%d", begin-5, begin-4), `{}`, "1"},
		{fmt.Sprintf("?startTime=0&endTime=%d", begin-day), `{}`, "1"},
	} {
		wantAt(t, s.ok(auditSearch+tt.query, tt.body), tt.total, "total")
	}
}

func TestAuditShowsTheRawFormAndAddressesToWhomTheyAreFor(t *testing.T) {
	t.Parallel()
	operator, user := newService(t, options{open: true}), newService(t, options{may: auth.ViewAnalytics})
	const login = `{"eventTypes":["LogInEvent"]}`
	if text := encode(operator.ok(auditSearch+"?includeRaw=false", login)); strings.Contains(text, "rawUsageEvent") || !strings.Contains(text, `"sourceIP":"192.0.2.7"`) {
		t.Errorf("got %s", text)
	}
	if text := encode(user.ok(auditSearch, login)); strings.Contains(text, "192.0.2.7") || !strings.Contains(text, `"usageSource":"backend"`) {
		t.Errorf("got %s", text)
	}
	if rec := user.do(auditSearch, `{"eventTypes":["AccessRefusedEvent"]}`); rec.Code != 403 || !strings.Contains(rec.Body.String(), "MANAGE_SYSTEM_OPERATIONS") {
		t.Errorf("refusals: got %d %s", rec.Code, rec.Body)
	}
}

func TestAuditIsForThoseWhoMaySeeHowTheCatalogIsUsed(t *testing.T) {
	t.Parallel()
	rec := newService(t, options{}).do(auditSearch, `{}`)
	if rec.Code != 403 || !strings.Contains(rec.Body.String(), `"error":"`+string(tester)+` is unauthorized to READ ANALYTICS."`) {
		t.Errorf("without the privilege: %d %s", rec.Code, rec.Body)
	}
	if rec := newService(t, options{anonymous: true}).do(auditSearch, `{}`); rec.Code != 401 {
		t.Errorf("anonymous: %d", rec.Code)
	}
}

func TestAuditRefusesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	for request, body := range map[string]string{
		"?size=x": `{}`, "?size=-1": `{}`, "?startTime=now": `{}`, "?includeRaw=maybe": `{}`, "?scrollId=nonsense": `{}`, "": "",
		"?a=1": `{"eventTypes":"LogInEvent"}`, "?a=2": `[]`, "?a=3": `{"actorUrns":[` + strings.Repeat(`"x",`, 1000) + `"x"]}`,
	} {
		if rec := s.do(auditSearch+request, body); rec.Code != 400 {
			t.Errorf("%s %.40s: got %d %s", request, body, rec.Code, rec.Body)
		}
	}
}
