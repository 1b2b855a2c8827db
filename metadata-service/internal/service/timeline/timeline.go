// Package timeline derives the change history of an entity.
//
// It compares the stored versions of the aspects of an entity. Each version is split into facts: a
// column, a tag on a column, an owner, a description. Facts that differ between two versions are
// changes. All changes that one actor wrote at one moment form one transaction, across aspects.
//
// Transactions carry semantic versions. The oldest transaction of the requested categories has
// version 0.0.0. From there the most severe change of a transaction raises the number: the major
// number for changes that readers of the data must heed (a removed column or a changed type), the
// minor number for other additions and removals, the patch number for changed texts and values.
// Versions deleted by retention are unknown, so numbers are comparable only within one answer. The
// stamp of a transaction names the rows of aspects.
package timeline

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Category is the subject of a change.
type Category string

// Categories.
const (
	Schema        Category = "TECHNICAL_SCHEMA"
	Documentation Category = "DOCUMENTATION"
	Tags          Category = "TAG"
	Terms         Category = "GLOSSARY_TERM"
	Ownership     Category = "OWNERSHIP"
	Domain        Category = "DOMAIN"
	Properties    Category = "STRUCTURED_PROPERTY"
	Application   Category = "APPLICATION"
	Deprecation   Category = "DEPRECATION"
	Parent        Category = "PARENT"
	Related       Category = "RELATED_ENTITIES"
	Membership    Category = "ASSET_MEMBERSHIP"
	Versioning    Category = "VERSIONING"
)

// Categories returns all categories.
func Categories() []Category {
	return []Category{
		Schema, Documentation, Tags, Terms, Ownership, Domain, Properties, Application, Deprecation, Parent, Related, Membership, Versioning,
	}
}

// ParseCategory parses a category in any case, with any of "-", "_" and " " between words. OWNER is
// an alias of OWNERSHIP. Other texts are fault.Malformed.
func ParseCategory(text string) (Category, error) {
	name := Category(strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToUpper(strings.TrimSpace(text))))
	if name == "OWNER" {
		name = Ownership
	}
	if all := Categories(); !slices.Contains(all, name) {
		return "", fault.New(fault.Malformed, "categories: %.60q is not one of %v", text, all)
	}
	return name, nil
}

// Operation is the kind of a change of a fact.
type Operation string

// Operations.
const (
	Add    Operation = "ADD"
	Modify Operation = "MODIFY"
	Remove Operation = "REMOVE"
)

// Grade is the severity of a change.
type Grade string

// Grades, named after the part of the version that they raise.
const (
	Major Grade = "MAJOR"
	Minor Grade = "MINOR"
	Patch Grade = "PATCH"
)

// Event is one change.
type Event struct {
	URN       urn.URN // the changed entity, or the column whose labels changed
	Category  Category
	Operation Operation
	Modifier  string // the added, changed or removed item, by its URN if it has one
	// Parameters give details by name, in a stable order. Long texts are truncated.
	Parameters  []Parameter
	Time        int64 // epoch ms
	Actor       urn.URN
	Grade       Grade
	Description string // one sentence in English
}

// Parameter is a named detail of a change. Its value is a string or a bool.
type Parameter struct {
	Name  string
	Value any
}

// Transaction holds the changes of one actor at one moment.
type Transaction struct {
	Time      int64 // epoch ms
	Actor     urn.URN
	Operation Operation // Add or Remove if all events have that operation, else Modify
	Grade     Grade     // of the most severe event
	Version   string    // semantic version of the entity after the transaction
	// Stamp names the rows of all versioned aspects in force after the transaction, such as
	// "datasetKey:0;globalTags:2;schemaMetadata:0". The current value of an aspect is row 0, so a
	// stamp is valid until one of these changes.
	Stamp  string
	Events []Event
	Diffs  []Diff // with Query.Diffs only
}

// Timeline is the history of an entity, oldest first.
type Timeline struct {
	Transactions []Transaction
	// Skipped is the number of versions of the compared aspects that are not covered, because they
	// are no longer stored or exceed MaxVersions.
	Skipped int
}

// Query requests a timeline.
type Query struct {
	// Program is set by APIs for programs. They require auth.GetTimeline in addition to the
	// privilege to read.
	Program    bool
	URN        urn.URN
	Categories []Category // empty for all
	From, To   int64      // epoch ms, inclusive; 0 for no limit
	// VersionSet adds the changes of the other assets in the version set of the asset.
	VersionSet bool
	Diffs      bool // include JSON patches of the aspects
}

// Limits of one answer.
const (
	MaxVersions = 200    // of an aspect; the newest are compared
	maxEvents   = 50_000 // within the requested period
	maxMembers  = 100    // of a version set
)

