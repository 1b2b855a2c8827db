package ingestion

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"log/slog"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	// catchUpTime is the period after its due time in which a missed run is still requested, once,
	// after the service was off.
	catchUpTime = time.Hour
	scanPage    = 500
)

// Schedule requests executions of sources that are due, until ctx ends, and returns the error of
// ctx. Each tick carries the current time; the first tick of each minute triggers a check. It
// stores only the requests: the URN of a request derives from its source and due time, so neither a
// restart nor another replica requests a run twice. It acts as the actor in ctx.
func (s *Service) Schedule(ctx context.Context, log *slog.Logger, tick <-chan time.Time) error {
	looked := map[urn.URN]time.Time{}
	return eachMinute(ctx, tick, func(minute time.Time) {
		var err error
		if looked, err = s.requestDue(ctx, log, looked, minute); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "schedules of ingestion sources were not read", "error", err)
		}
	})
}

// eachMinute calls a function at the first tick of each minute, with that minute, until ctx ends,
// and returns the error of ctx.
func eachMinute(ctx context.Context, tick <-chan time.Time, do func(minute time.Time)) error {
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case now := <-tick:
			minute := now.Truncate(time.Minute)
			if !minute.After(last) {
				continue
			}
			last = minute
			do(minute)
		}
	}
}

// requestDue requests the runs that are due up to a time, and returns for each source the time up
// to which it was checked. It logs sources with errors, and checks them again at the next call.
func (s *Service) requestDue(ctx context.Context, log *slog.Logger, looked map[urn.URN]time.Time, now time.Time) (map[urn.URN]time.Time, error) {
	next := make(map[urn.URN]time.Time, len(looked))
	scan := store.Scan{Type: SourceType, Limit: scanPage}
	for {
		page, err := s.edit.Catalog.Scan(ctx, scan)
		if err != nil {
			return looked, err
		}
		for _, source := range page {
			since, known := looked[source]
			if err := s.requestIfDue(ctx, log, source, since, now); err == nil {
				next[source] = now
			} else {
				if known {
					next[source] = since
				}
				log.WarnContext(ctx, "a scheduled ingestion was not asked for", "source", source, "error", err)
			}
		}
		if len(page) < scanPage {
			return next, nil
		}
		scan.After = page[len(page)-1]
	}
}

// requestIfDue requests a run of a source that was due after a time. Without a time it ignores due
// times before the last write of the source, since the schedule may be newer.
func (s *Service) requestIfDue(ctx context.Context, log *slog.Logger, source urn.URN, since, now time.Time) error {
	stored, err := s.edit.Catalog.Stored(ctx, source, sourceInfo)
	if errors.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := jsontree.DecodeObject(stored.Value)
	if err != nil {
		return fmt.Errorf("decode %s of %s: %w", sourceInfo, source, err)
	}
	stated, _ := info["schedule"].(jsontree.Object)
	var when Schedule
	when.Interval, _ = stated["interval"].(string)
	when.Timezone, _ = stated["timezone"].(string)
	// Sources written by other packages may have invalid schedules.
	if stated == nil || when.Check() != nil {
		return nil
	}
	if since.IsZero() {
		since = time.UnixMilli(stored.CreatedOn)
	}
	if oldest := now.Add(-catchUpTime); since.Before(oldest) {
		since = oldest
	}
	due, ok := when.latest(since, now)
	if !ok {
		return nil
	}
	executor, args := executionOf(source, info)
	if args == nil {
		return nil
	}
	request := scheduledRequest(source, due)
	asked, err := s.edit.Apply(ctx, nil, edit.Change{URN: request, Aspect: requestInput, Apply: func(old jsontree.Object) (jsontree.Object, error) {
		if old != nil {
			return nil, nil
		}
		return s.input(ctx, taskIngest, executor, args, jsontree.Object{"type": originSchedule, "ingestionSource": string(source)}), nil
	}})
	if asked {
		log.InfoContext(ctx, "scheduled ingestion asked for", "source", source, "request", request, "due", due)
	}
	return err
}

// scheduledRequest returns the URN of the request to execute a source that is due at a time.
func scheduledRequest(source urn.URN, due time.Time) urn.URN {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", source, due.Unix()))
	return urn.URN(urn.TypePrefix(RequestType) + auth.ScheduledRun + hex.EncodeToString(sum[:16]))
}
