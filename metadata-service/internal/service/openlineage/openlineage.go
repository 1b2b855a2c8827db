// Package openlineage converts events of OpenLineage (https://openlineage.io), which schedulers and
// engines send at the start and end of jobs, into metadata: the pipeline, the job, its run, and the
// datasets that it reads and writes.
//
// An event describes the state at its time. Absent parts leave the metadata unchanged: an event
// without datasets removes no lineage.
package openlineage

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config holds values that events lack. With the zero value all values come from the events.
type Config struct {
	// Orchestrator and Flow are the names of the system that runs jobs, and of the pipeline of all
	// jobs.
	Orchestrator, Flow string
	// Instance replaces the namespaces of jobs in pipelines.
	Instance string
	// Env is the environment of datasets, PROD when empty.
	Env string
}

// Converter converts events. It is safe for concurrent use.
type Converter struct{ Config }

// New returns a Converter.
func New(cfg Config) *Converter {
	if cfg.Env == "" {
		cfg.Env = "PROD"
	}
	return &Converter{cfg}
}

// Proposals returns the changes for an event, which must be written together. actor is the sender.
// An invalid event is fault.Malformed, and one beyond a limit fault.TooLarge; both name the member.
func (c *Converter) Proposals(text []byte, actor urn.URN) ([]catalog.Proposal, error) {
	e, err := parse(text)
	if err != nil {
		return nil, err
	}
	w := &writer{c: c, e: &e, byName: map[name]urn.URN{}, written: map[urn.URN]bool{}, upstreams: map[urn.URN]bool{}, stamp: jsontree.Object{"time": jsontree.Number(e.Time.UnixMilli()), "actor": string(actor)}}
	if e.Job == nil {
		_, err := w.datasets("dataset", []dataset{*e.Dataset})
		return w.proposals, err
	}
	if w.orchestrator, err = c.orchestrator(&e); err != nil {
		return nil, err
	}
	w.flow()
	if err := w.job(); err != nil {
		return nil, err
	}
	if e.Run != nil {
		w.run()
	}
	return w.proposals, nil
}

// writer collects the proposals of an event.
type writer struct {
	c            *Converter
	e            *event
	orchestrator string
	stamp        jsontree.Object // of the event
	proposals    []catalog.Proposal
	byName       map[name]urn.URN // datasets of the event by name
	written      map[urn.URN]bool // datasets whose facets are written
	// Inputs and outputs of the job, with the column lineage between them.
	inputs, outputs []urn.URN
	columns         []any
	pairs           int
	// Datasets read by column lineage, without duplicates.
	upstreams     map[urn.URN]bool
	upstreamOrder []urn.URN
}

func (w *writer) put(u urn.URN, aspect string, value jsontree.Object) {
	w.proposals = append(w.proposals, catalog.Proposal{URN: string(u), Change: model.Upsert, Aspect: aspect, Value: jsontree.Encode(value)})
}

// restore proposes that an entity is not soft-deleted, which also restores it.
func (w *writer) restore(u urn.URN) { w.put(u, "status", jsontree.Object{"removed": false}) }

func (w *writer) flow() {
	u, called := w.c.flowOf(w.orchestrator, w.e.Job.name)
	info := jsontree.Object{"name": called, "customProperties": w.properties()}
	var about struct{ Description string }
	if w.e.Job.Facets.read("documentation", &about) && about.Description != "" {
		info["description"] = about.Description
	}
	w.put(u, "dataFlowInfo", info)
	w.restore(u)
	w.tag(u)
}

// tag adds the tags of the job. It keeps tags that users added.
func (w *writer) tag(u urn.URN) {
	var tagged struct{ Tags []struct{ Key, Value string } }
	if !w.e.Job.Facets.read("tags", &tagged) || len(tagged.Tags) == 0 {
		return
	}
	var operations []any
	for _, t := range tagged.Tags[:min(len(tagged.Tags), maxTags)] {
		text := t.Key
		if t.Value != "" && t.Value != "true" {
			text += ":" + t.Value
		}
		if text == "" || len(text) > maxName {
			continue
		}
		tag := string(urn.Make("tag", keyEscaper.Replace(text)))
		operations = append(operations, jsontree.Object{"op": "add", "path": "/tags/" + pointer.Replace(tag), "value": jsontree.Object{"tag": tag}})
	}
	w.proposals = append(w.proposals, catalog.Proposal{URN: string(u), Change: model.Patch, Aspect: "globalTags", Value: jsontree.Encode(operations)})
}

// pointer escapes a part of a JSON pointer.
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

