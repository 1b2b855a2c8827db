package rest

import (
	"context"
	"fmt"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
)

func (s *handlers) operationActions() []action {
	return []action{
		typedAction("restoreIndices", queryLimit, s.restoreIndices),
	}
}

type restoreInput struct {
	Aspect   string    `json:"aspect"`
	URN      string    `json:"urn"`
	URNLike  string    `json:"urnLike"`
	Start    *looseInt `json:"start"`
	Batch    *looseInt `json:"batchSize"`
	Limit    *looseInt `json:"limit"`
	From     *looseInt `json:"gePitEpochMs"`
	To       *looseInt `json:"lePitEpochMs"`
	Complete looseBool `json:"createDefaultAspects"`
}

func (in *restoreInput) selection() (ops.Selection, error) {
	q := ops.Selection{Complete: bool(in.Complete)}
	q.URNLike = in.URNLike
	if in.URN != "" {
		q.URNs = []string{in.URN}
	}
	if in.Aspect != "" {
		q.Aspects = []string{in.Aspect}
	}
	var err error
	for _, n := range []struct {
		name string
		in   *looseInt
		low  int
		out  *int
	}{
		{"start", in.Start, 0, &q.Start}, {"batchSize", in.Batch, 1, &q.BatchSize}, {"limit", in.Limit, 0, &q.Limit},
	} {
		if *n.out, err = n.in.between(n.name, n.low, 0, math.MaxInt); err != nil {
			return q, err
		}
	}
	for _, at := range []struct {
		in  *looseInt
		out *int64
	}{{in.From, &q.From}, {in.To, &q.To}} {
		if n := at.in.int64(); n != nil {
			*at.out = *n
		}
	}
	return q, nil
}

// restoreIndices answers with a text, which clients show and do not read.
func (s *handlers) restoreIndices(ctx context.Context, in restoreInput) (any, error) {
	q, err := in.selection()
	if err != nil {
		return nil, err
	}
	done, err := s.Operations.RestoreIndices(ctx, q)
	if err != nil {
		return nil, err
	}
	return restoreText(q, done), nil
}

func restoreText(q ops.Selection, done ops.Restored) string {
	return fmt.Sprintf("{args={urn=%v, urnLike=%s, aspects=%v, start=%d, limit=%d, batchSize=%d}, result={rowsMigrated=%d, ignored=%d, defaultAspectsCreated=%d, lastUrn=%s, lastAspect=%s}}",
		q.URNs, q.URNLike, q.Aspects, q.Start, q.Limit, q.BatchSize, done.Rows, done.Ignored, done.Completed, done.Last.URN, done.Last.Aspect)
}
