// Package catalog is the kernel between the interfaces and the drivers: it checks every read and
// write of metadata against the model, authorizes it, and carries it out.
//
// The kernel implements how facts change and refers to no aspect by name. Package rule holds the
// constraints of each aspect and the consequences of its change, package proposal holds the checks
// that need no access to the store, and package discover searches metadata through the kernel.
//
// A write has these steps: read URN, aspect and change type of each proposal; authorize; decode and
// conform the values; apply the rules that need only the proposal. Then, inside one transaction of
// the store: read the current rows, apply patches, apply the remaining rules, store rows,
// relationships, terms and log entries, and derive further changes. Deletions, rollbacks and
// derived changes share these last steps (txn.carry, txn.settle). A batch is all or nothing. A
// write returns when the projections have caught up, so the next read finds every acknowledged
// change.
//
// # Order of the checks
//
// The authorizer decides about 500 proposals in one call, up to the first call that refuses one,
// and not again about proposals for which a service has a decision. The kernel reads values only
// afterwards, because a value can be crafted so that decoding or checking it takes long. Values
// that determine the domains of an entity are the exception, since decisions need them. If the rows
// behind a decision have changed, the transaction ends and the authorizer decides again, up to 20
// times.
//
// # Equal values
//
// Clients repeat writes, in several spellings of the same value. The kernel normalises a value
// once, on arrival, so that equal values are equal bytes (package jsontree). It adds no defaults: a
// read returns the value that was sent. An equal value makes no version; the row only records that
// it was seen again. For writes of services, values that differ only in the stamp of the change are
// equal.
//
// # Decisions are values
//
// A write carries the decisions that allow it: actor, privilege and entities
// (WriteOptions.Decisions). A decision covers only the aspects that its privilege reaches, so a
// service that writes more than it checked is refused. Services do not act as the system after a
// check: this would disable everything else that depends on the actor, and the history would name
// no actor.
//
// # URNs are disclosed where values are read
//
// An aspect that an actor may view can name entities that the actor may not view. The kernel
// removes or replaces their URNs in every value that it reads for an actor, by the types of the
// model, so a new aspect or interface needs no code for this. Answers for people leave hidden URNs
// out (Omitted, Located). Generic reads hold restricted URNs (Concealed), which a write turns back:
// programs write back the values they read, and would otherwise delete URNs that they were not
// shown.
//
// # Read-only mode
//
// Read-only mode is an entry of the secondary index in the store. Every transaction reads it, so it
// holds on every replica from the next write on, and survives a restart; a flag in a process would
// do neither. Tokens can still be revoked, because a revocation must not wait for an operator.
package catalog

import (
	"context"
	"log/slog"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Authorizer decides which operations the actor in the context may perform. It is safe for
// concurrent use. Errors mean that no decision was possible: fault.Unauthenticated without an
// actor, fault.Unavailable when policies cannot be read. A refusal is a decision, not an error.
type Authorizer interface {
	// Decide answers many checks at once, one decision per check in the same order. A hundred
	// checks cost about as much as one.
	Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error)
	// Visible returns the part of a reading that the actor may see. If the actor may see none of
	// the entity types of the reading, the error is the refusal.
	Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error)
	// Restricted lists the entity types of which view authorization may hide entities from the
	// actor, nil if it hides none. Every read calls it; it reads nothing from the store.
	Restricted(ctx context.Context) ([]string, error)
	// Measures reports whether reading an aspect of an entity type requires a privilege over the
	// single entity in addition to the right to read it.
	Measures(entityType, aspect string) bool
	// ExcludesBy reports whether an active policy excludes resources that name an entity
	// (NOT_EQUALS), or the access token of the actor reaches only some resources. In both cases a
	// resource that stops naming the entity may become accessible to other actors.
	ExcludesBy(ctx context.Context, u urn.URN) (bool, error)
	// Deciding lists the aspects of an entity that decisions about writing the entity depend on.
	// When one of them has changed since a decision, the kernel repeats the decision inside the
	// transaction.
	Deciding() []string
}

