// Package catalog is the one way between what callers ask and what
// drivers hold: every read and write of metadata passes here, is checked
// against the model, authorized, and carried out.
//
// It is the kernel: it knows how facts change, and no aspect by name. What must
// hold for an aspect, and what follows from its change, is in package rule; what can be told of a
// proposal without a look at the store is in package proposal; what finds metadata is
// package discover, which reads through the kernel.
//
// A write goes: read URN, aspect and change of each proposal, authorize, decode and
// conform the values, ask the rules that need the proposal alone, and then, inside one
// transaction of the store, read what is there, apply patches, ask the rules that need it, store rows,
// relationships, terms and log entries, and derive what follows. Deletions,
// rollbacks and derived changes take the same way (txn.carry). A batch is all or
// nothing. It returns when the projections have caught up, so what was
// acknowledged is seen by the next read.
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

// Authorizer decides what the actor in the context may do. It is safe for
// concurrent use. Errors are those of the decision as such: fault.Unauthenticated
// without an actor, fault.Unavailable when rules cannot be read. What is refused
// is no error but a decision.
type Authorizer interface {
	// Decide answers many checks at once, one decision for each in the order asked. It costs
	// about as much for a hundred as for one.
	Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error)
	// Visible tells what of a reading the actor may see. When it may see none of the entity
	// types that the reading names, the error is the refusal.
	Visible(ctx context.Context, reading auth.Reading) (auth.Visibility, error)
	// Restricted lists the entity types of which view authorization may hide entities from the
	// actor, nil where it hides none. It is asked for each read and reads nothing.
	Restricted(ctx context.Context) ([]string, error)
	// Measures reports whether reading an aspect of an entity type takes a privilege over the
	// single entity besides the right to read it.
	Measures(entityType, aspect string) bool
	// ExcludesBy reports whether an active policy excludes resources that name an entity (NOT_EQUALS),
	// or the access token of the actor reaches only some resources. Where it does, a resource that
	// names the entity no more may come into somebody's reach.
	ExcludesBy(ctx context.Context, u urn.URN) (bool, error)
	// Deciding lists the aspects of an entity that decisions about writing it depend on. When
	// one changed since a decision was made, the decision is made again inside the transaction.
	Deciding() []string
}

// Follower brings the projections of the change log up to date.
type Follower interface {
	// Wait returns when all projections that entries of the kinds concern have applied the log up to the
	// sequence, or given up on it, or ctx ends. Without kinds these are all.
	Wait(ctx context.Context, sequence uint64, kinds ...store.EntryKind) error
}

// Retention says how much history an aspect keeps.
type Retention interface {
	Of(entityType, aspect string) store.Retention
}

// Config is what a Service works with. All fields but Rules, Retention, Failures,
// Cipher and Names are required.
type Config struct {
	Registry *model.Registry
	// Rules is the rule book that every change is held to; nil is that of package rule.
	Rules *rule.Book
	// Retention is nil where the default holds for everything.
	Retention  Retention
	Store      store.Store
	Graph      graph.Reader
	Documents  timeseries.Store
	Authorizer Authorizer
	Follower   Follower
	// Failures keeps which asynchronous writes failed. Without one their conditions are told
	// at once, as those of others.
	Failures *failure.Log
	// Cipher encrypts the members that the model marks. Without one they are refused.
	Cipher Cipher
	// Names makes restricted entities for values that are read and written back. Without it
	// values leave out what is hidden.
	Names Names
	// Reserve waits for room in memory for so many bytes of values, before they are read for
	// somebody; nil for no bound. Its errors are those of the read.
	Reserve func(ctx context.Context, bytes int64) error
	Now     func() time.Time
	Log     *slog.Logger
}

// Service reads and writes metadata. It is safe for concurrent use.
type Service struct {
	Config
}

// New makes a Service. It panics when package rule names what the registry does
// not know, which a test of that package holds together.
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

// DefaultVersions is how many versions of an aspect are kept, the latest
// included, where no rule of retention fits.
const DefaultVersions = 20

type defaultRetention struct{}

func (defaultRetention) Of(string, string) store.Retention {
	return store.Retention{MaxVersions: DefaultVersions}
}

// What callers hand in and are told of it is in package proposal.
type (
	Proposal   = proposal.Proposal
	ItemError  = proposal.ItemError
	WriteError = proposal.WriteError
)

