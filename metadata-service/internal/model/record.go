package model

import (
	"encoding/json"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Well-known actors.
const (
	// SystemActor is the actor of the service's own writes. It passes every check and never has a
	// token.
	SystemActor urn.URN = "urn:li:corpuser:__datahub_system"
	// UnknownActor is used where no actor is known.
	UnknownActor urn.URN = "urn:li:corpuser:UNKNOWN"
	// RootUser is the administrator that exists from the first start.
	RootUser urn.URN = "urn:li:corpuser:datahub"
)

// UnknownPlatform is used where no platform is known.
const UnknownPlatform urn.URN = "urn:li:dataPlatform:unknown"

// DefaultRunID is the run id of writes without one.
const DefaultRunID = "no-run-id-provided"

// AuditStamp states the actor and the time (epoch milliseconds) of an action.
type AuditStamp struct {
	Time         int64   `json:"time"`
	Actor        urn.URN `json:"actor"`
	Impersonator urn.URN `json:"impersonator,omitempty"`
}

// SystemMetadata holds the metadata of a record besides its value. Its JSON form is the one of the
// API (com.linkedin.mxe.SystemMetadata).
type SystemMetadata struct {
	LastObserved    int64             `json:"lastObserved,omitempty"` // epoch ms of the last write, no-ops included
	RunID           string            `json:"runId,omitempty"`
	LastRunID       string            `json:"lastRunId,omitempty"` // run of the previous write
	PipelineName    string            `json:"pipelineName,omitempty"`
	RegistryName    string            `json:"registryName,omitempty"`
	RegistryVersion string            `json:"registryVersion,omitempty"`
	Properties      map[string]string `json:"properties,omitempty"`
	Version         string            `json:"version,omitempty"` // logical version as text: "1", then +1 for each real change
	SchemaVersion   int64             `json:"schemaVersion,omitempty"`
	AspectCreated   *AuditStamp       `json:"aspectCreated,omitempty"`
	AspectModified  *AuditStamp       `json:"aspectModified,omitempty"`
}

// Keys of SystemMetadata.Properties that the service itself sets or reads.
const (
	PropertyTraceID   = "telemetryTraceId" // trace id, 32 hex digits, of the request that wrote the record
	PropertyNoOp      = "isNoOp"           // "true" after a write of an unchanged value
	PropertyWrittenBy = "writtenTraceId"   // for a value that was written again: the trace id of the first write
	PropertyAppSource = "appSource"        // "ui" for writes of the web client
	PropertySource    = "eventSource"      // interface of the write: RESTLI, OPENAPI, GRAPHQL, MCP
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
	// Value is canonical JSON: form 1 of the model, members sorted, no nulls, numbers normalised by
	// type. Equal values are equal bytes. It must not be modified.
	Value json.RawMessage
	// CreatedOn is the time of the write of this version in epoch milliseconds, CreatedBy its
	// actor.
	CreatedOn  int64
	CreatedBy  urn.URN
	CreatedFor urn.URN // impersonated actor, usually empty
	System     SystemMetadata
	// Sequence is the change log sequence of the last real change of this record.
	Sequence uint64
}

// Key returns the key of the record.
func (r *Record) Key() Key { return Key{URN: r.URN, Aspect: r.Aspect} }

// ChangeType is the kind of change that a proposal requests or an event reports.
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

// Set sets a property. It creates the map if there is none.
func (s *SystemMetadata) Set(property, value string) {
	if s.Properties == nil {
		s.Properties = map[string]string{}
	}
	s.Properties[property] = value
}

// Term is a key of the secondary index of the store: a value in one of the named indexes, under
// which entities are found. Package store defines its limits.
type Term struct{ Index, Value string }