// Follower brings the projections of the change log up to date.
type Follower interface {
	// WaitFor returns when all projections that entries of the kinds concern have applied the log up
	// to the sequence or are failing, or when ctx ends. Without kinds it waits for all projections.
	// own are the entries of the writer, of which only kind, URN and aspect are set; nil for many.
	// They may be applied before earlier ones.
	WaitFor(ctx context.Context, sequence uint64, own []store.Entry, kinds ...store.EntryKind) error
}

// Retention returns the number and age of the versions that an aspect keeps.
type Retention interface {
	Of(entityType, aspect string) store.Retention
}

// Config holds the dependencies of a Service. All fields are required except Rules, Retention,
// Failures, Cipher, Names and Reserve.
type Config struct {
	Registry *model.Registry
	// Rules is the rule book applied to every change; nil selects the book of package rule.
	Rules *rule.Book
	// Retention is nil if the default applies to all aspects.
	Retention  Retention
	Store      store.Store
	Graph      graph.Reader
	Documents  timeseries.Store
	Authorizer Authorizer
	Follower   Follower
	// Failures stores the failed writes of asynchronous batches. Without it, unmet conditions of
	// asynchronous proposals are errors of the write, as for synchronous ones.
	Failures *failure.Log
	// Cipher encrypts the members that the model marks. Without it, the kernel refuses values with
	// such members.
	Cipher Cipher
	// Names conceals the URNs of restricted entities, for values that clients read and write back.
	// Without it, values omit hidden URNs.
	Names Names
	// Reserve waits until memory is available for the given number of bytes of values, before a
	// read loads them. Nil means no bound. The read returns its errors.
	Reserve func(ctx context.Context, bytes int64) error
	Now     func() time.Time
	Log     *slog.Logger
}

// Service reads and writes metadata. It is safe for concurrent use.
type Service struct {
	Config
}

// New returns a Service. It panics if package rule names entity types or aspects that the registry
// lacks; a test of that package rules this out.
func New(cfg Config) *Service {
	if cfg.Rules == nil {
		book, err := rule.NewBook(cfg.Registry, rule.All())
		if err != nil {
			panic("catalog: " + err.Error())
		}
		cfg.Rules = book
	}
	if cfg.Retention == nil {
		cfg.Retention = defaultRetention{}
	}
	return &Service{Config: cfg}
}

// DefaultVersions is the number of versions of an aspect, the latest included, that are kept when
// no retention rule applies.
const DefaultVersions = 20

type defaultRetention struct{}

func (defaultRetention) Of(string, string) store.Retention {
	return store.Retention{MaxVersions: DefaultVersions}
}

// Package proposal defines the input of a write and its errors.
type (
	Proposal   = proposal.Proposal
	Conditions = proposal.Conditions
	ItemError  = proposal.ItemError
	WriteError = proposal.WriteError
)

// Absent is the version of an aspect that is not stored, for AtVersion.
const Absent = proposal.Absent

// AtVersion returns the condition that the stored aspect has a version of VersionOf.
func AtVersion(version int64) Conditions { return proposal.AtVersion(version) }

// VersionOf returns the logical version of a record for AtVersion; nil is Absent.
func VersionOf(stored *model.Record) int64 { return proposal.VersionOf(stored) }

// WriteOptions qualifies a whole batch.
type WriteOptions struct {
	// TraceID is stored with every row written, 32 hex digits; empty for none.
	TraceID string
	// Async is set when the client requested an asynchronous write. It does not change the
	// execution: in both cases the answer comes when the batch is durable and visible. Errors of a
	// refused batch state that nothing was kept for later.
	Async bool
	// Traced is set when the client receives TraceID. Proposals of an asynchronous batch whose
	// conditions do not hold are then left out and reported by the trace.
	Traced bool
	// Upgrade marks writes of the service itself that bring a catalog up to date before it serves.
	// They are permitted in read-only mode, which outlives the process. It has no effect for other
	// actors.
	Upgrade bool
	// UniqueNames refuses a name that another entity has at the same place, for entities that
	// people name: domains, glossary terms and business attributes. Ingestion leaves it unset,
	// since source systems may use the same name twice.
	UniqueNames bool
	// Decisions are the decisions that the batch rests on. An item that one of them covers is not
	// authorized again; rules about permitted values still apply.
	Decisions []auth.Decision

	// sentBytes is the size of the values and patches of the batch. totalBytes is the size
	// announced to the store: sentBytes plus the results of patches applied before the transaction.
	sentBytes, totalBytes int
}

