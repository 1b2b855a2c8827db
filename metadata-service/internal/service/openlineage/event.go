package openlineage

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of one event.
const (
	// MaxBytes is the maximum length of an event.
	MaxBytes    = 10 << 20
	maxDatasets = 1_000  // of its inputs, and of its outputs
	maxColumns  = 10_000 // of the schema of a dataset, including nested ones
	maxPairs    = 50_000 // of columns in lineage, over all datasets
	maxName     = 512    // bytes of a namespace or a name
)

// facets are the facets of an event by kind, as defined by the specification
// (https://openlineage.io/spec/2-0-2/OpenLineage.json). Unknown kinds and invalid facets are
// ignored, since producers add facets of their own.
type facets map[string]json.RawMessage

// read decodes the facet of a kind. It returns false if the facet is absent or invalid.
func (f facets) read(kind string, into any) bool {
	text, ok := f[kind]
	return ok && json.Unmarshal(text, into) == nil
}

// event is a run event, a job event or a dataset event.
type event struct {
	Type     string `json:"eventType"`
	Time     moment `json:"eventTime"`
	Producer string `json:"producer"`
	Run      *struct {
		ID     string `json:"runId"`
		Facets facets `json:"facets"`
	} `json:"run"`
	Job *struct {
		name
		Facets facets `json:"facets"`
	} `json:"job"`
	Dataset *dataset  `json:"dataset"`
	Inputs  []dataset `json:"inputs"`
	Outputs []dataset `json:"outputs"`
}

// moment is a date and time. Its error names the member, unlike that of time.Time.
type moment struct{ time.Time }

func (m *moment) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &m.Time) != nil {
		return fmt.Errorf("eventTime: %.60s is no date and time such as \"2026-03-01T10:00:00Z\"", text)
	}
	return nil
}

type dataset struct {
	name
	Facets facets `json:"facets"`
}

// name identifies a job or dataset in an event.
type name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

func (n name) check(at string) error {
	for member, text := range map[string]string{"namespace": n.Namespace, "name": n.Name} {
		if text == "" || len(text) > maxName {
			return fault.New(fault.Malformed, "%s.%s: is of %d bytes, 1 to %d are allowed", at, member, len(text), maxName)
		}
	}
	return nil
}

// parse decodes an event and validates its names.
func parse(text []byte) (e event, err error) {
	if len(text) > MaxBytes {
		return e, fault.New(fault.TooLarge, "the event is of %d bytes, at most %d are allowed", len(text), MaxBytes)
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return e, fault.Wrap(err, fault.Malformed, "the body is no OpenLineage event: %v", err)
	}
	if e.Time.IsZero() {
		return e, fault.New(fault.Malformed, "eventTime: is required")
	}
	switch {
	case e.Run != nil && (e.Run.ID == "" || len(e.Run.ID) > maxName):
		return e, fault.New(fault.Malformed, "run.runId: is of %d bytes, 1 to %d are allowed", len(e.Run.ID), maxName)
	case e.Run != nil && e.Job == nil:
		return e, fault.New(fault.Malformed, "job: is required beside run")
	case e.Job == nil && e.Dataset == nil:
		return e, fault.New(fault.Malformed, "run, job or dataset: one is required")
	}
	if e.Job != nil {
		err = e.Job.check("job")
	} else {
		err = e.Dataset.check("dataset")
	}
	for member, list := range map[string][]dataset{"inputs": e.Inputs, "outputs": e.Outputs} {
		if len(list) > maxDatasets {
			return e, fault.New(fault.TooLarge, "%s: %d datasets, at most %d are allowed", member, len(list), maxDatasets)
		}
		for i := range list {
			if err == nil {
				err = list[i].check(member)
			}
		}
	}
	return e, err
}
