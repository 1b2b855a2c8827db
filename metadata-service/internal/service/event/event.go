// Package event lets programs follow what changes in the catalog.
//
// A topic is a view of the change log. The two topics of changes tell each aspect
// that was written or deleted, and each document of a time series. The topic of
// platform events tells what a change means: a tag was added, a column is gone, a
// relationship came.
// Events are derived from the log and from the history of aspects when they are
// asked for, so following costs nothing until somebody follows, and whoever comes
// later still finds what the log keeps.
//
// Events of a topic come in the order of the log, each once for who goes on from
// the offset of the answer before. Offsets are kept by clients, not by the server.
//
// Topics are for programs that hold a privilege. Pages of people follow in another
// way: a subscriber gets notices, which name the entity and the kind of the change,
// of what the actor may see. One reader of the log serves all subscribers, and who is
// too slow is told to read again in place of every change. What others changed of the
// assets that somebody owns is looked up in the log when it is asked for.
package event

import (
	"context"
	"encoding/json"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Topic is a stream of events.
type Topic string

// The topics, by the names that clients know.
const (
	PlatformEvents    Topic = "PlatformEvent_v1"
	VersionedChanges  Topic = "MetadataChangeLog_Versioned_v1"
	TimeseriesChanges Topic = "MetadataChangeLog_Timeseries_v1"
)

// Topics lists all topics.
func Topics() []Topic { return []Topic{PlatformEvents, VersionedChanges, TimeseriesChanges} }

// Limits of one call.
const (
	DefaultLimit = 100
	MaxLimit     = 5000
	// DefaultWait and MaxWait are how long a call waits for the first event.
	DefaultWait = 10 * time.Second
	MaxWait     = 10 * time.Second
	// MaxBytes bounds the events of one answer: one that passes it is the last.
	MaxBytes = 16 << 20

	defaultCallers = 256
	pageSize       = 500 // entries read at once
	// minScan is how long entries that make no events are passed by for callers who do not wait.
	minScan = 2 * time.Second
)

// Log is the part of the change log that is read.
type Log interface {
	Entries(ctx context.Context, after uint64, limit int) ([]store.Entry, error)
	Last() (uint64, <-chan struct{})
	First(ctx context.Context) (uint64, error)
	Trimmed(ctx context.Context) (uint64, error)
}

// Authorizer decides who may follow what, and which entities an actor may see.
type Authorizer interface {
	auth.Decider
	Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error)
}

// Config is what a Service works with. Types, Callers, Settled and Reserve may be left out.
type Config struct {
	Log        Log
	Rows       store.Reader
	Registry   *model.Registry
	Authorizer Authorizer
	// Shown decides what the lists and streams for the actor in ctx may show, as catalog.Service does.
	// Owned and Tell need it.
	Shown func(ctx context.Context) (*catalog.Shown, error)
	Now   func() time.Time
	// Types are the entity types that notices and changes of owned assets tell of.
	Types []string
	// Callers is how many calls may be under way at a time; 0 means 256.
	Callers int
	// Settled waits until searches show the changes up to a sequence, so that who hears of
	// a change finds it. It is asked before events are told, and its errors are passed over:
	// what is stored is told in any case.
	Settled func(ctx context.Context, sequence uint64) error
	// Reserve waits for room in memory for so many bytes of an answer; nil for no bound.
	Reserve func(ctx context.Context, bytes int64) error
}

// Service answers polls, and tells subscribers what changes. It is safe for concurrent use.
type Service struct {
	cfg    Config
	slots  chan struct{}
	partly partly
	scans  chan struct{} // of the log, for changes of owned assets
	hub    hub
}

// New makes a Service.
func New(cfg Config) *Service {
	if cfg.Callers == 0 {
		cfg.Callers = defaultCallers
	}
	s := &Service{cfg: cfg, slots: make(chan struct{}, cfg.Callers), scans: make(chan struct{}, mostScans)}
	s.hub = hub{service: s, subscribers: map[*Subscription]struct{}{}}
	return s
}

