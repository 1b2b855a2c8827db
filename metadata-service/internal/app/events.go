package app

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
)

// eventService lets programs follow the change log. Events are told once searches
// show what they tell of.
func (a *App) eventService() *event.Service {
	return event.New(event.Config{
		Log: a.drivers.store, Rows: a.drivers.store, Registry: a.registry, Authorizer: a.rights, Shown: a.catalog.Shown, Types: a.discover.DataTypes(), Now: a.now,
		Settled: func(ctx context.Context, sequence uint64) error { return a.follower.Wait(ctx, sequence) }, Reserve: admission.ReserveCapped,
	})
}

// notePoll tells that a program asked for what executors hear of requests by, and may report
// runs as they do. Others that follow changes run nothing.
func (a *App) notePoll(ctx context.Context, t event.Topic) {
	if t == event.VersionedChanges && ingestion.New(a.editor()).MayManage(ctx) == nil {
		a.followers.Polled()
	}
}
