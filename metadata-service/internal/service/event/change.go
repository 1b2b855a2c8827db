package event

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// change is a change of an entity, as an entity change event reports it.
type change struct {
	entity     urn.URN
	category   string
	operation  string
	modifier   string // the added, changed or removed item; empty for none
	parameters jsontree.Object
}

// Operations of entity change events.
const (
	added    = "ADD"
	removed  = "REMOVE"
	modified = "MODIFY"
)

// platformEvents derives the platform events of a log entry: one for each added, removed or changed
// item, followed by one for each added or removed relationship. Changes that only the timeline
// reports, such as links and incidents, give no entity change events, since other servers have none
// either.
func (r *reading) platformEvents(ctx context.Context, e *store.Entry) (derived, error) {
	m := r.partial.of(e.Sequence, r.cfg.Now())
	if m == nil || r.withoutEdges {
		var err error
		if m, err = r.meaningOf(ctx, e); err != nil {
			return derived{}, err
		}
	}
	all := m.derived(e)
	if !r.withoutEdges {
		all.done = func(whole bool) { r.partial.record(e.Sequence, m, whole, r.cfg.Now()) }
	}
	return all, nil
}

// Names of platform events.
const (
	EntityChange       = "entityChangeEvent"
	RelationshipChange = "relationshipChangeEvent"
)

func platformEvent(name string, payload jsontree.Object, e *store.Entry) json.RawMessage {
	payload["auditStamp"] = jsontree.Object{"time": jsontree.Number(e.Time), "actor": string(e.Actor)}
	return jsontree.Encode(jsontree.Object{
		"header":  jsontree.Object{"timestampMillis": jsontree.Number(e.Time)},
		"name":    name,
		"payload": jsontree.Object{"value": string(jsontree.Encode(payload)), "contentType": jsonContent},
	})
}

func (c *change) payload() jsontree.Object {
	payload := jsontree.Object{
		"entityType": c.entity.Type(), "entityUrn": string(c.entity), "category": c.category, "operation": c.operation, "version": jsontree.Number(0),
	}
	if c.modifier != "" {
		payload["modifier"] = c.modifier
	}
	if c.parameters != nil {
		payload["parameters"] = c.parameters
	}
	return payload
}

func (r *reading) changes(ctx context.Context, e *store.Entry, v versions) ([]change, error) {
	if e.URN.Type() == model.ColumnType {
		return nil, nil // events of the dataset cover its columns
	}
	switch e.Kind {
	case store.EntityDeleted:
		return existence(e, "HARD_DELETE"), nil
	case store.Written, store.Deleted:
		return r.versionedChanges(e, v), nil
	case store.Document:
		return r.runChanges(ctx, e)
	}
	return nil, nil
}

// versionedChanges compares two versions of an aspect.
func (s *Service) versionedChanges(e *store.Entry, v versions) []change {
	if isKey(s.cfg.Registry, e) {
		if e.Kind == store.Written && e.OldVersion == 0 {
			return existence(e, "CREATE")
		}
		return nil
	}
	if compare := comparers[e.Aspect]; compare != nil && v.known {
		return compare(e.URN, v.before, v.after)
	}
	return nil
}

// entityChanges returns the changes that the entity change events of an entry report.
func (s *Service) entityChanges(ctx context.Context, e *store.Entry) ([]change, error) {
	r := &reading{Service: s, withoutEdges: true}
	v, err := r.values(ctx, e)
	if err != nil {
		return nil, err
	}
	return r.changes(ctx, e, v)
}

// versions holds the values of an aspect before and after an entry, nil for none.
type versions struct {
	spec          *model.AspectSpec
	before, after jsontree.Object
	known         bool // both values were read; otherwise the change is unknown
}

// values reads the values before and after an entry, unless the aspect gives no platform events.
func (r *reading) values(ctx context.Context, e *store.Entry) (v versions, err error) {
	if e.Kind != store.Written && e.Kind != store.Deleted {
		return v, nil
	}
	v.spec = r.aspect(e.Aspect)
	if v.spec == nil || comparers[e.Aspect] == nil && (r.withoutEdges || !v.spec.MakesEdges()) {
		return v, nil
	}
	before, known, err := r.value(ctx, e, v.spec, e.OldVersion)
	if err != nil || !known {
		return v, err
	}
	after, known, err := r.value(ctx, e, v.spec, e.NewVersion)
	if err != nil || !known {
		return v, err
	}
	v.before, v.after, v.known = before, after, true
	return v, nil
}

