package app

import (
	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
)

// eventService lets programs follow the change log. Events are told once searches
// show what they tell of.
func (a *App) eventService() *event.Service {
	return event.New(event.Config{
		Log: a.drivers.store, Rows: a.drivers.store, Registry: a.registry, Authorizer: a.rights, Now: a.now,
		Settled: a.follower.Wait, Reserve: admission.ReserveCapped,
	})
}
