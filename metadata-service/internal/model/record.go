package model

import (
	"encoding/json"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Well-known actors.
const (
	// SystemActor writes what the service writes by itself. It passes every check and never has a token.
	SystemActor urn.URN = "urn:li:corpuser:__datahub_system"
	// UnknownActor stands where nobody is known.
	UnknownActor urn.URN = "urn:li:corpuser:UNKNOWN"
	// RootUser is the administrator that exists from the first start.
	RootUser urn.URN = "urn:li:corpuser:datahub"
)

// UnknownPlatform stands where no platform is known.
const UnknownPlatform urn.URN = "urn:li:dataPlatform:unknown"

// DefaultRunID is the run of writes that name none.
const DefaultRunID = "no-run-id-provided"

// AuditStamp says who did something and when (epoch milliseconds).
type AuditStamp struct {
	Time         int64   `json:"time"`
	Actor        urn.URN `json:"actor"`
	Impersonator urn.URN `json:"impersonator,omitempty"`
}

// SystemMetadata is what the catalog keeps about a row besides its value. Its
// JSON form is the one on the wire (com.linkedin.mxe.SystemMetadata).
type SystemMetadata struct {
	LastObserved    int64             `json:"lastObserved,omitempty"` // epoch ms of the last write, no-ops included
	RunID           string            `json:"runId,omitempty"`
	LastRunID       string            `json:"lastRunId,omitempty"` // run of the write before
	PipelineName    string            `json:"pipelineName,omitempty"`
	RegistryName    string            `json:"registryName,omitempty"`
	RegistryVersion string            `json:"registryVersion,omitempty"`
	Properties      map[string]string `json:"properties,omitempty"`
	Version         string            `json:"version,omitempty"` // logical version as text: "1", then +1 a real change
	SchemaVersion   int64             `json:"schemaVersion,omitempty"`
	AspectCreated   *AuditStamp       `json:"aspectCreated,omitempty"`
	AspectModified  *AuditStamp       `json:"aspectModified,omitempty"`
}

// Keys of SystemMetadata.Properties that the service itself sets or reads.
const (
	PropertyTraceID   = "telemetryTraceId" // 32 hex digits of the request that wrote the row
	PropertyNoOp      = "isNoOp"           // "true" after a write of the value that was there already
	PropertyWrittenBy = "writtenTraceId"   // of a value that was written again: the trace of the first write
	PropertyAppSource = "appSource"        // "ui" for writes of the web client
	PropertySource    = "eventSource"      // interface that the write came through: RESTLI, OPENAPI, GRAPHQL, MCP
)

// Key addresses an aspect of an entity.
type Key struct {
	URN    urn.URN
	Aspect string
}

// Record is one stored version of an aspect.
type Record struct {
	URN    urn.URN
	Aspect string
	// Row is 0 for the latest version, n for the history row of logical version n.
	Row int64
	// Value is canonical JSON: form 1 of the model, members sorted, no nulls, numbers
	// normalised by type. Equal values are equal bytes. It must not be modified.
	Value json.RawMessage
	// CreatedOn is when this version was written, epoch milliseconds; CreatedBy who wrote it.
	CreatedOn  int64
	CreatedBy  urn.URN
	CreatedFor urn.URN // impersonated actor, usually empty
	System     SystemMetadata
	// Sequence is the change log sequence of the last real change of this row.
	Sequence uint64
}

// Key is the address of the record.
func (r *Record) Key() Key { return Key{URN: r.URN, Aspect: r.Aspect} }

// ChangeType is what a proposal asks for, or what an event reports.
type ChangeType string

const (
	Upsert       ChangeType = "UPSERT"
	Create       ChangeType = "CREATE"        // the aspect must be absent
	CreateEntity ChangeType = "CREATE_ENTITY" // the entity must be absent
	Update       ChangeType = "UPDATE"        // treated as Upsert
	Patch        ChangeType = "PATCH"
	Delete       ChangeType = "DELETE"
	Restate      ChangeType = "RESTATE"
)

// Valid reports whether c is one of the change types above.
func (c ChangeType) Valid() bool {
	switch c {
	case Upsert, Create, CreateEntity, Update, Patch, Delete, Restate:
		return true
	}
	return false
}

// Set sets a property, making the map when there is none.
func (s *SystemMetadata) Set(property, value string) {
	if s.Properties == nil {
		s.Properties = map[string]string{}
	}
	s.Properties[property] = value
}

// Term is a key of the secondary index of the store: a value in one of the named
// indices, under which entities are found. Package store tells its limits.
type Term struct{ Index, Value string }
