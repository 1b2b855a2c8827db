// Package event lets programs and users follow the changes of the catalog.
//
// A topic is a view of the change log. The two topics of changes contain each written or deleted
// aspect and each time-series document. The topic of platform events contains the meaning of
// changes: for example, a tag was added, a column was removed, a relationship was added. Events are
// derived from the log and from the version history of aspects at the time of a request. So they
// cost nothing without readers, and a late reader still gets everything that the log retains.
//
// Events of a topic have the order of the log. A client that continues from the offset of the
// previous answer gets each event once. Clients store offsets; the server does not.
//
// Topics require a privilege and are meant for programs. Web pages use notices: a notice names the
// entity and the kind of a change, and a subscriber gets only notices that the actor may see. One
// reader of the log serves all subscribers. A subscriber that is too slow gets a reset, which
// requests a new read, in place of its notices. Changes to the assets of an owner are searched in
// the log on request.
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
	"github.com/cartulary/cartulary/pkg/urn"
)

// Topic is a stream of events.
type Topic string

// The topics, with the names that clients use.
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
	// DefaultWait and MaxWait limit the wait of a call for the first event.
	DefaultWait = 10 * time.Second
	MaxWait     = 10 * time.Second
	// MaxBytes limits the size of the events of one page. The event that exceeds it is the last.
	MaxBytes = 16 << 20

	defaultCallers = 256
	pageSize       = 500 // log entries per read
	// minScan is the minimum time for which a call skips entries without events, even if it does
	// not wait.
	minScan = 2 * time.Second
)

// Log is the part of the change log that this package reads.
type Log interface {
	Entries(ctx context.Context, after uint64, limit int) ([]store.Entry, error)
	Last() (uint64, <-chan struct{})
	First(ctx context.Context) (uint64, error)
	Trimmed(ctx context.Context) (uint64, error)
}

// Authorizer decides about the privileges to follow topics, and which entities an actor may see.
type Authorizer interface {
	auth.Decider
	Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error)
}

// Config holds the dependencies of a Service. Types, Callers, Settled and Reserve are optional.
type Config struct {
	Log        Log
	Rows       store.Reader
	Registry   *model.Registry
	Authorizer Authorizer
	// Shown returns the disclosure rules of lists and streams for the actor in ctx, as
	// catalog.Service does. Owned and Tell need it.
	Shown func(ctx context.Context) (*catalog.Shown, error)
	// Readable reports of which entities the actor in ctx may read an aspect, in the order of urns, as
	// catalog.Service.MayReadEach does. Tell needs it.
	Readable func(ctx context.Context, urns []urn.URN, aspect string) ([]bool, error)
	Now      func() time.Time
	// Types are the entity types that notices and changes of owned assets cover.
	Types []string
	// Callers is the maximum number of concurrent calls of Poll; 0 means 256.
	Callers int
	// Settled waits until searches show the changes up to a sequence, so that a reader of a change
	// event finds the change. It is called before events are derived. Its errors are ignored, since
	// events report stored changes in any case.
	Settled func(ctx context.Context, sequence uint64) error
	// Reserve waits for memory for so many bytes of an answer; nil for no limit.
	Reserve func(ctx context.Context, bytes int64) error
}

// Service answers polls and sends notices to subscribers. It is safe for concurrent use.
type Service struct {
	cfg     Config
	slots   chan struct{}
	partial partialCache
	scans   chan struct{} // limits concurrent log scans for changes of owned assets
	hub     hub
}

// New returns a Service.
func New(cfg Config) *Service {
	if cfg.Callers == 0 {
		cfg.Callers = defaultCallers
	}
	s := &Service{cfg: cfg, slots: make(chan struct{}, cfg.Callers), scans: make(chan struct{}, maxConcurrentScans)}
	s.hub = hub{service: s, subscribers: map[*Subscription]struct{}{}}
	return s
}

// Query requests the next events of a topic.
type Query struct {
	Topic string
	// Offset is the offset of an earlier page. If it is empty, the page begins at the end of the
	// topic, or with Lookback at the first event that is not older.
	Offset   string
	Lookback time.Duration
	Limit    int           // maximum number of events; 0 means DefaultLimit, and MaxLimit is the upper limit
	Wait     time.Duration // maximum wait for the first event, at most MaxWait
	// WithoutRelationships omits the RelationshipChange events, which are the most expensive ones.
	// Offsets are valid for queries with and without.
	WithoutRelationships bool
}

// Page is a sequence of events.
type Page struct {
	Offset string            // start of the next page; never empty
	Events []json.RawMessage // in the order of the log
	// Missed reports that the log no longer holds some events after the requested offset. The page
	// continues with the oldest event that it holds.
	Missed bool

	topic  Topic
	places []place // the place after each event
}

// OffsetAfter returns the offset of a page that begins after event i of this one.
func (p *Page) OffsetAfter(i int) string { return p.places[i].text(p.topic) }

// Poll returns the events after a place, in log order. It returns as soon as there are events, when
// the wait has elapsed, or when ctx ends; the latter is not an error, and the page is empty.
// Unknown topics and invalid offsets are fault.Malformed. More concurrent calls than Config.Callers
// are fault.Throttled.
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

// deriver returns the function that derives the events of a topic from an entry.
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

// MayFollow returns an error unless the actor in ctx may follow a topic.
func (s *Service) MayFollow(ctx context.Context, t Topic) error { return s.require(ctx, t) }

// requireStill checks the credential and the privilege again, after a wait.
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

// Plain returns an event without the envelope for consumers of message queues: for platform events
// the payload, for other topics the whole event.
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
