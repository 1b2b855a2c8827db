package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	auditPath      = "/v1/events/audit/search"
	auditPageSize  = 10
	auditBodyLimit = 1 << 20
)

func (a *API) auditOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{{Handle: a.searchAudit, Operation: spec.Operation{Method: http.MethodPost, Path: auditPath, Summary: "Search the audit log, newest events first",
		Query: []spec.Param{
			spec.NewParam("startTime", spec.KindNumber, "", "Earliest time, in milliseconds; a day ago when absent."),
			spec.NewParam("endTime", spec.KindNumber, "", "Events are before this time, in milliseconds; now when absent."),
			spec.NewParam("size", spec.KindNumber, "10", "Size of a page; at most 1000 are given."),
			spec.NewParam("scrollId", spec.KindText, "", "The nextScrollId of the page before."),
			spec.NewParam("includeRaw", spec.KindFlag, "true", "Add each event in the form in which it is kept."),
		},
		Body: auditFilterSchema, Answer: auditPageSchema}}}
	return endpoint.InGroup(list, spec.GroupV1, "Events")
}

// auditFilter is the body of a search. Unknown members are ignored.
type auditFilter struct {
	EventTypes  []string `json:"eventTypes"`
	EntityTypes []string `json:"entityTypes"`
	AspectTypes []string `json:"aspectTypes"`
	ActorURNs   []string `json:"actorUrns"`
}

type auditPage struct {
	NextScrollID string       `json:"nextScrollId,omitempty"`
	Count        int          `json:"count"`
	Total        int          `json:"total"`
	Events       []auditEvent `json:"usageEvents"`
}

// auditEvent is an event in the form of the reference API.
type auditEvent struct {
	Type        audit.Type     `json:"eventType"`
	Time        int64          `json:"timestamp"`
	Actor       urn.URN        `json:"actorUrn"`
	SourceIP    string         `json:"sourceIP,omitempty"`
	Source      string         `json:"eventSource,omitempty"`
	UserAgent   string         `json:"userAgent,omitempty"`
	Trace       string         `json:"telemetryTraceId,omitempty"`
	Entity      urn.URN        `json:"entityUrn,omitempty"`
	EntityType  string         `json:"entityType,omitempty"`
	Aspect      string         `json:"aspectName,omitempty"`
	LoginSource string         `json:"loginSource,omitempty"`
	Raw         *rawAuditEvent `json:"rawUsageEvent,omitempty"`
}

