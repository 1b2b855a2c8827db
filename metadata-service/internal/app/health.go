package app

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/rest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/httpserver"
)

// storage is a part of the data directory with the state of its last write.
type storage struct {
	name  string // in health, metrics and logs
	state func() disk.State
	// background is set if no write of the catalog depends on it.
	background bool
	// probe writes harmless data to find out whether writes succeed again. It is nil for storages
	// that retry by themselves.
	probe func(context.Context) error
}

// probeFollower is the follower name under which a probe stores an unused position.
const probeFollower = "write-probe"

func (a *App) watchStorages(list ...storage) {
	a.storages = append(a.storages, list...)
}

// probePeriod is the interval at which a failing storage is probed.
const probePeriod = 5 * time.Second

// watchdog probes failing storages at every tick, until ctx ends, so that health and metrics report
// a recovery even without other writes.
func (a *App) watchdog(ctx context.Context, tick <-chan time.Time) {
	failing := map[string]bool{}
	for {
		select {
		case <-tick:
			a.probeStorages(ctx, failing)
		case <-ctx.Done():
			return
		}
	}
}

// damaged is the suffix that marks damaged storages in the map of failing ones.
const damaged = " damaged"

func (a *App) probeStorages(ctx context.Context, failing map[string]bool) {
	for _, s := range a.storages {
		if state := s.state(); state.Err != nil && s.probe != nil {
			_ = s.probe(ctx) // the result is in the state
		}
		state := s.state()
		if state.Damage != nil && !failing[s.name+damaged] {
			a.log.ErrorContext(ctx, "storage is damaged", "storage", s.name, "error", state.Damage)
		}
		failing[s.name+damaged] = state.Damage != nil
		switch {
		case state.Err != nil && !failing[s.name]:
			a.log.ErrorContext(ctx, "storage takes no writes", "storage", s.name, "since", state.Since, "error", state.Err)
		case state.Err == nil && failing[s.name]:
			a.log.InfoContext(ctx, "storage takes writes again", "storage", s.name)
		}
		failing[s.name] = state.Err != nil
	}
}

// health returns the state of the service.
func (a *App) health() rest.Health {
	h := rest.Health{Bootstrapped: true, Ready: a.server.State() == httpserver.Ready, Search: "green", Writes: "green", Background: "green"}
	if troubles := a.projectionTroubles(); troubles != nil {
		h.Search, h.Detail = "yellow", strings.Join(troubles, "; ")
	}
	a.projectionHealth(&h)
	if troubles := a.writeTroubles(false); troubles != nil {
		h.Writes, h.WritesDetail = "red", strings.Join(troubles, "; ")
	}
	if troubles := a.writeTroubles(true); troubles != nil {
		if h.BackgroundDetail != "" {
			troubles = append(troubles, h.BackgroundDetail)
		}
		h.Background, h.BackgroundDetail = "yellow", strings.Join(troubles, "; ")
	}
	return h
}

func (a *App) projectionTroubles() (troubles []string) {
	if p := a.follower.started.Load(); p != nil {
		for _, s := range p.Status() {
			if s.Awaited && s.Err != nil {
				troubles = append(troubles, describe(s))
			}
		}
	}
	if p := a.indexer.Progress(); p.Running {
		troubles = append(troubles, describeRebuild(p))
	} else if p.Err != nil {
		troubles = append(troubles, "the search index could not be built anew; the log says why")
	}
	if p := a.follower.started.Load(); p != nil && p.Housekeeping() != nil {
		troubles = append(troubles, "positions and snapshots of the projections cannot be saved; the log says why, and it is tried again")
	}
	for _, task := range a.background.Failed() {
		troubles = append(troubles, "background task "+task+" has ended; the log says why, and a restart begins it again")
	}
	return troubles
}

// writeTroubles describes the failing storages that writers need, or those that are written in the
// background.
func (a *App) writeTroubles(background bool) (troubles []string) {
	for _, s := range a.storages {
		if s.background != background {
			continue
		}
		state := s.state()
		if state.Damage != nil {
			troubles = append(troubles, s.name+": a file is damaged, or its writer has failed; see the log for the file and docs/operations.md for the repair")
		}
		if state.Err != nil {
			troubles = append(troubles, fmt.Sprintf("%s: writes fail since %s: %s", s.name, state.Since.UTC().Format(time.RFC3339), storageTrouble(state.Err)))
		}
	}
	return troubles
}

// storageTrouble returns the reason of an error without paths and causes, which only the log
// contains.
func storageTrouble(err error) string {
	if fault.KindOf(err) == fault.Internal {
		return "the log says why"
	}
	return fault.Message(err)
}

// projectionHealth adds the state of every projection, and a description of failing background
// ones. Their failure does not affect the results of reads.
func (a *App) projectionHealth(h *rest.Health) {
	p := a.follower.started.Load()
	if p == nil {
		return
	}
	var troubles []string
	for _, s := range p.Status() {
		one := rest.Projection{
			Name: s.Sink, Awaited: s.Awaited, State: "green", Behind: s.Behind,
			Failures: s.Failures, Panics: s.Panics, Skipped: s.Skipped, Lost: s.Lost,
		}
		if s.Err != nil {
			one.State = "yellow"
		}
		h.Projections = append(h.Projections, one)
		if !s.Awaited && s.Err != nil {
			h.Background = "yellow"
			troubles = append(troubles, describe(s))
		}
		if s.Missed != nil {
			troubles = append(troubles, describeGap(s))
		}
	}
	h.BackgroundDetail = strings.Join(troubles, "; ")
}

// describe describes a failing projection without the text of the error, which only the log
// contains.
func describe(s projection.Status) string {
	text := "projection " + s.Sink + " failed and is " + strconv.FormatUint(s.Behind, 10) + " changes behind; it is tried again"
	if errors.Is(s.Err, fault.StorageFull) {
		text += " (" + fault.Message(s.Err) + ")"
	}
	return text
}

// describeGap describes the changes that a background projection missed last, and their total
// number.
func describeGap(s projection.Status) string {
	return fmt.Sprintf("projection %s missed changes %d to %d of the log, which were %s, and %d in all since the start",
		s.Sink, s.Missed.First, s.Missed.Last, s.Missed.Cause, s.Skipped+s.Lost)
}

// describeRebuild describes the progress of a rebuild of the search index.
func describeRebuild(p indexing.Progress) string {
	return fmt.Sprintf("the search index is being rebuilt since %s (%s): %d of %d entities; searches use the former content and new writes",
		p.Since.UTC().Format(time.RFC3339), p.Why, p.Done, p.Total)
}