// value reads version n of the aspect of an entry, with nil for version 0. known is false when the
// version is no longer stored.
func (s *Service) value(ctx context.Context, e *store.Entry, spec *model.AspectSpec, n int64) (value jsontree.Object, known bool, err error) {
	if n == 0 {
		return nil, true, nil
	}
	text := e.Gone(n)
	if text == nil {
		rec, err := s.version(ctx, e, spec, n)
		if err != nil || rec == nil {
			return nil, false, err
		}
		text = rec.Value
	}
	if value, err = jsontree.DecodeObject(text); err != nil {
		return nil, false, fmt.Errorf("read %s of %s: %w", e.Aspect, e.URN, err)
	}
	return value, true, nil
}

// lifecycleTypes are the entity types whose creation and deletion give events.
var lifecycleTypes = []string{
	"dataset", "dashboard", "chart", "container", "dataFlow", "dataJob", "glossaryTerm", "domain", "tag", "businessAttribute",
}

func isKey(r *model.Registry, e *store.Entry) bool {
	entity, ok := r.Entity(e.URN.Type())
	return ok && entity.Key != nil && entity.Key.Name == e.Aspect
}

func existence(e *store.Entry, operation string) []change {
	if !slices.Contains(lifecycleTypes, e.URN.Type()) {
		return nil
	}
	return []change{{entity: e.URN, category: "LIFECYCLE", operation: operation}}
}

// runChanges returns the change that a run of an assertion or of a task reports.
func (s *Service) runChanges(ctx context.Context, e *store.Entry) ([]change, error) {
	if e.Aspect != "assertionRunEvent" && e.Aspect != "dataProcessInstanceRunEvent" {
		return nil, nil
	}
	document, err := jsontree.DecodeObject(e.Value)
	if err != nil {
		return nil, fmt.Errorf("read entry %d of the log: %w", e.Sequence, err)
	}
	run := jsontree.Child(document, "value")
	if e.Aspect == "assertionRunEvent" {
		return assertionRun(e.URN, run), nil
	}
	return s.processRun(ctx, e.URN, run)
}

// subjectParameters are the parameters that name the subject of a run.
var subjectParameters = []string{"asserteeUrn", "dataFlowUrn", "dataJobUrn"}

func assertionRun(u urn.URN, run jsontree.Object) []change {
	if jsontree.Text(run, "status") != "COMPLETE" {
		return nil
	}
	parameters := jsontree.Object{
		"runResult": jsontree.Text(run, "status"), "runId": jsontree.Text(run, "runId"), "asserteeUrn": jsontree.Text(run, "asserteeUrn"),
	}
	if result := jsontree.Text(jsontree.Child(run, "result"), "type"); result != "" {
		parameters["assertionResult"] = result
	}
	return []change{{entity: u, category: "RUN", operation: "COMPLETED", parameters: parameters}}
}

func (s *Service) processRun(ctx context.Context, u urn.URN, run jsontree.Object) ([]change, error) {
	operation := map[string]string{"STARTED": "STARTED", "COMPLETE": "COMPLETED"}[jsontree.Text(run, "status")]
	if operation == "" {
		return nil, nil
	}
	parameters := jsontree.Object{}
	if attempt, ok := run["attempt"]; ok {
		parameters["attempt"] = attempt
	}
	if result := jsontree.Text(jsontree.Child(run, "result"), "type"); result != "" {
		parameters["runResult"] = result
	}
	rec, err := s.cfg.Rows.Row(ctx, store.Key{URN: u, Aspect: "dataProcessInstanceRelationships"}, 0)
	if err != nil {
		return nil, err
	}
	if rec != nil {
		relations, err := jsontree.DecodeObject(rec.Value)
		if err != nil {
			return nil, fmt.Errorf("read the relations of %s: %w", u, err)
		}
		if parent := jsontree.Text(relations, "parentInstance"); parent != "" {
			parameters["parentInstanceUrn"] = parent
		}
		template := urn.URN(jsontree.Text(relations, "parentTemplate"))
		if name := map[string]string{"dataFlow": "dataFlowUrn", "dataJob": "dataJobUrn"}[template.Type()]; name != "" {
			parameters[name] = string(template)
		}
	}
	return []change{{entity: u, category: "RUN", operation: operation, parameters: parameters}}, nil
}
