package ingestion

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
)

const (
	// followedWithin is the time after its last poll for which a program counts as a follower. A
	// poll takes at most ten seconds, and clients wait at most half a minute between two polls.
	followedWithin = 2 * time.Minute
	// claimedWithin is the time for a follower to take a run. Executors take a run as soon as they
	// see it.
	claimedWithin = 10 * time.Minute
	// unclaimedPage is the maximum number of requests checked per minute, newest first.
	unclaimedPage = 100
	// commandLine is the executor of runs that a command line reports; no executor takes them.
	commandLine   = "__datahub_cli_"
	statusPending = "PENDING"
)

// Followers records the times at which programs that may report runs poll for changes, as executors
// do to find requests. This is the only sign of a running executor. It is safe for concurrent use.
type Followers struct {
	now   func() time.Time
	since time.Time
	last  atomic.Int64 // in milliseconds, 0 for never
}

// NewFollowers starts to record polls.
func NewFollowers(now func() time.Time) *Followers { return &Followers{now: now, since: now()} }

// Polled records a poll at the current time.
func (f *Followers) Polled() { f.last.Store(f.now().UnixMilli()) }

// Following reports whether a program polled in the last two minutes. known is false in the first
// two minutes after the start, until the first poll.
func (f *Followers) Following() (following, known bool) {
	now := f.now()
	if last := f.last.Load(); last != 0 && now.Sub(time.UnixMilli(last)) < followedWithin {
		return true, true
	}
	return false, now.Sub(f.since) >= followedWithin
}

// lastPoll returns a clause with the time of the last poll.
func (f *Followers) lastPoll() string {
	if last := f.last.Load(); last != 0 {
		return "none has since " + time.UnixMilli(last).UTC().Format(time.RFC3339)
	}
	return "none has since the service was started at " + f.since.UTC().Format(time.RFC3339)
}

// ReportUnclaimed writes a report into requests that no executor takes, with the reason, until ctx
// ends, and returns the error of ctx. The requests stay pending: a later executor takes them, and
// overwrites the report with its result. Each tick carries the current time; the first tick of each
// minute triggers a check. It acts as the actor in ctx.
func (s *Service) ReportUnclaimed(ctx context.Context, log *slog.Logger, tick <-chan time.Time, followers *Followers) error {
	return eachMinute(ctx, tick, func(time.Time) {
		if err := s.reportUnclaimed(ctx, log, followers); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "requests of ingestion without an executor were not looked for", "error", err)
		}
	})
}

func (s *Service) reportUnclaimed(ctx context.Context, log *slog.Logger, followers *Followers) error {
	following, known := followers.Following()
	if !known {
		return nil
	}
	askedBefore := s.edit.Now()
	if following {
		askedBefore = askedBefore.Add(-claimedWithin)
	}
	found, err := s.edit.Discover.Search(ctx, discover.SearchQuery{
		Types: []string{RequestType}, Facets: []string{}, Size: unclaimedPage, Sort: []search.Sort{{Field: "requestTimeMs", Descending: true}},
		Filter: search.Filter{{
			{Field: "executionResultStatus", Condition: search.Exists, Negated: true},
			{Field: "executorId", Values: []string{commandLine}, Negated: true},
			{Field: "requestTimeMs", Condition: search.LessOrEqual, Values: []string{strconv.FormatInt(askedBefore.UnixMilli(), 10)}},
		}},
	})
	if err != nil {
		return err
	}
	for _, hit := range found.Hits {
		input, err := s.edit.Stored(ctx, hit.URN, requestInput)
		if err != nil {
			return err
		}
		executor, _ := input["executorId"].(string)
		if input == nil || executor == commandLine {
			continue
		}
		result := jsontree.Object{"status": statusPending, "report": unclaimedReport(executor, following, followers)}
		// an executor may have taken it meanwhile
		reported, err := s.edit.Apply(ctx, nil, edit.Change{URN: hit.URN, Aspect: requestResult, Apply: func(old jsontree.Object) (jsontree.Object, error) {
			if old != nil {
				return nil, nil
			}
			return result, nil
		}})
		if err != nil {
			return fmt.Errorf("%s: %w", hit.URN, err)
		}
		if reported {
			log.WarnContext(ctx, "no executor takes a run of ingestion", "request", hit.URN, "executor", executor, "changes followed", following)
		}
	}
	return nil
}

func unclaimedReport(executor string, following bool, followers *Followers) string {
	if following {
		return fmt.Sprintf("No executor has taken this run within %d minutes.\nA program follows the changes of the catalog, but it runs nothing of the executor %q.\n"+
			"Start an executor with this id, or choose another one in the source. The run begins when it is taken.", int(claimedWithin.Minutes()), executor)
	}
	return fmt.Sprintf("Nothing runs this. The catalog asks for runs and runs none itself.\nExecutors hear of them by following its changes, and %s.\n"+
		"Start an executor with the id %q. The run begins when it is taken.", followers.lastPoll(), executor)
}
