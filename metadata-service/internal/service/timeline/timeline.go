// Package timeline tells how an entity came to be as it is.
//
// It compares the versions of an entity's aspects that the store keeps. Each
// version is taken apart into facts: a column, a tag on a column, an owner, a
// description. Facts that two versions do not share are changes. What one actor
// wrote at one moment is one transaction, whatever aspects it touched.
//
// Transactions carry semantic versions, which begin at 0.0.0 with the oldest
// transaction of the categories asked for. From there the gravest change of a
// transaction raises the number: what readers of the data must heed (a column
// gone or of another type) the first, what is new or gone otherwise the second,
// what is worded differently the third. Versions that retention dropped are not
// known any more, so numbers are good within one answer. The stamp of a
// transaction names the rows of aspects.
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

// Category is what a change is about.
type Category string

// The categories.
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

// Categories are all categories.
func Categories() []Category {
	return []Category{
		Schema, Documentation, Tags, Terms, Ownership, Domain, Properties, Application, Deprecation, Parent, Related, Membership, Versioning,
	}
}

// ParseCategory reads a category as people write it: in any case, with any
// separator between words. OWNER is another name of OWNERSHIP.
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

// Operation is what happened to a fact.
type Operation string

// The operations.
const (
	Add    Operation = "ADD"
	Modify Operation = "MODIFY"
	Remove Operation = "REMOVE"
)

// Grade is how grave a change is.
type Grade string

// The grades, as they raise a version.
const (
	Major Grade = "MAJOR"
	Minor Grade = "MINOR"
	Patch Grade = "PATCH"
)

// Event is one change.
type Event struct {
	URN       urn.URN // what changed: the entity, or a column of it whose labels did
	Category  Category
	Operation Operation
	Modifier  string // what was added, changed or removed, by its URN where it has one
	// Parameters tell more by name, in a stable order. Long texts are cut.
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

// Transaction is what one actor changed at one moment.
type Transaction struct {
	Time      int64 // epoch ms
	Actor     urn.URN
	Operation Operation // Add or Remove when all events are that, else Modify
	Grade     Grade     // of the gravest event
	Version   string    // semantic version the entity has from then on
	// Stamp names the rows of all versioned aspects that were in force from then on, such as
	// "datasetKey:0;globalTags:2;schemaMetadata:0". The present value of an aspect is row 0,
	// so a stamp is good until one of these changes.
	Stamp  string
	Events []Event
	Diffs  []Diff // when asked for
}

// Timeline is the history of an entity, oldest first.
type Timeline struct {
	Transactions []Transaction
	// Skipped is how many versions of the aspects compared are not told of, since they are
	// no longer kept or there are too many.
	Skipped int
}

// Query asks for a timeline.
type Query struct {
	// Program is set for interfaces of programs, which ask for auth.GetTimeline besides the
	// right to read.
	Program    bool
	URN        urn.URN
	Categories []Category // none for all
	From, To   int64      // epoch ms, inclusive; 0 for no bound
	// VersionSet takes the changes of all assets that are versions of the same thing.
	VersionSet bool
	Diffs      bool // tell what changed in the aspects, too
}

// Limits of one answer.
const (
	MaxVersions = 200    // of an aspect; the newest are compared
	maxEvents   = 50_000 // in the time asked for
	maxMembers  = 100    // of a version set
)

// Reader reads versions of aspects, as catalog.Service does.
type Reader interface {
	History(ctx context.Context, u urn.URN, aspect string, limit int) iter.Seq2[catalog.Aspect, error]
	Aspect(ctx context.Context, u urn.URN, aspect string, version int64, form catalog.Disclosure) (catalog.Aspect, error)
	Permit(ctx context.Context, checks ...auth.Check) error
}

// Relations lists the relationships of an entity, as discover.Service does.
type Relations interface {
	Relationships(ctx context.Context, q discover.RelationshipQuery) (graph.Page, error)
}

// Service tells timelines. It is safe for concurrent use.
type Service struct {
	registry  *model.Registry
	aspects   Reader
	relations Relations
	reserve   Reserve
}

// New makes a Service. Reserve is nil for no bound of memory.
func New(registry *model.Registry, aspects Reader, relations Relations, reserve Reserve) *Service {
	return &Service{registry: registry, aspects: aspects, relations: relations, reserve: reserve}
}

// Timeline tells what changed. The actor in ctx must be allowed to read the
// entity. One that does not exist has an empty timeline. Too many changes for
// one answer, and versions that take too much memory, are fault.TooLarge; without room in
// memory it is fault.Unavailable.
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
	events, memory := 0, &room{reserve: s.reserve}
	for _, member := range members {
		q.URN = member
		told, err := s.tell(ctx, q, &events, memory)
		if err != nil {
			return Timeline{}, err
		}
		out.Skipped += told.Skipped
		out.Transactions = append(out.Transactions, told.Transactions...)
	}
	slices.SortStableFunc(out.Transactions, func(a, b Transaction) int { return cmp.Compare(a.Time, b.Time) })
	return out, nil
}

// tell is the timeline of one entity.
func (s *Service) tell(ctx context.Context, q Query, events *int, memory *room) (Timeline, error) {
	entity, ok := s.registry.Entity(q.URN.Type())
	if !ok {
		return Timeline{}, fault.New(fault.Malformed, "urn: %s is of no type that is known", q.URN)
	}
	w := walk{query: q, events: events, memory: memory}
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
	if w.others, err = s.versionsBeside(ctx, q.URN, entity, compared); err != nil {
		return Timeline{}, err
	}
	return Timeline{Transactions: w.transactions(), Skipped: w.skipped}, nil
}

const versionAspect = "versionProperties"

// members are the assets in the version set of an entity, the entity alone when
// it is in none.
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