// Reader reads versions of aspects. catalog.Service implements it.
type Reader interface {
	History(ctx context.Context, u urn.URN, aspect string, limit int) iter.Seq2[catalog.Aspect, error]
	Aspect(ctx context.Context, u urn.URN, aspect string, version int64, form catalog.Disclosure) (catalog.Aspect, error)
	Permit(ctx context.Context, checks ...auth.Check) error
}

// Relations lists the relationships of an entity. discover.Service implements it.
type Relations interface {
	Relationships(ctx context.Context, q discover.RelationshipQuery) (graph.Page, error)
}

// Service derives timelines. It is safe for concurrent use.
type Service struct {
	registry  *model.Registry
	aspects   Reader
	relations Relations
	reserve   Reserve
}

// New returns a Service. A nil reserve sets no limits.
func New(registry *model.Registry, aspects Reader, relations Relations, reserve Reserve) *Service {
	return &Service{registry: registry, aspects: aspects, relations: relations, reserve: reserve}
}

// Timeline returns the changes of an entity, oldest first. The actor in ctx must be allowed to read
// the entity. An entity that does not exist has an empty timeline. fault.TooLarge means too many
// changes for one answer, or versions that exceed the memory of a request; fault.Unavailable means
// that no memory is free.
func (s *Service) Timeline(ctx context.Context, q Query) (Timeline, error) {
	if q.Program {
		if err := s.aspects.Permit(ctx, auth.Over(q.URN, auth.GetTimeline).ToRead()); err != nil {
			return Timeline{}, err
		}
	}
	members := []urn.URN{q.URN}
	if q.VersionSet {
		var err error
		if members, err = s.members(ctx, q.URN); err != nil {
			return Timeline{}, err
		}
	}
	if len(q.Categories) == 0 {
		q.Categories = Categories()
	}
	out := Timeline{Transactions: []Transaction{}}
	events, memory := 0, &memoryBudget{reserve: s.reserve}
	for _, member := range members {
		q.URN = member
		told, err := s.entityTimeline(ctx, q, &events, memory)
		if err != nil {
			return Timeline{}, err
		}
		out.Skipped += told.Skipped
		out.Transactions = append(out.Transactions, told.Transactions...)
	}
	slices.SortStableFunc(out.Transactions, func(a, b Transaction) int { return cmp.Compare(a.Time, b.Time) })
	return out, nil
}

// entityTimeline returns the timeline of one entity.
func (s *Service) entityTimeline(ctx context.Context, q Query, events *int, memory *memoryBudget) (Timeline, error) {
	entity, ok := s.registry.Entity(q.URN.Type())
	if !ok {
		return Timeline{}, fault.New(fault.Malformed, "urn: %s is of no type that is known", q.URN)
	}
	w := timelineBuilder{query: q, events: events, memory: memory}
	compared := map[string]bool{}
	for _, source := range sourcesOf(entity, q.Categories) {
		compared[source.aspect] = true
		if err := w.aspect(ctx, s.aspects, source); err != nil {
			return Timeline{}, err
		}
	}
	if len(w.steps) == 0 {
		return Timeline{}, nil
	}
	var err error
	if w.uncompared, err = s.uncomparedVersions(ctx, q.URN, entity, compared); err != nil {
		return Timeline{}, err
	}
	return Timeline{Transactions: w.transactions(), Skipped: w.skipped}, nil
}

const versionAspect = "versionProperties"

// members returns the assets in the version set of an entity, starting with the entity. It returns
// only the entity if that has no version set.
func (s *Service) members(ctx context.Context, u urn.URN) ([]urn.URN, error) {
	entity, ok := s.registry.Entity(u.Type())
	if !ok {
		return []urn.URN{u}, nil
	}
	if _, ok := entity.Aspect(versionAspect); !ok {
		return []urn.URN{u}, nil
	}
	members := []urn.URN{u}
	found, err := s.aspects.Aspect(ctx, u, versionAspect, 0, catalog.Omitted)
	if err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return members, nil
		}
		return nil, err
	}
	value, err := jsontree.DecodeObject(found.Value)
	if err != nil {
		return nil, err
	}
	set, err := urn.Parse(jsontree.Text(value, "versionSet"))
	if err != nil {
		return members, nil
	}
	page, err := s.relations.Relationships(ctx, discover.RelationshipQuery{URN: set, Direction: graph.Incoming, Types: []string{"VersionOf"}, Count: maxMembers})
	if err != nil {
		return nil, err
	}
	for i := range page.Edges {
		if member := page.Edges[i].Source; member != u {
			members = append(members, member)
		}
	}
	return members, nil
}
