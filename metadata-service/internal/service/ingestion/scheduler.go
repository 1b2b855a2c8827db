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
	// catchUp is how long after it was due a run is still asked for, once, when the
	// service was off then.
	catchUp  = time.Hour
	scanPage = 500
)

// Schedule asks executors to run the sources that are due by their schedules, until ctx
// ends, whose error it gives. Each tick tells the time, and is when it looks. Nothing is
// kept of what was asked for besides the requests themselves: the URN of a request
// follows from its source and from when that was due, so neither a restart nor another
// replica asks again. It acts as the actor in ctx.
func (s *Service) Schedule(ctx context.Context, log *slog.Logger, tick <-chan time.Time) error {
	looked := map[urn.URN]time.Time{}
	return eachMinute(ctx, tick, func(minute time.Time) {
		var err error
		if looked, err = s.requestDue(ctx, log, looked, minute); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "schedules of ingestion sources were not read", "error", err)
		}
	})
}

// eachMinute calls a function at the first tick of each minute, with the minute, until ctx
// ends, whose error it gives.
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

// requestDue asks for what is due up to a time, and gives up to when each source was
// looked at. One that cannot be read or asked for is logged, and looked at again.
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
			if err := s.requestOne(ctx, log, source, since, now); err == nil {
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

// requestOne asks to run a source that was due since a time. With none, what was due
// before the source was written last is left: the schedule may not have been there.
func (s *Service) requestOne(ctx context.Context, log *slog.Logger, source urn.URN, since, now time.Time) error {
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
	// Sources that were not written through this package may say anything.
	if stated == nil || when.Check() != nil {
		return nil
	}
	if since.IsZero() {
		since = time.UnixMilli(stored.CreatedOn)
	}
	if oldest := now.Add(-catchUp); since.Before(oldest) {
		since = oldest
	}
	due, ok := when.latest(since, now)
	if !ok {
		return nil
	}
	executor, args := work(source, info)
	if args == nil {
		return nil
	}
	request := scheduled(source, due)
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

// scheduled is the URN of the request to run a source that is due at a time.
func scheduled(source urn.URN, due time.Time) urn.URN {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", source, due.Unix()))
	return urn.URN(urn.TypePrefix(RequestType) + auth.ScheduledRun + hex.EncodeToString(sum[:16]))
}
