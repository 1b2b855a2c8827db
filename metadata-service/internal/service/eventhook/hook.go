// Package eventhook posts platform events to webhooks: HTTP endpoints that actors with
// auth.ManageSystem have set up.
//
// Each webhook follows the topic of platform events from a position of its own, with the privileges
// of its owner. It receives events one at a time, in the order of the change log, at least once:
// the durable position advances when the target has accepted an event, or when the event has become
// a dead letter. Each webhook has its own goroutine, so a target that hangs delays no other
// webhook. Only the process with the open record file delivers, and only one process can open it.
package eventhook

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Limits of webhooks.
const (
	MaxHooks       = 32
	MaxName        = 200
	MaxFilter      = 100
	MinSecret      = 16
	MaxSecret      = 256
	KeptDeliveries = 100 // of a webhook
	KeptLetters    = 200 // of a webhook
	KeptLetterSize = 4 << 20
	MaxBody        = 1 << 20 // of a sent event, and of one stored as a dead letter
)

// Owner is the identity with which a webhook reads events.
type Owner struct {
	URN    urn.URN     `json:"urn"`
	System bool        `json:"system,omitempty"`
	Scope  *auth.Scope `json:"scope,omitempty"` // of the access token with which it was set up
}

// Filter selects events. An empty list selects all, except for Events.
type Filter struct {
	// Events are names of platform events; empty means only entity change events.
	Events []string `json:"events,omitempty"`
	// EntityTypes are types of the changed entity, or of the source of a relationship.
	EntityTypes []string `json:"entityTypes,omitempty"`
	// Categories select among entity change events.
	Categories []string `json:"categories,omitempty"`
	Operations []string `json:"operations,omitempty"`
	// RelationshipTypes select among relationship change events.
	RelationshipTypes []string `json:"relationshipTypes,omitempty"`
}

// wants reports whether the filter can select events of a name.
func (f *Filter) wants(name string) bool {
	if len(f.Events) == 0 {
		return name == event.EntityChange
	}
	return slices.Contains(f.Events, name)
}

func (f *Filter) selects(e *Event) bool {
	has := func(list []string, value string) bool { return len(list) == 0 || slices.Contains(list, value) }
	kind := has(f.Categories, e.Category)
	if e.Name == event.RelationshipChange {
		kind = has(f.RelationshipTypes, e.RelationshipType)
	}
	return f.wants(e.Name) && kind && has(f.EntityTypes, e.EntityType) && has(f.Operations, e.Operation)
}

// Event holds the members of an event that deliveries show. An empty Name, from an earlier version,
// means an entity change event.
type Event struct {
	Name       string `json:"name,omitempty"`
	EntityURN  string `json:"entityUrn"` // source of a relationship
	EntityType string `json:"entityType"`
	Category   string `json:"category"` // of entity change events
	Operation  string `json:"operation"`
	// RelationshipType and DestinationURN are set for relationship change events.
	RelationshipType string `json:"relationshipType,omitempty"`
	DestinationURN   string `json:"destinationUrn,omitempty"`
}

// name returns the value of EventHeader.
func (e *Event) name() string { return cmp.Or(e.Name, event.EntityChange) }

// readEvent decodes the payload of a platform event.
func readEvent(name string, payload []byte) (e Event, err error) {
	if name != event.RelationshipChange {
		err = json.Unmarshal(payload, &e)
		e.Name = name
		return e, err
	}
	var r struct {
		SourceURN        urn.URN `json:"sourceUrn"`
		DestinationURN   string  `json:"destinationUrn"`
		Operation        string  `json:"operation"`
		RelationshipType string  `json:"relationshipType"`
	}
	err = json.Unmarshal(payload, &r)
	return Event{
		Name: name, EntityURN: string(r.SourceURN), EntityType: r.SourceURN.Type(), Operation: r.Operation, RelationshipType: r.RelationshipType,
		DestinationURN: r.DestinationURN,
	}, err
}

// Hook is a webhook, without its secret.
type Hook struct {
	ID      string
	Name    string
	Address string
	Filter  Filter
	Paused  bool
	Owner   urn.URN
	Created int64 // epoch milliseconds
	Changed int64
	// Waiting is the event that is being retried, or nil.
	Waiting *Waiting
	// Missed is the time at which events were skipped, 0 for never: the change log no longer held
	// them, or it had been replaced, for example by that of a backup.
	Missed int64
	// LettersDropped counts the dead letters that were evicted by newer ones.
	LettersDropped int
	// Problem is the reason why no events are read for the webhook, such as a privilege that its
	// owner lacks.
	Problem string
}

