package system

import (
	"net/http"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (a *API) eventOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{{Handle: a.pollEvents, Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/events/poll", Summary: "Follow a topic of events: those after an offset, waiting for the first",
		Query: []spec.Param{
			spec.NewParam("topic", spec.KindText, "", "PlatformEvent_v1, MetadataChangeLog_Versioned_v1 or MetadataChangeLog_Timeseries_v1."),
			spec.NewParam("offsetId", spec.KindText, "", "The offsetId of the answer before. Without it the place is the end of the topic."),
			spec.NewParam("limit", spec.KindNumber, "100", "Most events of the answer; more than 5000 count as 5000."),
			spec.NewParam("pollTimeoutSeconds", spec.KindNumber, "10", "How long to wait for the first event, at most 10."),
			spec.NewParam("lookbackWindowDays", spec.KindNumber, "", "Without an offset: begin that many days ago."),
		},
		Answer: eventPageSchema}}}
	return endpoint.InGroup(list, spec.GroupV1, "Events")
}

// polledEvent is an event as JSON inside a JSON string.
type polledEvent struct {
	ContentType string `json:"contentType"`
	Value       string `json:"value"`
}

type eventPage struct {
	Offset string        `json:"offsetId"`
	Count  int           `json:"count"`
	Events []polledEvent `json:"events"`
	// Error states that events were missed, or why there are none.
	Error *string `json:"errorMessage"`
}

// longestLookback is a hundred years in days, longer than events are retained.
const longestLookback = 36_500

func (a *API) pollEvents(c *endpoint.Call) error {
	q, err := eventQuery(c)
	if err == nil {
		var page event.Page
		if page, err = a.Events.Poll(c.Ctx(), q); err == nil {
			if a.Polled != nil {
				a.Polled(c.Ctx(), event.Topic(q.Topic))
			}
			return c.JSON(http.StatusOK, presentEvents(page))
		}
	}
	// Clients of this endpoint read only this one member.
	switch kind := fault.KindOf(err); kind {
	case fault.Malformed, fault.Throttled:
		return c.JSON(kind.Status(), map[string]string{"errorMessage": fault.Message(err)})
	}
	return err
}

func eventQuery(c *endpoint.Call) (q event.Query, err error) {
	q.Topic, q.Offset = c.QueryParam("topic"), c.QueryParam("offsetId")
	if q.Limit, err = c.Count("limit", event.DefaultLimit, event.MaxLimit); err != nil {
		return q, err
	}
	seconds, err := c.Count("pollTimeoutSeconds", int64(event.DefaultWait/time.Second), int64(event.MaxWait/time.Second))
	if err != nil {
		return q, err
	}
	days, err := c.Count("lookbackWindowDays", 0, longestLookback)
	q.Wait, q.Lookback = time.Duration(seconds)*time.Second, time.Duration(days)*24*time.Hour
	return q, err
}

func presentEvents(page event.Page) eventPage {
	out := eventPage{Offset: page.Offset, Count: len(page.Events), Events: make([]polledEvent, len(page.Events))}
	for i, text := range page.Events {
		out.Events[i] = polledEvent{"application/json", string(text)}
	}
	if page.Missed {
		missed := "Events after this offset are not kept any more. These are the oldest that are."
		out.Error = &missed
	}
	return out
}

func eventPageSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("EventPage", func() jsontree.Object {
		message := spec.Text()
		message["nullable"] = true
		return spec.Object(jsontree.Object{
			"offsetId": spec.Text(), "count": jsontree.Object{"type": "integer"}, "errorMessage": message,
			"events": spec.Array(spec.Object(jsontree.Object{"contentType": spec.Text(), "value": spec.Text()})),
		})
	})
}
