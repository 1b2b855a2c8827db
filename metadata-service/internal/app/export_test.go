package app

import "context"

// ProbeStorages does what the watchdog does at a tick.
func (a *App) ProbeStorages(ctx context.Context) { a.probeStorages(ctx, map[string]bool{}) }

// WritesHealth is the part of health that tells of writes.
func (a *App) WritesHealth() (state, detail string) {
	h := a.health()
	return h.Writes, h.WritesDetail
}
