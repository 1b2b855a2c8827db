package app

import (
	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
)

// eventService lets programs follow the change log. Events are told once searches
// show what they tell of.
func (a *App) eventService() *event.Service {
	return event.New(event.Config{
		Log: a.drivers.store, Rows: a.drivers.store, Registry: a.registry, Authorizer: a.rights, Types: a.discover.DataTypes(), Now: a.now,
		Settled: a.follower.Wait, Reserve: admission.ReserveCapped,
	})
}

// notePoll tells that a program asked for what executors hear of requests by.
func (a *App) notePoll(t event.Topic) {
	if t == event.VersionedChanges {
		a.followers.Polled()
	}
}
