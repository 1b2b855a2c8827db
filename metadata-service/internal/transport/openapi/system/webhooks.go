package system

import (
	"encoding/json"
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const webhookBodyLimit = 64 << 10

func (a *API) webhookOperations() []endpoint.Endpoint {
	const all, one = "/v1/webhooks", "/v1/webhooks/{id}"
	const deadLettersPath = one + "/dead-letters"
	list := []endpoint.Endpoint{
		{Handle: a.listWebhooks, Operation: spec.Operation{Method: http.MethodGet, Path: all, Summary: "List webhooks", Answer: spec.ListOf(webhookSchema)}},
		{Handle: a.createWebhook, Operation: spec.Operation{Method: http.MethodPost, Path: all, Summary: "Set up a webhook for platform events; name, url and secret are required",
			Body: webhookDraftSchema, Answer: webhookSchema, Status: http.StatusCreated}},
		{Handle: a.getWebhook, Operation: spec.Operation{Method: http.MethodGet, Path: one, Summary: "Tell about a webhook and how far it has come", Answer: webhookSchema}},
		{Handle: a.changeWebhook, Operation: spec.Operation{Method: http.MethodPatch, Path: one, Summary: "Change a webhook; members that are absent stay", Body: webhookDraftSchema, Answer: webhookSchema}},
		{Handle: a.deleteWebhook, Operation: spec.Operation{Method: http.MethodDelete, Path: one, Summary: "Delete a webhook with its deliveries and dead letters", Status: http.StatusNoContent}},
		{Handle: a.pauseWebhook(true), Operation: spec.Operation{Method: http.MethodPost, Path: one + "/pause", Summary: "Pause a webhook, which keeps its position", Answer: webhookSchema}},
		{Handle: a.pauseWebhook(false), Operation: spec.Operation{Method: http.MethodPost, Path: one + "/resume", Summary: "Resume a webhook from its position", Answer: webhookSchema}},
		{Handle: a.testWebhook, Operation: spec.Operation{Method: http.MethodPost, Path: one + "/test", Summary: "Send a test event at once, and return the result of the delivery", Answer: deliverySchema}},
		{Handle: a.listDeliveries, Operation: spec.Operation{Method: http.MethodGet, Path: one + "/deliveries", Summary: "List the last attempts to deliver, newest first", Answer: spec.ListOf(deliverySchema)}},
		{Handle: a.listDeadLetters, Operation: spec.Operation{Method: http.MethodGet, Path: deadLettersPath, Summary: "List events that could not be delivered, oldest first", Answer: spec.ListOf(deadLetterSchema)}},
		{Handle: a.replayDeadLetter, Operation: spec.Operation{Method: http.MethodPost, Path: deadLettersPath + "/{delivery}/replay", Summary: "Send a dead letter once more; it is gone when the target takes it",
			Answer: deliverySchema}},
		{Handle: a.dropDeadLetter, Operation: spec.Operation{Method: http.MethodDelete, Path: deadLettersPath + "/{delivery}", Summary: "Drop a dead letter", Status: http.StatusNoContent}},
	}
	return endpoint.InGroup(list, spec.GroupV1, "Webhooks")
}

// webhookDraft is the body of a request that creates or changes a webhook.
type webhookDraft struct {
	Name   *string           `json:"name"`
	URL    *string           `json:"url"`
	Secret *string           `json:"secret"`
	Filter *eventhook.Filter `json:"filter"`
	Paused *bool             `json:"paused"`
}

type webhookView struct {
	ID             string           `json:"id"`
	Name           string           `json:"name"`
	URL            string           `json:"url"`
	Filter         eventhook.Filter `json:"filter"`
	Paused         bool             `json:"paused"`
	Owner          urn.URN          `json:"owner"`
	Created        int64            `json:"created"`
	Changed        int64            `json:"changed"`
	Retrying       *retryView       `json:"retrying,omitempty"`
	Problem        string           `json:"problem,omitempty"`
	Missed         int64            `json:"missed,omitempty"`
	LettersDropped int              `json:"deadLettersDropped,omitempty"`
}

type retryView struct {
	Delivery string `json:"delivery"`
	Attempts int    `json:"attempts"`
	Error    string `json:"error"`
	RetryAt  int64  `json:"retryAt"`
}

type deadLetterView struct {
	ID       string          `json:"id"`
	Event    json.RawMessage `json:"event"`           // null for an event that was too large to be stored
	Bytes    int             `json:"bytes,omitempty"` // size of such an event
	Time     int64           `json:"time"`
	Attempts int             `json:"attempts"`
	Error    string          `json:"error"`
}

func presentWebhook(h *eventhook.Hook) webhookView {
	view := webhookView{
		ID: h.ID, Name: h.Name, URL: h.Address, Filter: h.Filter, Paused: h.Paused, Owner: h.Owner, Created: h.Created, Changed: h.Changed,
		Problem: h.Problem, Missed: h.Missed, LettersDropped: h.LettersDropped,
	}
	if h.Waiting != nil {
		view.Retrying = (*retryView)(h.Waiting)
	}
	return view
}

func (a *API) webhookDraft(c *endpoint.Call) (d eventhook.Draft, err error) {
	var body webhookDraft
	if err := c.Decode(webhookBodyLimit, &body); err != nil {
		return d, err
	}
	d = eventhook.Draft{Name: body.Name, Address: body.URL, Filter: body.Filter, Paused: body.Paused}
	if body.Secret != nil {
		secret := config.Secret(*body.Secret)
		d.Secret = &secret
	}
	return d, nil
}

// answerWebhook responds with a webhook, or returns err.
func answerWebhook(c *endpoint.Call, status int, h eventhook.Hook, err error) error {
	if err != nil {
		return err
	}
	return c.JSON(status, presentWebhook(&h))
}

// answerWith responds with a value, or returns err.
func answerWith[T any](c *endpoint.Call, value T, err error) error {
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, value)
}