// Waiting is an event whose delivery failed and is being retried.
type Waiting struct {
	Delivery string
	Attempts int
	Error    string
	RetryAt  int64
}

// Draft describes a webhook to create, or the changes of one; nil members stay unchanged.
type Draft struct {
	Name    *string
	Address *string
	Secret  *config.Secret
	Filter  *Filter
	Paused  *bool
}

func (d *Draft) check(registry *model.Registry, sender *webhook.Sender) error {
	if d.Name != nil && (strings.TrimSpace(*d.Name) == "" || len(*d.Name) > MaxName) {
		return fault.New(fault.Malformed, "name: must have 1 to %d bytes, has %d", MaxName, len(*d.Name))
	}
	if d.Address != nil {
		if err := sender.Allowed(*d.Address); err != nil {
			return fault.Wrap(err, fault.Malformed, "url: %s", fault.Message(err))
		}
	}
	if d.Secret != nil {
		if n := len(d.Secret.Reveal()); n < MinSecret || n > MaxSecret {
			return fault.New(fault.Malformed, "secret: must have %d to %d bytes, has %d", MinSecret, MaxSecret, n)
		}
	}
	if d.Filter == nil {
		return nil
	}
	return d.Filter.check(registry)
}

func (f *Filter) check(registry *model.Registry) error {
	for _, list := range []struct {
		name   string
		values []string
	}{
		{"events", f.Events}, {"entityTypes", f.EntityTypes}, {"categories", f.Categories}, {"operations", f.Operations}, {"relationshipTypes", f.RelationshipTypes},
	} {
		if len(list.values) > MaxFilter {
			return fault.New(fault.Malformed, "%s: has %d entries, at most %d are allowed", list.name, len(list.values), MaxFilter)
		}
		for _, value := range list.values {
			if value == "" || len(value) > MaxName {
				return fault.New(fault.Malformed, "%s: an entry must have 1 to %d bytes, has %d", list.name, MaxName, len(value))
			}
		}
	}
	for _, name := range f.Events {
		if name != event.EntityChange && name != event.RelationshipChange {
			return fault.New(fault.Malformed, "events: %.60q is neither %s nor %s", name, event.EntityChange, event.RelationshipChange)
		}
	}
	for _, name := range f.RelationshipTypes {
		if !isRelationship(registry, name) {
			return fault.New(fault.Malformed, "relationshipTypes: there is no relationship %.60q", name)
		}
	}
	if len(f.RelationshipTypes) > 0 && !f.wants(event.RelationshipChange) {
		return fault.New(fault.Malformed, "relationshipTypes: choose among events %s, which events does not name", event.RelationshipChange)
	}
	if len(f.Categories) > 0 && !f.wants(event.EntityChange) {
		return fault.New(fault.Malformed, "categories: choose among events %s, which events does not name", event.EntityChange)
	}
	for _, name := range f.EntityTypes {
		if _, ok := registry.Entity(name); !ok {
			return fault.New(fault.Malformed, "entityTypes: there is no entity type %.60q", name)
		}
	}
	return nil
}

func isRelationship(registry *model.Registry, name string) bool {
	return slices.ContainsFunc(registry.Aspects(), func(a *model.AspectSpec) bool {
		return slices.ContainsFunc(a.Relationships, func(r model.Relationship) bool { return r.Name == name })
	})
}

// Outcome is the result of a delivery attempt.
type Outcome string

// Outcomes.
const (
	Delivered Outcome = "DELIVERED"
	Retrying  Outcome = "RETRYING"
	Dead      Outcome = "DEAD"
)

// Delivery is one attempt to deliver an event.
type Delivery struct {
	ID      string  `json:"id"` // equal for all attempts of an event
	Event   Event   `json:"event"`
	Time    int64   `json:"time"`
	Attempt int     `json:"attempt"`
	Took    int64   `json:"took"`             // milliseconds
	Status  int     `json:"status,omitempty"` // HTTP status of the answer
	Outcome Outcome `json:"outcome"`
	Error   string  `json:"error,omitempty"`
}

// Letter is a dead letter: an event that could not be delivered.
type Letter struct {
	ID       string `json:"id"`
	Event    Event  `json:"event"`
	Time     int64  `json:"time"`
	Attempts int    `json:"attempts"`
	Error    string `json:"error"`
	Body     []byte `json:"body"`
	// Bytes is the length of an event with more than MaxBody bytes. Such an event has no Body and
	// cannot be replayed.
	Bytes int `json:"bytes,omitempty"`
}