// job writes the job with its lineage.
func (w *writer) job() error {
	e := w.e
	u := w.c.jobOf(w.orchestrator, e.Job.name)
	flow, _ := w.c.flowOf(w.orchestrator, e.Job.name)
	_, called, ok := strings.Cut(e.Job.Name, ".")
	if !ok {
		called = e.Job.Name
	}
	w.put(u, "dataJobInfo", jsontree.Object{
		"name": called, "type": jsontree.Object{"string": w.orchestrator}, "flowUrn": string(flow), "created": jsontree.Object{"time": w.stamp["time"], "actor": w.stamp["actor"]},
	})
	w.restore(u)
	for _, d := range slices.Concat(e.Inputs, e.Outputs) {
		w.byName[d.name] = w.c.urn(d)
	}
	var err error
	if w.inputs, err = w.datasets("inputs", e.Inputs); err != nil {
		return err
	}
	clear(w.upstreams) // the column lineage of inputs belongs to other jobs
	w.upstreamOrder = nil
	if w.outputs, err = w.datasets("outputs", e.Outputs); err != nil {
		return err
	}
	if err := w.readByColumns(); err != nil {
		return err
	}
	if sameDatasets(w.inputs, w.outputs) {
		w.outputs = nil
	}
	parents := w.parents(u)
	if len(w.inputs)+len(w.outputs)+len(parents) == 0 {
		return nil
	}
	lineage := jsontree.Object{
		"inputDatasets": []any{}, "outputDatasets": []any{}, "inputDatasetEdges": w.edges(w.inputs), "outputDatasetEdges": w.edges(w.outputs), "inputDatajobEdges": w.edges(parents),
	}
	if len(w.columns) > 0 {
		lineage["fineGrainedLineages"] = w.columns
	}
	w.put(u, "dataJobInputOutput", lineage)
	return nil
}

// readByColumns adds inputs that only column lineage names. Some producers omit them from the list
// of inputs, as dbt does with seeds.
func (w *writer) readByColumns() error {
	for _, u := range w.upstreamOrder {
		if w.written[u] {
			continue
		}
		if len(w.inputs) == maxDatasets {
			return fault.New(fault.TooLarge, "columnLineage: with the datasets that columns are made of there are more than %d inputs", maxDatasets)
		}
		w.written[u] = true
		w.inputs = append(w.inputs, u)
		w.restore(u)
	}
	return nil
}

// parents returns the job that started this one, if any.
func (w *writer) parents(u urn.URN) []urn.URN {
	var parent struct{ Job name }
	if w.e.Run == nil || !w.e.Run.Facets.read("parent", &parent) || parent.Job.check("parent") != nil {
		return nil
	}
	if by := w.c.jobOf(w.orchestrator, parent.Job); by != u {
		return []urn.URN{by}
	}
	return nil
}

func (w *writer) edges(to []urn.URN) []any {
	out := make([]any, len(to))
	for i, u := range to {
		out[i] = jsontree.Object{"destinationUrn": string(u), "created": w.stamp, "lastModified": w.stamp}
	}
	return out
}

// sameDatasets reports whether two lists name the same datasets.
func sameDatasets(a, b []urn.URN) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

// outcome is the status and result of a run for a type of event.
type outcome struct{ status, result string }

var outcomes = map[string]outcome{
	"START": {"STARTED", ""}, "RUNNING": {"STARTED", ""}, "COMPLETE": {"COMPLETE", "SUCCESS"}, "FAIL": {"COMPLETE", "FAILURE"}, "ABORT": {"COMPLETE", "FAILURE"},
}

func (w *writer) run() {
	e := w.e
	u := urn.Make("dataProcessInstance", keyEscaper.Replace(e.Run.ID))
	w.put(u, "dataProcessInstanceProperties", jsontree.Object{"name": e.Run.ID, "created": w.stamp, "customProperties": jsontree.Object{}})
	w.put(u, "dataProcessInstanceRelationships", jsontree.Object{"parentTemplate": string(w.c.jobOf(w.orchestrator, e.Job.name)), "upstreamInstances": []any{}})
	if len(w.inputs)+len(w.outputs) > 0 {
		w.put(u, "dataProcessInstanceInput", jsontree.Object{"inputs": urnTexts(w.inputs)})
		w.put(u, "dataProcessInstanceOutput", jsontree.Object{"outputs": urnTexts(w.outputs)})
	}
	kind := strings.ToUpper(e.Type)
	so, ok := outcomes[kind]
	if !ok {
		return // OTHER has no defined meaning
	}
	happened := jsontree.Object{"timestampMillis": w.stamp["time"], "status": so.status}
	if so.result != "" {
		happened["result"] = jsontree.Object{"type": so.result, "nativeResultType": kind}
	}
	w.put(u, "dataProcessInstanceRunEvent", happened)
}

func urnTexts(urns []urn.URN) []any {
	out := make([]any, len(urns))
	for i, u := range urns {
		out[i] = string(u)
	}
	return out
}
