package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

func (s *handlers) operationActions() []action {
	return []action{
		typedAction("restoreIndices", queryLimit, s.restoreIndices),
		typedAction("getIndexSizes", queryLimit, s.indexSizes),
		typedAction("getIndexSizeHistory", queryLimit, s.indexSizeHistory),
		typedAction("getBackups", queryLimit, s.backups),
		typedAction("truncateTimeseriesAspect", queryLimit, s.truncateTimeseries),
		typedAction("getEsTaskStatus", queryLimit, s.taskStatus),
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
		if *n.out, err = n.in.clamp(n.name, n.low, 0, math.MaxInt); err != nil {
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

// restoreIndices responds with a text, which clients show and do not parse.
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

// indexSizes responds with JSON inside a string, as the API documentation of the product
// specifies.
func (s *handlers) indexSizes(ctx context.Context, _ struct{}) (any, error) {
	sizes, err := s.Operations.IndexSizes(ctx)
	if err != nil {
		return nil, err
	}
	return jsonText(map[string]any{"indexSizes": sizes})
}

// indexSizeHistory and backups belong to this service alone, so they respond with plain JSON.
func (s *handlers) indexSizeHistory(ctx context.Context, _ struct{}) (any, error) {
	indices, err := s.Operations.IndexSizeHistory(ctx)
	if err != nil {
		return nil, err
	}
	return asTree(map[string]any{"indices": indices})
}

func (s *handlers) backups(ctx context.Context, _ struct{}) (any, error) {
	backups, err := s.Operations.Backups(ctx)
	if err != nil {
		return nil, err
	}
	return asTree(map[string]any{"backups": backups})
}

func asTree(value any) (any, error) {
	text, err := json.Marshal(value)
	return json.RawMessage(text), err
}

func jsonText(value any) (any, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

type truncateInput struct {
	EntityType   string     `json:"entityType" param:"required"`
	Aspect       string     `json:"aspect" param:"required"`
	End          *looseInt  `json:"endTimeMillis" param:"required"`
	DryRun       *looseBool `json:"dryRun"`
	Batch        *looseInt  `json:"batchSize"`
	Timeout      *looseInt  `json:"timeoutSeconds"`
	ForceDelete  *looseBool `json:"forceDeleteByQuery"`
	ForceReindex *looseBool `json:"forceReindex"`
}

// contradictionMessage is the response to clients that set both flags to true, or both to false.
const contradictionMessage = "please only set forceReindex OR forceDeleteByQuery flags"

func (s *handlers) truncateTimeseries(ctx context.Context, in truncateInput) (any, error) {
	q := ops.Truncation{
		EntityType: in.EntityType, Aspect: in.Aspect, End: int64(*in.End),
		ForceDelete: (*bool)(in.ForceDelete), ForceReindex: (*bool)(in.ForceReindex),
	}
	var err error
	if q.BatchSize, err = in.Batch.clamp("batchSize", 1, 0, math.MaxInt); err != nil {
		return nil, err
	}
	if n := in.Timeout.int64(); n != nil {
		q.TimeoutSeconds = *n
	}
	rehearsed, err := s.Operations.RehearseTruncation(ctx, q)
	if err != nil {
		return nil, err
	}
	switch {
	case q.Contradictory():
		return contradictionMessage, nil
	case in.DryRun == nil || bool(*in.DryRun):
		return rehearsed.String() + " This was a dry run. Run with dryRun = false to execute.", nil
	}
	started, err := s.Operations.Truncate(ctx, q)
	return string(started.ID), err
}

type taskStatusInput struct {
	Task string   `json:"task"`
	Node string   `json:"nodeId"`
	ID   looseInt `json:"taskId"`
}

// id returns the task id, which is given as one string, as its parts, or as both.
func (in *taskStatusInput) id() (task.ID, error) {
	parts := task.ID("")
	if in.Node != "" && in.ID > 0 {
		parts = task.NewID(in.Node, uint64(in.ID))
	}
	switch given := task.ID(in.Task); {
	case given == "" && parts == "":
		return "", fault.New(fault.Malformed, "task is required, as <node>:<number>, or nodeId and taskId together")
	case given == "":
		return parts, nil
	case in.Node != "" && parts != given || in.ID != 0 && parts != given:
		return "", fault.New(fault.Malformed, "task %.100q does not match nodeId and taskId", in.Task)
	default:
		return given, nil
	}
}

// taskStatus responds with JSON inside a string, also for an unknown task.
func (s *handlers) taskStatus(ctx context.Context, in taskStatusInput) (any, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	status, err := s.Operations.GetTaskStatus(ctx, id)
	if errors.Is(err, fault.NotFound) {
		return jsonText(map[string]string{"error": "Could not get task status for " + string(id)})
	}
	if err != nil {
		return nil, err
	}
	return jsonText(status)
}
