package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
)

// allTime is the startTime that clients send for an unbounded period.
const allTime = -1

func (a *API) timelineOperations() []endpoint.Endpoint {
	query := []spec.Param{
		spec.NewParam("categories", spec.KindList, "", "What changes are about, repeated or separated by commas: "+categoryNames()+"."),
		spec.NewParam("startTime", spec.KindNumber, "", "Earliest time in milliseconds, counted from now when negative; -1 and nothing for no bound."),
		spec.NewParam("endTime", spec.KindNumber, "0", "Latest time in milliseconds, counted from now when negative; 0 for no bound."),
		spec.NewParam("raw", spec.KindFlag, "false", "Add the changes of the aspects."),
	}
	older := []endpoint.Endpoint{{Handle: a.timeline, Operation: spec.Operation{Method: http.MethodGet, Path: "/timeline/v1/{urn}", Summary: "Tell how an entity changed, oldest change first",
		Query: query, Answer: spec.ListOf(transactionSchema)}}}
	newer := []endpoint.Endpoint{{Handle: a.timeline, Operation: spec.Operation{Method: http.MethodGet, Path: "/v2/timeline/v1/{urn}", Summary: "Tell how an entity changed, oldest change first",
		Query:  append(query[:len(query):len(query)], spec.NewParam("includeVersionSet", spec.KindFlag, "false", "Tell the changes of all assets in its version set.")),
		Answer: spec.ListOf(transactionSchema)}}}
	return append(endpoint.InGroup(newer, spec.GroupV2, "Timeline"), endpoint.InGroup(older, spec.GroupV1, "Timeline")...)
}

func categoryNames() (text string) {
	for i, c := range timeline.Categories() {
		if i > 0 {
			text += ", "
		}
		text += string(c)
	}
	return text
}

func transactionSchema(d *spec.Documenter, _ *model.EntitySpec, _ *model.AspectSpec) jsontree.Object {
	long := jsontree.Object{"type": "integer", "format": "int64"}
	return d.Component("ChangeTransaction", func() jsontree.Object {
		event := spec.Object(jsontree.Object{
			"entityUrn": spec.Text(), "category": spec.Text(), "operation": spec.Text(), "modifier": spec.Text(), "semVerChange": spec.Text(), "description": spec.Text(),
			"parameters": jsontree.Object{"type": "object", "additionalProperties": jsontree.Object{"oneOf": []any{spec.Text(), jsontree.Object{"type": "boolean"}}}},
		})
		raw := spec.Object(jsontree.Object{"aspect": spec.Text(), "version": long, "patch": spec.Array(jsontree.Object{"type": "object"})})
		return spec.Object(jsontree.Object{
			"timestamp": long, "actor": spec.Text(), "semVer": spec.Text(), "semVerChange": spec.Text(), "versionStamp": spec.Text(),
			"changeEvents": spec.Array(event), "rawDiffs": spec.Array(raw),
		})
	})
}

func (a *API) timeline(c *endpoint.Call) error {
	q, err := a.timelineQuery(c)
	if err != nil {
		return err
	}
	q.Program = true
	found, err := a.Timeline.Timeline(c.Ctx(), q)
	if err != nil {
		return err
	}
	out := make([]any, len(found.Transactions))
	for i := range found.Transactions {
		out[i] = transactionTree(&found.Transactions[i], q.Diffs)
	}
	return c.JSONBlob(http.StatusOK, jsontree.Encode(out))
}

func (a *API) timelineQuery(c *endpoint.Call) (q timeline.Query, err error) {
	if q.URN, _, err = a.Registry.Resolve(c.PathParams["urn"]); err != nil {
		return q, err
	}
	names, err := c.List("categories")
	if err != nil {
		return q, err
	}
	if len(names) == 0 {
		return q, fault.New(fault.Malformed, "query parameter categories is missing; it may name %s", categoryNames())
	}
	for _, name := range names {
		category, err := timeline.ParseCategory(name)
		if err != nil {
			return q, err
		}
		q.Categories = append(q.Categories, category)
	}
	if q.From, err = a.timeBound(c, "startTime"); err != nil {
		return q, err
	}
	if q.To, err = a.timeBound(c, "endTime"); err != nil {
		return q, err
	}
	if q.Diffs, err = c.Flag("raw", false); err != nil {
		return q, err
	}
	q.VersionSet, err = c.Flag("includeVersionSet", false)
	return q, err
}

// timeBound reads a time in milliseconds; 0 means no bound. Negative times are relative to the
// current time.
func (a *API) timeBound(c *endpoint.Call, name string) (int64, error) {
	at, err := c.Number(name, 0)
	if err != nil || at == allTime || at >= 0 {
		return max(at, 0), err
	}
	return max(a.Now().UnixMilli()+at, 1), nil
}

func transactionTree(t *timeline.Transaction, raw bool) jsontree.Object {
	events := make([]any, len(t.Events))
	for i, e := range t.Events {
		parameters := jsontree.Object{}
		for _, p := range e.Parameters {
			parameters[p.Name] = p.Value
		}
		events[i] = jsontree.Object{
			"entityUrn": string(e.URN), "category": string(e.Category), "operation": string(e.Operation), "modifier": e.Modifier, "parameters": parameters,
			"semVerChange": string(e.Grade), "description": e.Description,
		}
	}
	tree := jsontree.Object{
		"timestamp": t.Time, "actor": string(t.Actor), "semVer": t.Version, "semVerChange": string(t.Grade), "changeEvents": events, "versionStamp": t.Stamp,
	}
	if raw {
		tree["rawDiffs"] = diffTrees(t.Diffs)
	}
	return tree
}

func diffTrees(diffs []timeline.Diff) []any {
	out := make([]any, len(diffs))
	for i, d := range diffs {
		patch := make([]any, len(d.Patch))
		for j, p := range d.Patch {
			o := jsontree.Object{"op": p.Op, "path": p.Path}
			if p.Op != "remove" {
				o["value"] = p.Value
			}
			patch[j] = o
		}
		out[i] = jsontree.Object{"aspect": d.Aspect, "version": d.Version, "patch": patch}
	}
	return out
}