// rawAuditEvent is the stored event: first the members of the reference API, then those of this
// service.
type rawAuditEvent struct {
	Type         audit.Type `json:"type"`
	Time         int64      `json:"timestamp"`
	Actor        urn.URN    `json:"actorUrn"`
	Entity       urn.URN    `json:"entityUrn,omitempty"`
	EntityType   string     `json:"entityType,omitempty"`
	Aspect       string     `json:"aspectName,omitempty"`
	Source       string     `json:"eventSource,omitempty"`
	SourceIP     string     `json:"sourceIP,omitempty"`
	UserAgent    string     `json:"userAgent,omitempty"`
	Trace        string     `json:"traceId,omitempty"`
	LoginSource  string     `json:"loginSource,omitempty"`
	DenialReason string     `json:"loginDenialReason,omitempty"`
	UsageSource  string     `json:"usageSource"`

	RequestID  string `json:"requestId,omitempty"`
	TokenID    string `json:"tokenId,omitempty"`
	RunID      string `json:"runId,omitempty"`
	Operation  string `json:"operation,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Privileges string `json:"privileges,omitempty"`
	Count      int64  `json:"count,omitempty"`
}

func (a *API) searchAudit(c *endpoint.Call) error {
	q, err := a.auditQuery(c)
	if err != nil {
		return err
	}
	raw, err := c.Flag("includeRaw", true)
	if err != nil {
		return err
	}
	page, err := a.Audit.Search(c.Ctx(), q)
	if err != nil {
		return err
	}
	answer := auditPage{NextScrollID: page.Scroll, Count: len(page.Events), Total: page.Total, Events: make([]auditEvent, len(page.Events))}
	for i := range page.Events {
		answer.Events[i] = presentAudit(&page.Events[i], raw)
	}
	return c.JSON(http.StatusOK, answer)
}

func (a *API) auditQuery(c *endpoint.Call) (q auditlog.Query, err error) {
	if q.From, err = c.Number("startTime", -1); err != nil {
		return q, err
	}
	if q.To, err = c.Number("endTime", 0); err != nil {
		return q, err
	}
	if q.Size, err = c.Count("size", auditPageSize, auditlog.MaxSize); err != nil {
		return q, err
	}
	var filter auditFilter
	if err := c.Decode(auditBodyLimit, &filter); err != nil {
		return q, err
	}
	q.Types, q.EntityTypes, q.Aspects, q.Actors = filter.EventTypes, filter.EntityTypes, filter.AspectTypes, filter.ActorURNs
	q.Scroll = c.QueryParam("scrollId")
	return q, nil
}

func presentAudit(e *audit.Event, raw bool) auditEvent {
	// Sign-in events do not show the user agent, since it is the program that forwarded them.
	agent := e.Agent
	if e.Type == audit.LogIn || e.Type == audit.FailedLogIn {
		agent = ""
	}
	out := auditEvent{
		Type: e.Type, Time: e.Time, Actor: e.Actor, SourceIP: e.Address, Source: e.Source, UserAgent: agent, Trace: e.Trace,
		Entity: e.Entity, EntityType: e.EntityType(), Aspect: e.Aspect, LoginSource: loginSources[e.LoginSource],
	}
	if raw {
		out.Raw = &rawAuditEvent{
			Type: e.Type, Time: e.Time, Actor: e.Actor, Entity: e.Entity, EntityType: e.EntityType(), Aspect: e.Aspect, Source: e.Source,
			SourceIP: e.Address, UserAgent: agent, Trace: e.Trace, LoginSource: e.LoginSource, DenialReason: e.Denial, UsageSource: "backend",
			RequestID: e.Request, TokenID: e.Token, RunID: e.Run, Operation: e.Operation, Reason: e.Reason, Privileges: e.Privileges, Count: e.Count,
		}
	}
	return out
}

// loginSources maps ways of signing in to the names of the reference API.
var loginSources = map[string]string{
	"passwordLogin": "PASSWORD_LOGIN", "passwordReset": "PASSWORD_RESET", "signUpLinkLogin": "SIGN_UP_LINK_LOGIN",
	"ssoLogin": "SSO_LOGIN", "guestLogin": "GUEST_LOGIN", "fallbackLogin": "FALLBACK_LOGIN",
}

func auditFilterSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("AuditFilter", func() jsontree.Object {
		members := jsontree.Object{}
		for _, name := range []string{"eventTypes", "entityTypes", "aspectTypes", "actorUrns"} {
			list := spec.Array(spec.Text())
			list["nullable"] = true
			members[name] = list
		}
		return spec.Object(members)
	})
}

func auditPageSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("AuditPage", func() jsontree.Object {
		event := jsontree.Object{"timestamp": jsontree.Object{"type": "integer"}, "rawUsageEvent": jsontree.Object{"type": "object"}}
		for _, name := range []string{
			"eventType", "actorUrn", "sourceIP", "eventSource", "userAgent", "telemetryTraceId", "entityUrn", "entityType", "aspectName", "loginSource",
		} {
			event[name] = spec.Text()
		}
		return spec.Object(jsontree.Object{
			"nextScrollId": spec.Text(), "count": jsontree.Object{"type": "integer"}, "total": jsontree.Object{"type": "integer"}, "usageEvents": spec.Array(spec.Object(event)),
		})
	})
}
