package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

var _ projection.BackgroundSink = (*Sink)(nil)

// fullPage is the number of entries in a full page of the follower.
const fullPage = 1000

// Sink records the changes in the change log.
type Sink struct {
	log *Log
	// entriesWithoutPause is the number of further entries without a pause: after a failure entries
	// arrive one by one.
	entriesWithoutPause int
}

// NewSink returns a Sink that appends to a Log.
func NewSink(l *Log) *Sink { return &Sink{log: l} }

// Name implements projection.Sink.
func (*Sink) Name() string { return "audit" }

// Durable implements projection.Sink.
func (*Sink) Durable() bool { return true }

// Apply implements projection.Sink. An entry that is applied again gives the same event.
//
// A pause follows each page that is not full, so that the next page has more entries: a sync for
// each commit of the catalog would delay writers. The entries are safe in the log meanwhile.
func (s *Sink) Apply(ctx context.Context, entries []store.Entry) error {
	events := make([]Event, 0, len(entries))
	for i := range entries {
		if e, ok := s.event(&entries[i]); ok {
			events = append(events, e)
		}
	}
	if len(events) == 0 {
		return nil
	}
	if err := s.log.Append(ctx, events); err != nil {
		s.entriesWithoutPause = fullPage
		return err
	}
	if s.entriesWithoutPause > 0 {
		s.entriesWithoutPause -= len(entries)
		return nil
	}
	if len(entries) < fullPage {
		s.log.rest(ctx)
	}
	return nil
}

// Missed implements projection.BackgroundSink. It records the gap as an event.
func (s *Sink) Missed(ctx context.Context, gap projection.Gap) error {
	return s.log.Append(ctx, []Event{{
		Type: Lost, Time: s.log.cfg.Now().UnixMilli(), Actor: model.SystemActor, Number: gap.First, Count: int64(gap.Last - gap.First + 1),
		Reason: fmt.Sprintf("changes %d to %d of the change log were %s before they were recorded", gap.First, gap.Last, gap.Cause),
	}})
}

// event returns the event of an entry. ok is false for an entry that changed nothing.
func (s *Sink) event(entry *store.Entry) (Event, bool) {
	kind, ok := typeOf(entry)
	if !ok || slices.Contains(s.log.cfg.Ignored, entry.Actor) {
		return Event{}, false
	}
	e := Event{
		Type: kind, Time: max(entry.Time, 0), Actor: entry.Actor, Number: entry.Sequence, Entity: entry.URN, Aspect: entry.Aspect,
		Trace: entry.TraceID, Run: entry.RunID, Origin: entry.Origin,
	}
	if e.Run == model.DefaultRunID {
		e.Run = ""
	}
	e.from(entry.Caller)
	e.cut()
	return e, true
}

// writeEventTypes and deleteEventTypes list the aspects whose changes have types of their own.
var writeEventTypes = map[string]Type{
	"corpUserKey": CreateUser,

	"corpUserInfo": UpdateUser, "corpUserEditableInfo": UpdateUser, "corpUserCredentials": UpdateUser, "corpUserSettings": UpdateUser,
	"corpUserStatus": UpdateUser, "groupMembership": UpdateUser, "nativeGroupMembership": UpdateUser, "roleMembership": UpdateUser,

	"dataHubPolicyKey": CreatePolicy, "dataHubPolicyInfo": UpdatePolicy,
	"dataHubAccessTokenKey":     CreateToken,
	"dataHubIngestionSourceKey": CreateSource, "dataHubIngestionSourceInfo": UpdateSource,
}

var deleteEventTypes = map[string]Type{"dataHubPolicyKey": DeletePolicy, "dataHubAccessTokenKey": RevokeToken}

func typeOf(entry *store.Entry) (Type, bool) {
	switch entry.Kind {
	case store.Written, store.Document:
		if t, ok := writeEventTypes[entry.Aspect]; ok {
			return t, true
		}
		return UpdateAspect, true
	case store.Deleted, store.EntityDeleted, store.DocumentsErased:
		if t, ok := deleteEventTypes[entry.Aspect]; ok {
			return t, true
		}
		return DeleteEntity, true
	case store.Restated:
		return RestateEntity, true
	}
	return "", false // unchanged values, and messages between processes
}