// Outcome is the result of one proposal.
type Outcome int

const (
	Inserted Outcome = iota + 1 // the aspect was absent
	Updated                     // the aspect has a new value
	NoOp                        // the aspect already had the value
	Dropped                     // an If-None-Match condition dropped the proposal silently
	Appended                    // a time-series document
	Removed                     // DELETE: the aspect or entity is removed
	Failed                      // a condition does not hold; the trace reports it
)

// Written is the result of one proposal, or of an aspect added by the service.
type Written struct {
	// Proposal is the index in the batch, -1 for aspects added by the service.
	Proposal int
	URN      urn.URN
	Spec     *model.AspectSpec
	Outcome  Outcome
	// Record is the stored record; for a time-series document its Value is the document. Nil when
	// Dropped, Removed or Failed.
	Record *model.Record
	// Attempt is set when Failed: the actor and time of the attempted write and its system
	// metadata. It has no Value.
	Attempt *model.Record
}

// Entity is the result of reading an entity.
type Entity struct {
	URN  urn.URN
	Spec *model.EntitySpec
	// Exists is false when nothing is stored; Aspects may still hold the key aspect then.
	Exists bool
	// Aspects are ordered as in the registry.
	Aspects []Aspect
}

// Aspect is the result of reading one aspect. For a time-series aspect it is the newest document,
// with Value, CreatedOn and System only.
type Aspect struct {
	Spec *model.AspectSpec
	model.Record
}

// Find returns the aspect with the given name.
func (e Entity) Find(name string) (Aspect, bool) {
	for _, a := range e.Aspects {
		if a.Spec.Name == name {
			return a, true
		}
	}
	return Aspect{}, false
}

// EntityQuery selects the content of entities to read.
type EntityQuery struct {
	// Aspects names the aspects; empty means all. Names that the entity type does not have are
	// ignored.
	Aspects []string
	// AlwaysKey adds the key aspect, also for absent entities, built from the URN.
	AlwaysKey bool
	// Timeseries includes the newest document of time-series aspects.
	Timeseries bool
	// Visible leaves out entities that the actor may not read, instead of refusing the whole query.
	Visible bool
	// Disclosure is the form of values that name entities hidden from the actor.
	Disclosure Disclosure
	// MaxBytes is the maximum total size of the stored versioned aspects; zero means no bound. A
	// larger result is fault.TooLarge and is not read.
	MaxBytes int64
}

// TimeseriesQuery selects documents of a time-series aspect.
type TimeseriesQuery struct {
	URN        urn.URN // empty for all entities of the type
	EntityType string
	Aspect     string
	From, To   *int64
	Filter     timeseries.Filter
	Ascending  bool
	After      *timeseries.Position
	Limit      int // at least 1
	// Among restricts the documents of all entities to those of the listed entities.
	Among []urn.URN
	// Exploded lists the documents of list elements instead of the documents of whole aspects.
	Exploded bool
	// PartOfEntity is set when documents are shown as a part of their entity. Otherwise they are a
	// series of their own, which additionally requires auth.ToReadTimeseries over the entity. The
	// right to read the aspect of the entity is required in both cases.
	PartOfEntity bool
	// Summed is set when documents are aggregated and none is shown. The required rights are those
	// over each entity of Among, and those over the entity type if Among is empty. The result omits
	// documents that name hidden entities.
	Summed bool
	// Disclosure is the form of documents that name entities hidden from the actor.
	Disclosure Disclosure
}

// Deleted counts the items that a deletion removed.
type Deleted struct {
	Rows           int   // aspect rows, history included
	TimeseriesRows int64 // time-series documents
}