// WriteOptions qualifies a whole batch.
type WriteOptions struct {
	// TraceID is kept with every row written, 32 hex digits; empty for none.
	TraceID string
	// Async is what the caller asked for. It does not change what is done: the answer comes
	// when the batch is durable and visible either way. Errors of a refused batch say that
	// nothing of it was kept for later.
	Async bool
	// Traced is set where the caller is told TraceID. Proposals of an asynchronous batch whose
	// conditions do not hold are left out then, and the trace tells of them.
	Traced bool
	// Upgrade is for what the service itself writes to bring a catalog up to date before it
	// serves: it is carried out in read-only mode, too, which outlives the process. It means
	// nothing for other actors.
	Upgrade bool
	// UniqueNames refuses names that another entity has at the same place, where people choose them:
	// of domains, glossary terms and business attributes. Programs may name entities alike, as the
	// systems have them that they ingest from.
	UniqueNames bool
	// Decisions are those that the batch rests on. An item that one of them covers is not
	// decided again; rules about what may be written hold all the same.
	Decisions []auth.Decision

	// sent is how many bytes the values and patches of the batch have, and bytes how many the store is
	// told: with those that patches were applied to before the transaction.
	sent, bytes int
}

// Outcome is what became of a proposal.
type Outcome int

const (
	Inserted Outcome = iota + 1 // the aspect was absent
	Updated                     // it has a new value
	NoOp                        // it had that value already
	Dropped                     // a condition with If-None-Match dropped it silently
	Appended                    // a time-series document
	Removed                     // DELETE: the aspect or entity is gone
	Failed                      // a condition does not hold, of which the trace tells
)

// Written is the fate of one proposal, or of an aspect the service added.
type Written struct {
	// Proposal is the index in the batch, -1 for aspects the service added by itself.
	Proposal int
	URN      urn.URN
	Spec     *model.AspectSpec
	Outcome  Outcome
	// Record is what is stored now; for a time-series document its Value is the document.
	// Nil when Dropped, Removed or Failed.
	Record *model.Record
	// Attempt is set when Failed: who tried to write when, and with which system metadata. It has no Value.
	Attempt *model.Record
}

// Entity is what was read of an entity.
type Entity struct {
	URN  urn.URN
	Spec *model.EntitySpec
	// Exists is false when nothing is stored; Aspects may still hold the key aspect then.
	Exists bool
	// Aspects are ordered as in the registry.
	Aspects []Aspect
}

// Aspect is one aspect that was read. Of a time-series aspect it is the newest
// document: Value and System only.
type Aspect struct {
	Spec *model.AspectSpec
	model.Record
}

// Find gives an aspect by name.
func (e Entity) Find(name string) (Aspect, bool) {
	for _, a := range e.Aspects {
		if a.Spec.Name == name {
			return a, true
		}
	}
	return Aspect{}, false
}

// EntityQuery selects what to read of entities.
type EntityQuery struct {
	// Aspects names the aspects; empty means all. Names the entity type does not have are ignored.
	Aspects []string
	// AlwaysKey adds the key aspect, also for absent entities, built from the URN.
	AlwaysKey bool
	// Timeseries includes the newest document of time-series aspects.
	Timeseries bool
	// Visible leaves out entities the actor may not read, instead of refusing all.
	Visible bool
	// Disclosure is the form of values that name entities which are hidden from the actor.
	Disclosure Disclosure
	// MaxBytes is how many bytes the stored versioned aspects may have together; zero for no
	// bound. What has more is fault.TooLarge, and nothing of it is read.
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
	// Among narrows documents of all entities to those of some.
	Among []urn.URN
	// Exploded lists the documents of elements of lists in place of those of whole aspects.
	Exploded bool
	// PartOfEntity is set where documents are shown as a part of their entity. Otherwise they are
	// a series of their own, for which auth.ToReadTimeseries over the entity is asked for as well.
	// The right to read the aspect of the entity is asked for in any case.
	PartOfEntity bool
	// Summed is set where documents are added up, so that none is shown. The rights are those over
	// each entity of Among, and over the entity type where Among is empty. Documents that name
	// hidden entities are not among them.
	Summed bool
	// Disclosure is the form of documents that name entities which are hidden from the actor.
	Disclosure Disclosure
}

// Deleted counts what a deletion removed.
type Deleted struct {
	Rows           int   // aspect rows, history included
	TimeseriesRows int64 // documents
}
