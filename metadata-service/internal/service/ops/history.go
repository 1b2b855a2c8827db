package ops

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Times at which sizes are recorded: shortly after the start if the last record is old, and then
// daily.
const (
	firstSizes = time.Minute
	sizesEvery = 24 * time.Hour
)

// SizeHistory is the disk usage of a time-series index over time. The names have the meaning of
// IndexSize.
type SizeHistory struct {
	IndexName  string      `json:"indexName"`
	EntityName string      `json:"entityName,omitempty"`
	AspectName string      `json:"aspectName,omitempty"`
	Points     []SizePoint `json:"points"` // oldest first
}

// SizePoint is the size at one time.
type SizePoint struct {
	At    int64 `json:"timestampMillis"`
	Bytes int64 `json:"sizeBytes"`
}

// IndexSizeHistory lists the disk usage of the time-series indices over time, ordered by name. It
// requires the same privileges as IndexSizes.
func (s *Service) IndexSizeHistory(ctx context.Context) ([]SizeHistory, error) {
	if err := s.require(ctx, auth.GetTimeseriesSizes, auth.ManageSystem); err != nil {
		return nil, err
	}
	list := []SizeHistory{}
	if s.History == nil {
		return list, nil
	}
	for index, points := range s.History.Sizes() {
		one := SizeHistory{IndexName: index, Points: make([]SizePoint, len(points))}
		one.EntityName, one.AspectName = namesIn(index)
		for i, p := range points {
			one.Points[i] = SizePoint{p.At, p.Bytes}
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b SizeHistory) int { return strings.Compare(a.IndexName, b.IndexName) })
	return list, nil
}

// KeepSizes records the sizes of the time-series indices until ctx ends: shortly after the call,
// unless they were recorded within a day, and then daily. Truncations record them as well. Each
// tick carries the current time and triggers one check for due work. It acts as the actor in ctx.
func (s *Service) KeepSizes(ctx context.Context, tick <-chan time.Time) error {
	first := func(now time.Time) time.Time {
		soon, again := now.Add(firstSizes), s.History.LastSizes().Add(sizesEvery)
		if again.After(now.Add(sizesEvery)) { // the clock was set back
			return soon
		}
		return time.UnixMilli(max(soon.UnixMilli(), again.UnixMilli()))
	}
	return repeat(ctx, tick, first, sizesEvery, func() { s.recordSizes(ctx) })
}

// recordSizes records the sizes. It logs errors, since no operation fails because of them.
func (s *Service) recordSizes(ctx context.Context) {
	if s.History == nil {
		return
	}
	sizes, err := s.Catalog.Documents.Sizes(ctx)
	if err == nil && len(sizes) > 0 {
		now := make(map[string]int64, len(sizes))
		for _, z := range sizes {
			now[z.Index] = z.Bytes
		}
		err = s.History.AddSizes(s.Now(), now)
	}
	if err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "sizes of the time series were not written down", "error", err)
	}
}

// Backup is a successful or failed backup of the service.
type Backup struct {
	Started   int64  `json:"startedMillis"`
	Ended     int64  `json:"endedMillis"`
	Bytes     int64  `json:"sizeBytes"` // of the part of the file that was delivered
	DataBytes int64  `json:"dataBytes"` // of its contents
	Sequence  uint64 `json:"sequence"`  // of the last change in it
	Secrets   bool   `json:"secrets"`   // it contains keys and salt
	To        string `json:"path,omitempty"`
	Error     string `json:"error,omitempty"` // reason of a failure
	Succeeded bool   `json:"succeeded"`
}

// Backups lists the newest backups, newest first. It requires auth.ManageSystem.
func (s *Service) Backups(ctx context.Context) ([]Backup, error) {
	if err := s.MayManage(ctx); err != nil {
		return nil, err
	}
	list := []Backup{}
	if s.History == nil {
		return list, nil
	}
	for _, b := range s.History.Backups() {
		list = append(list, Backup{
			Started: b.Started, Ended: b.Ended, Bytes: b.Bytes, DataBytes: b.DataBytes, Sequence: b.Sequence, Secrets: b.Secrets, To: b.To, Error: b.Error, Succeeded: b.Error == "",
		})
	}
	slices.SortStableFunc(list, func(a, b Backup) int { return cmp.Compare(b.Ended, a.Ended) })
	return list, nil
}
