package stream

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// batchInterval is the time to collect changes before the next ones are sent, so that a burst of
// writes is authorized and sent in few pieces.
const batchInterval = 250 * time.Millisecond

// serveChanges streams notices of changes of entities that the actor may see.
func (s *Server) serveChanges(c echo.Context) error {
	r := c.Request()
	actor, ok := auth.ActorFrom(r.Context())
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to follow changes")
	}
	follow, err := isFollowed(c)
	if err != nil {
		return err
	}
	release, err := s.changes.acquire(string(actor.URN))
	if err != nil {
		return err
	}
	defer release()
	subscription, err := s.Events.Subscribe(r.Context())
	if err != nil {
		return err
	}
	defer subscription.Close()
	out := newWriter(c.Response())
	first := true
	return s.follow(r, actor, out, follow, func(ctx context.Context) error {
		if first {
			first = false
			return s.beginChanges(ctx, subscription, out, r.Header.Get("Last-Event-ID"))
		}
		batch, err := subscription.Next(ctx, pollInterval)
		if err != nil {
			return err
		}
		notices, err := s.Events.Tell(ctx, batch.Notices)
		if err != nil {
			return err
		}
		if err := out.changes(notices, batch.Reset, strconv.FormatUint(batch.At, 10)); err != nil {
			return err
		}
		if batch.Reset || len(batch.Notices) > 0 {
			sleep(ctx, batchInterval)
		}
		return nil
	})
}

// beginChanges sends the head of a stream. A client that reconnects and may have missed changes
// receives a reset, which asks it to read again.
func (s *Server) beginChanges(ctx context.Context, subscription *event.Subscription, out *writer, last string) error {
	batch, err := subscription.Next(ctx, 0)
	if err != nil {
		return err
	}
	reset := batch.Reset || len(batch.Notices) > 0
	if last != "" {
		at, err := strconv.ParseUint(last, 10, 64)
		reset = reset || err != nil || s.Events.Missed(at)
	}
	at := strconv.FormatUint(batch.At, 10)
	out.begin(at)
	return out.changes(nil, reset, at)
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

type ownedPage struct {
	Changes []ownedChange `json:"changes"`
	Next    string        `json:"next,omitempty"`
	Until   int64         `json:"until,omitempty"`
}

type ownedChange struct {
	EntityURN  urn.URN  `json:"entityUrn"`
	EntityType string   `json:"entityType"`
	Actor      urn.URN  `json:"actor"`
	Time       int64    `json:"time"`
	Changes    []detail `json:"changes"`
	More       int      `json:"more,omitempty"`
}

type detail struct {
	Category   string         `json:"category"`
	Operation  string         `json:"operation"`
	Modifier   string         `json:"modifier,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// serveOwned lists the changes by others of entities that the actor owns.
func (s *Server) serveOwned(c echo.Context) error {
	q := event.OwnedQuery{Before: c.QueryParam("before")}
	if text := c.QueryParam("since"); text != "" {
		ms, err := strconv.ParseInt(text, 10, 64)
		if err != nil || ms < 0 {
			return fault.New(fault.Malformed, "since: %.30q is not a time in milliseconds since 1970", text)
		}
		q.Since = time.UnixMilli(ms)
	}
	if text := c.QueryParam("count"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > event.MaxOwned {
			return fault.New(fault.Malformed, "count: %.20q is not a number from 1 to %d", text, event.MaxOwned)
		}
		q.Limit = n
	}
	found, err := s.Events.Owned(c.Request().Context(), q)
	if err != nil {
		return err
	}
	page := ownedPage{Changes: make([]ownedChange, len(found.Changes)), Next: found.Next, Until: found.Until}
	for i, f := range found.Changes {
		change := ownedChange{EntityURN: f.Entity, EntityType: f.Entity.Type(), Actor: f.Actor, Time: f.Time, Changes: make([]detail, len(f.Details)), More: f.More}
		for j, d := range f.Details {
			change.Changes[j] = detail(d)
		}
		page.Changes[i] = change
	}
	return c.JSON(http.StatusOK, page)
}