func (a *API) listWebhooks(c *endpoint.Call) error {
	hooks, err := a.Webhooks.List(c.Ctx())
	views := make([]webhookView, len(hooks))
	for i := range hooks {
		views[i] = presentWebhook(&hooks[i])
	}
	return answerWith(c, views, err)
}

func (a *API) createWebhook(c *endpoint.Call) error {
	d, err := a.webhookDraft(c)
	if err != nil {
		return err
	}
	h, err := a.Webhooks.Create(c.Ctx(), d)
	return answerWebhook(c, http.StatusCreated, h, err)
}

func (a *API) getWebhook(c *endpoint.Call) error {
	h, err := a.Webhooks.Get(c.Ctx(), c.PathParams["id"])
	return answerWebhook(c, http.StatusOK, h, err)
}

func (a *API) changeWebhook(c *endpoint.Call) error {
	d, err := a.webhookDraft(c)
	if err != nil {
		return err
	}
	if d == (eventhook.Draft{}) {
		return fault.New(fault.Malformed, "the body names nothing to change")
	}
	h, err := a.Webhooks.Update(c.Ctx(), c.PathParams["id"], d)
	return answerWebhook(c, http.StatusOK, h, err)
}

func (a *API) pauseWebhook(paused bool) func(*endpoint.Call) error {
	return func(c *endpoint.Call) error {
		h, err := a.Webhooks.Update(c.Ctx(), c.PathParams["id"], eventhook.Draft{Paused: &paused})
		return answerWebhook(c, http.StatusOK, h, err)
	}
}

func (a *API) deleteWebhook(c *endpoint.Call) error {
	if err := a.Webhooks.Delete(c.Ctx(), c.PathParams["id"]); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func (a *API) testWebhook(c *endpoint.Call) error {
	d, err := a.Webhooks.Test(c.Ctx(), c.PathParams["id"])
	return answerWith(c, d, err)
}

func (a *API) listDeliveries(c *endpoint.Call) error {
	list, err := a.Webhooks.Deliveries(c.Ctx(), c.PathParams["id"])
	return answerWith(c, append([]eventhook.Delivery{}, list...), err)
}

func (a *API) listDeadLetters(c *endpoint.Call) error {
	deadLetters, err := a.Webhooks.Letters(c.Ctx(), c.PathParams["id"])
	views := make([]deadLetterView, len(deadLetters))
	for i, l := range deadLetters {
		views[i] = deadLetterView{ID: l.ID, Event: l.Body, Bytes: l.Bytes, Time: l.Time, Attempts: l.Attempts, Error: l.Error}
	}
	return answerWith(c, views, err)
}

func (a *API) replayDeadLetter(c *endpoint.Call) error {
	d, err := a.Webhooks.Replay(c.Ctx(), c.PathParams["id"], c.PathParams["delivery"])
	return answerWith(c, d, err)
}

func (a *API) dropDeadLetter(c *endpoint.Call) error {
	if err := a.Webhooks.Drop(c.Ctx(), c.PathParams["id"], c.PathParams["delivery"]); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func webhookFilterSchema() jsontree.Object {
	return spec.Object(jsontree.Object{
		"events": spec.Array(spec.Text()), "entityTypes": spec.Array(spec.Text()), "categories": spec.Array(spec.Text()), "operations": spec.Array(spec.Text()), "relationshipTypes": spec.Array(spec.Text()),
	})
}

func webhookDraftSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("WebhookDraft", func() jsontree.Object {
		return spec.Object(jsontree.Object{
			"name": spec.Text(), "url": spec.Text(), "secret": spec.Text(), "paused": jsontree.Object{"type": "boolean"}, "filter": webhookFilterSchema(),
		})
	})
}

func webhookSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("Webhook", func() jsontree.Object {
		number := jsontree.Object{"type": "integer"}
		return spec.Object(jsontree.Object{
			"id": spec.Text(), "name": spec.Text(), "url": spec.Text(), "paused": jsontree.Object{"type": "boolean"}, "filter": webhookFilterSchema(), "owner": spec.Text(),
			"created": number, "changed": number, "problem": spec.Text(), "missed": number, "deadLettersDropped": number,
			"retrying": spec.Object(jsontree.Object{"delivery": spec.Text(), "attempts": number, "error": spec.Text(), "retryAt": number}),
		})
	})
}

func deliverySchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("WebhookDelivery", func() jsontree.Object {
		number := jsontree.Object{"type": "integer"}
		return spec.Object(jsontree.Object{
			"id": spec.Text(), "time": number, "attempt": number, "took": number, "status": number, "outcome": spec.Text(), "error": spec.Text(),
			"event": spec.Object(jsontree.Object{
				"name": spec.Text(), "entityUrn": spec.Text(), "entityType": spec.Text(), "category": spec.Text(), "operation": spec.Text(), "relationshipType": spec.Text(), "destinationUrn": spec.Text(),
			}),
		})
	})
}

func deadLetterSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	return d.Component("WebhookDeadLetter", func() jsontree.Object {
		number := jsontree.Object{"type": "integer"}
		return spec.Object(jsontree.Object{"id": spec.Text(), "event": jsontree.Object{"type": "object"}, "bytes": number, "time": number, "attempts": number, "error": spec.Text()})
	})
}
