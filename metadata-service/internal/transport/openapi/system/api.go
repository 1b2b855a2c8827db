// Package system serves the endpoints below /openapi that are not about reading and writing
// entities: access, the audit log, events and webhooks, counts, traces and histories, tasks and the
// search index, the model registry, the running service, and the OpenAPI documents.
package system

import (
	"context"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/event"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/service/openlineage"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/timeline"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// Consumers reports the progress of the followers of the change log.
type Consumers interface {
	// Lag returns one entry for each follower, in a stable order.
	Lag() []ConsumerLag
}

// ConsumerLag is the position of one follower in the change log.
type ConsumerLag struct {
	Name       string // such as "search"
	Timeseries bool   // it follows the documents of time-series aspects
	Position   uint64 // sequence number of the last applied entry
	Lag        uint64 // number of entries after it
}

// Config holds the dependencies of an API. All are required unless stated otherwise. The endpoints
// that explain decisions need Access.
type Config struct {
	Catalog    *catalog.Service
	Discover   *discover.Service
	Operations *ops.Service
	Timeline   *timeline.Service
	Access     *access.Service
	Registry   *model.Registry
	Consumers  Consumers
	Audit      *auditlog.Service
	Events     *event.Service
	Polled     func(context.Context, event.Topic) // called after each answered poll; may be nil
	Webhooks   *eventhook.Service
	Lineage    *openlineage.Converter
	Now        func() time.Time
	// Version of the service, shown in OpenAPI documents and system information.
	Version string
	// Flags are the feature flags that clients may read without authentication.
	Flags map[string]bool
	// Properties returns the configuration for actors that manage the system. Secrets must be
	// masked in it already. It may be nil.
	Properties func() map[string]string
}

// API serves the endpoints of this package. It is safe for concurrent use.
type API struct {
	Config
	// document returns a function for the document of a group, nil for an unknown group.
	document func(group string) func() []byte
	aspects  endpoint.AspectNames
	// testSchema is the JSON Schema for definitions of metadata tests.
	testSchema func() []byte
}

// New creates an API with the documents of all endpoints.
func New(cfg Config, document func(group string) func() []byte) *API {
	return &API{
		Config: cfg, document: document, aspects: endpoint.NewAspectNames(cfg.Registry),
		testSchema: sync.OnceValue(func() []byte { return metatest.Schema(cfg.Registry) }),
	}
}
