package rest

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

const (
	defaultRows = 100
	maxRows     = 10_000
)

func (s *handlers) runActions() []action {
	return []action{
		typedAction("list", queryLimit, s.listRuns),
		typedAction("describe", queryLimit, s.describeRun),
		typedAction("rollback", queryLimit, s.rollback),
	}
}

type runsInput struct {
	Offset *looseInt `json:"pageOffset"`
	Size   *looseInt `json:"pageSize"`
}

func (s *handlers) listRuns(ctx context.Context, in runsInput) (any, error) {
	offset, err := in.Offset.clamp("pageOffset", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	size, err := in.Size.clamp("pageSize", 1, defaultRows, maxRows)
	if err != nil {
		return nil, err
	}
	runs, err := run.New(s.Catalog).List(ctx, offset, size)
	if err != nil {
		return nil, err
	}
	rows := make([]any, len(runs))
	for i, run := range runs {
		rows[i] = object{"runId": run.ID, "timestamp": run.Time, "rows": run.Rows}
	}
	return rows, nil
}

type describeInput struct {
	Run         string    `json:"runId" param:"required"`
	Start       *looseInt `json:"start"`
	Count       *looseInt `json:"count"`
	SoftDeleted looseBool `json:"includeSoft"`
	WithAspect  looseBool `json:"includeAspect"`
}

func (s *handlers) describeRun(ctx context.Context, in describeInput) (any, error) {
	start, err := in.Start.clamp("start", 0, 0, maxOffset)
	if err != nil {
		return nil, err
	}
	count, err := in.Count.clamp("count", 1, defaultRows, maxRows)
	if err != nil {
		return nil, err
	}
	rows, err := run.New(s.Catalog).Describe(ctx, in.Run, start, count, bool(in.SoftDeleted))
	if err != nil {
		return nil, err
	}
	return rowTrees(rows, bool(in.WithAspect)), nil
}

type rollbackInput struct {
	Run    string     `json:"runId" param:"required"`
	DryRun looseBool  `json:"dryRun"`
	Safe   *looseBool `json:"safe"`
	Hard   looseBool  `json:"hardDelete"` // older; safe takes precedence when both are given
}

func (s *handlers) rollback(ctx context.Context, in rollbackInput) (any, error) {
	result, err := run.New(s.Catalog).Rollback(ctx, in.Run, run.Options{
		DryRun: bool(in.DryRun),
		Hard:   !in.Safe.valueOr(!bool(in.Hard)),
	})
	if err != nil {
		return nil, err
	}
	return rollbackTree(result), nil
}

func rollbackTree(r run.Result) object {
	unsafe := make([]any, len(r.UnsafeEntities))
	for i, u := range r.UnsafeEntities {
		unsafe[i] = object{"urn": string(u)}
	}
	return object{
		"aspectRowSummaries":  rowTrees(r.Rows, false),
		"entitiesAffected":    r.EntitiesAffected,
		"aspectsAffected":     r.AspectsAffected,
		"aspectsReverted":     r.AspectsReverted,
		"entitiesDeleted":     r.EntitiesDeleted,
		"unsafeEntitiesCount": r.UnsafeCount,
		"unsafeEntities":      unsafe,
	}
}

func rowTrees(rows []run.Row, withAspect bool) []any {
	trees := make([]any, len(rows))
	for i, row := range rows {
		rec := row.Record
		tree := object{
			"runId":      rec.System.RunID,
			"aspectName": rec.Aspect,
			"urn":        string(rec.URN),
			"timestamp":  rec.System.LastObserved,
			"metadata":   string(systemJSON(rec.System)),
			"version":    rec.Row,
			"keyAspect":  row.KeyAspect,
		}
		if trace := rec.System.Properties[model.PropertyTraceID]; trace != "" {
			tree["telemetryTraceId"] = trace
		}
		if withAspect && rec.Value != nil {
			tree["aspect"] = rec.Value
		}
		trees[i] = tree
	}
	return trees
}
