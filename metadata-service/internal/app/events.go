package app

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
)

// eventService creates the service by which programs follow the change log. It delivers an event
// only after searches reflect the change.
func (a *App) eventService() *event.Service {
	return event.New(event.Config{
		Log: a.drivers.store, Rows: a.drivers.store, Registry: a.registry, Authorizer: a.rights, Shown: a.catalog.Shown, Readable: a.catalog.MayReadEach, Types: a.discover.DataTypes(), Now: a.now,
		Settled: func(ctx context.Context, sequence uint64) error { return a.follower.Wait(ctx, sequence) }, Reserve: admission.ReserveCapped,
	})
}

// notePoll records that an executor polls for ingestion requests: an actor that may manage
// ingestion and reads the topic of versioned changes. Other followers of changes run nothing.
func (a *App) notePoll(ctx context.Context, t event.Topic) {
	if t == event.VersionedChanges && ingestion.New(a.editor()).MayManage(ctx) == nil {
		a.followers.Polled()
	}
}
