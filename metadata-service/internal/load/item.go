package load

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// deletion is the change type of an item that deletes an aspect or, with the key aspect, the
// entity.
const deletion = "DELETE"

const (
	jsonType  = "application/json"
	patchType = "application/json-patch+json"
)

// item is one record of a file: a proposal, or a snapshot when class is set.
type item struct {
	urn string

	// proposal
	entityType string
	changeType string
	aspectName string
	headers    map[string]string
	aspect     content

	// snapshot
	class   string            // type name without the name segment that client libraries add
	aspects []json.RawMessage // objects of one member each: type name and value
}

// content is the value of a proposal's aspect; data is nil if there is none.
type content struct {
	kind string // media type
	data json.RawMessage
}

// fileItem is the union of both forms in files. It omits members that only concern the producer of
// the file (audit headers, its run).
type fileItem struct {
	EntityType string            `json:"entityType"`
	EntityURN  string            `json:"entityUrn"`
	ChangeType string            `json:"changeType"`
	AspectName string            `json:"aspectName"`
	Headers    map[string]string `json:"headers"`
	Aspect     *struct {
		JSON        json.RawMessage `json:"json"`
		Value       *string         `json:"value"`
		ContentType string          `json:"contentType"`
	} `json:"aspect"`
	Snapshot map[string]struct {
		URN     string            `json:"urn"`
		Aspects []json.RawMessage `json:"aspects"`
	} `json:"proposedSnapshot"`
}

func parseItem(raw json.RawMessage) (item, error) {
	var in fileItem
	if err := json.Unmarshal(raw, &in); err != nil {
		return item{}, fault.Wrap(err, fault.Invalid, "want a change proposal or a snapshot")
	}
	if in.Snapshot != nil {
		return snapshotItem(in)
	}
	return proposalItem(in)
}

func snapshotItem(in fileItem) (item, error) {
	if len(in.Snapshot) != 1 {
		return item{}, fault.New(fault.Invalid, "proposedSnapshot: want one member named after the snapshot type, got %d", len(in.Snapshot))
	}
	var it item
	for class, snapshot := range in.Snapshot {
		it = item{urn: snapshot.URN, class: plainName(class), aspects: snapshot.Aspects}
	}
	if it.urn == "" {
		return item{}, fault.New(fault.Invalid, "proposedSnapshot: urn is missing")
	}
	if len(it.aspects) == 0 {
		return item{}, fault.New(fault.Invalid, "proposedSnapshot: aspects is missing or empty")
	}
	return it, nil
}

func proposalItem(in fileItem) (item, error) {
	for _, member := range []struct{ name, value string }{
		{"entityType", in.EntityType}, {"entityUrn", in.EntityURN}, {"changeType", in.ChangeType}, {"aspectName", in.AspectName},
	} {
		if member.value == "" {
			return item{}, fault.New(fault.Invalid, "%s is missing: want a change proposal or a snapshot", member.name)
		}
	}
	it := item{
		urn: in.EntityURN, entityType: in.EntityType, changeType: in.ChangeType,
		aspectName: in.AspectName, headers: in.Headers,
	}
	a := in.Aspect
	switch {
	case strings.EqualFold(it.changeType, deletion):
		return it, nil // a value beside it is ignored
	case a == nil:
		return item{}, fault.New(fault.Invalid, "aspect is missing")
	case a.Value != nil && present(a.JSON):
		return item{}, fault.New(fault.Invalid, "aspect: has both json and value, want one of them")
	case a.Value != nil:
		it.aspect = content{kind: a.ContentType, data: json.RawMessage(*a.Value)}
		if !json.Valid(it.aspect.data) {
			return item{}, fault.New(fault.Invalid, "aspect: value is not valid JSON text")
		}
		if err := utf8json.Check(it.aspect.data); err != nil {
			return item{}, fault.New(fault.Invalid, "aspect: value at %s", fault.Message(err))
		}
	case present(a.JSON):
		it.aspect = content{kind: a.ContentType, data: a.JSON}
	default:
		return item{}, fault.New(fault.Invalid, "aspect: want json, or value with contentType")
	}
	// Files often omit the media type, or give the plain one for a patch.
	if it.aspect.kind == "" || it.aspect.kind == jsonType {
		it.aspect.kind = jsonType
		if strings.EqualFold(it.changeType, "PATCH") {
			it.aspect.kind = patchType
		}
	}
	return it, nil
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) }

// name describes the write of an item for people.
func (it item) name() string {
	if it.class != "" {
		return "snapshot of " + printable(it.urn)
	}
	return printable(it.aspectName) + " of " + printable(it.urn)
}

// size returns the number of aspects that the item writes.
func (it item) size() int { return max(1, len(it.aspects)) }

// systemMetadata identifies the run of a write.
type systemMetadata struct {
	RunID string `json:"runId"`
}

// generic is an aspect inside a request: JSON as text inside JSON.
type generic struct {
	ContentType string `json:"contentType"`
	Value       string `json:"value"`
}

// proposal is the form of an item for POST /aspects.
type proposal struct {
	EntityType     string            `json:"entityType"`
	EntityURN      string            `json:"entityUrn"`
	ChangeType     string            `json:"changeType"`
	AspectName     string            `json:"aspectName"`
	Aspect         *generic          `json:"aspect,omitempty"` // nil for a deletion
	SystemMetadata systemMetadata    `json:"systemMetadata"`
	Headers        map[string]string `json:"headers,omitempty"`
}

func (it item) proposal(shift int64, run string) (json.RawMessage, error) {
	var value *generic
	if it.aspect.data != nil {
		data, err := rewrite(it.aspect.data, shift)
		if err != nil {
			return nil, err
		}
		value = &generic{ContentType: it.aspect.kind, Value: string(data)}
	}
	return encode(proposal{
		EntityType: it.entityType, EntityURN: it.urn, ChangeType: it.changeType, AspectName: it.aspectName,
		Aspect:         value,
		SystemMetadata: systemMetadata{RunID: run}, Headers: it.headers,
	})
}

// ingest is the body of POST /entities?action=ingest.
type ingest struct {
	Entity struct {
		Value map[string]snapshot `json:"value"`
	} `json:"entity"`
	SystemMetadata systemMetadata `json:"systemMetadata"`
}

type snapshot struct {
	URN     string            `json:"urn"`
	Aspects []json.RawMessage `json:"aspects"`
}

func (it item) ingest(shift int64, run string) (json.RawMessage, error) {
	s := snapshot{URN: it.urn, Aspects: make([]json.RawMessage, 0, len(it.aspects))}
	for _, raw := range it.aspects {
		data, err := rewriteSnapshot(raw, shift)
		if err != nil {
			return nil, err
		}
		s.Aspects = append(s.Aspects, data)
	}
	body := ingest{SystemMetadata: systemMetadata{RunID: run}}
	body.Entity.Value = map[string]snapshot{it.class: s}
	return encode(body)
}

// encode is json.Marshal without escapes for HTML pages.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
