package catalog

import (
	"context"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// unmetConditions ends a transaction in which conditions of asynchronous proposals did not hold.
// The batch then runs again without these proposals, so that none of their effects remain.
type unmetConditions map[*item]error

func (unmetConditions) Error() string { return "conditions of the batch do not hold" }

// failsLater reports whether unmet conditions are reported by the trace instead of the answer.
func (s *Service) failsLater(o WriteOptions) bool {
	return o.Async && o.Traced && o.TraceID != "" && s.Failures != nil
}

// excludeUnmet stores the reasons of the failed items for the trace, before the other items are
// committed. It returns the other items and the results of the failed ones.
func (s *Service) excludeUnmet(ctx context.Context, items []*item, unmet unmetConditions, o WriteOptions) (rest []*item, failed []Written, err error) {
	var failures []failure.Failure
	for _, it := range items {
		reason, fails := unmet[it]
		if !fails {
			rest = append(rest, it)
			continue
		}
		failed = append(failed, Written{Proposal: it.Index, URN: it.URN, Spec: it.Spec, Outcome: Failed, Attempt: s.attemptedRecord(ctx, it, o)})
		if it.duplicateOf == nil && it.joinedTo == nil {
			failures = append(failures, failure.Failure{URN: it.URN, Aspect: it.Spec.Name, Reason: fault.Message(reason)})
		}
	}
	return rest, failed, s.Failures.Note(ctx, o.TraceID, failures)
}

// attemptedRecord returns the record of a failed proposal, with the metadata that would have been
// stored and without a value.
func (s *Service) attemptedRecord(ctx context.Context, it *item, o WriteOptions) *model.Record {
	actor, _ := auth.ActorFrom(ctx)
	w := store.Write{
		Key: it.Key(), SchemaVersion: it.Spec.SchemaVersion, System: it.System, Actor: actor.URN, Now: s.Now().UnixMilli(), TraceID: o.TraceID, Source: sourceOf(ctx),
	}
	return &model.Record{URN: it.URN, Aspect: it.Spec.Name, CreatedOn: w.Now, CreatedBy: w.Actor, System: w.Attempted()}
}

// withFailed merges the results of failed proposals into the others, in the order of Write.
func withFailed(written, failed []Written) []Written {
	place := func(w Written) int {
		if w.Proposal < 0 {
			return math.MaxInt
		}
		return w.Proposal
	}
	written = append(written, failed...)
	slices.SortStableFunc(written, func(a, b Written) int { return place(a) - place(b) })
	return written
}