// Query asks for the next events of a topic.
type Query struct {
	Topic string
	// Offset is that of an earlier page. Empty, the place is the end of the topic, or with
	// Lookback the first event that is no older than that.
	Offset   string
	Lookback time.Duration
	Limit    int           // of events; 0 means DefaultLimit, more than MaxLimit counts as that
	Wait     time.Duration // for the first event, at most MaxWait
	// WithoutRelationships leaves out the events RelationshipChange, which cost the most to
	// make. Offsets are good for queries with and without.
	WithoutRelationships bool
}

// Page is a run of events.
type Page struct {
	Offset string            // where the next page begins; never empty
	Events []json.RawMessage // in the order of the log
	// Missed is set when events after the offset asked for are not kept any more. The page
	// goes on with the oldest one that is.
	Missed bool

	topic  Topic
	places []place // behind each event
}

// OffsetAfter is the offset from which a page begins behind the event i of this one.
func (p *Page) OffsetAfter(i int) string { return p.places[i].text(p.topic) }

// Poll gives the events after a place. It returns as soon as there are some, when
// the time to wait is over, or when ctx ends, which is no error: the page then is
// empty. Unknown topics and offsets that cannot be read are fault.Malformed; too
// many callers at a time are fault.Throttled.
func (s *Service) Poll(ctx context.Context, q Query) (Page, error) {
	derive, err := s.deriver(Topic(q.Topic))
	if err != nil {
		return Page{}, err
	}
	if err := s.require(ctx, Topic(q.Topic)); err != nil {
		return Page{}, err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	default:
		return Page{}, fault.New(fault.Throttled, "Too many simultaneous requests, retry again later: %d calls wait for events.", cap(s.slots))
	}
	at, err := s.place(ctx, q)
	if err != nil {
		return Page{}, err
	}
	r := &reading{Service: s, derive: derive, withoutEdges: q.WithoutRelationships, limit: limitOf(q.Limit), place: at}
	if err := r.skipTrimmed(ctx); err != nil {
		return Page{}, err
	}
	wait := min(max(q.Wait, 0), MaxWait)
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	scanning, cancel := context.WithTimeout(ctx, max(wait, minScan))
	defer cancel()
	if err := r.read(ctx, waiting, scanning); err != nil {
		return Page{}, err
	}
	if err := s.requireStill(ctx, Topic(q.Topic)); err != nil {
		return Page{}, err
	}
	return Page{Offset: r.place.text(Topic(q.Topic)), Events: r.events, Missed: r.missed, topic: Topic(q.Topic), places: r.places}, nil
}

func limitOf(n int) int {
	if n <= 0 {
		return DefaultLimit
	}
	return min(n, MaxLimit)
}

// deriver is what makes events of a topic of an entry.
func (s *Service) deriver(t Topic) (deriver, error) {
	switch t {
	case VersionedChanges:
		return (*reading).versionedChange, nil
	case TimeseriesChanges:
		return (*reading).timeseriesChange, nil
	case PlatformEvents:
		return (*reading).platformEvents, nil
	}
	return nil, fault.New(fault.Malformed, "topic: %.60q is not one of %v", t, Topics())
}

// MayFollow is nil when the actor in the context may follow a topic.
func (s *Service) MayFollow(ctx context.Context, t Topic) error { return s.require(ctx, t) }

// requireStill asks for the credential and the right again, after a wait.
func (s *Service) requireStill(ctx context.Context, t Topic) error {
	if err := auth.CheckCredential(ctx); err != nil {
		return err
	}
	return s.require(auth.WithDecisionCache(ctx), t)
}

func (s *Service) require(ctx context.Context, t Topic) error {
	if _, ok := auth.ActorFrom(ctx); !ok {
		return fault.New(fault.Unauthenticated, "sign in to follow events")
	}
	needed := auth.GetChangeLogEvents
	if t == PlatformEvents {
		needed = auth.GetPlatformEvents
	}
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(needed, auth.GetTopicEvents).ToRead())
	return err
}

// Plain is an event without the wrapping that consumers of message queues know: of what
// happened to an entity its payload, of other topics all of it.
func Plain(topic Topic, text json.RawMessage) (name string, data []byte) {
	if topic != PlatformEvents {
		return string(topic), text
	}
	var wrapped struct {
		Name    string
		Payload struct{ Value string }
	}
	if err := json.Unmarshal(text, &wrapped); err != nil {
		return string(topic), text
	}
	return wrapped.Name, []byte(wrapped.Payload.Value)
}
