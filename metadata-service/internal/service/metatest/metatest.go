// Package metatest keeps metadata tests and evaluates them: which assets a test
// is about, which of these pass, and what is done then.
package metatest

import (
	"context"
	"log/slog"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/search/document"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of tests.
const EntityType = "test"

const (
	infoAspect    = "testInfo"
	resultsAspect = language.ResultsAspect
	maxID         = 200
)

// Config is what a Service works with. All fields but Selector, Webhooks,
// Pacer and Tasks are required.
type Config struct {
	Edit *edit.Editor
	// Reader reads the latest aspects of entities as they are stored.
	Reader    document.Reader
	Graph     graph.Reader
	Documents timeseries.Store
	// Selector decides what is indexed about whole entity types. Without one all is decided
	// asset by asset.
	Selector search.Selector
	// Webhooks posts what actions tell other machines. Without one no host is allowed.
	Webhooks *webhook.Sender
	// Pacer makes evaluations on change give way to writers. Without one they do not.
	Pacer *Pacer
	// Tasks carries out runs; New registers their kind. Without it there are none.
	Tasks *task.Manager
	Log   *slog.Logger
}

// Service keeps and evaluates tests. It is safe for concurrent use.
type Service struct {
	Config
	builder *document.Builder
	kinds   map[string]map[string]search.Kind // of search fields, by entity type
	known   definitions
	// readTypes are the entity types that rules may read.
	readTypes []string

	programs *language.Programs // of all tests
}

// New makes a Service.
func New(c Config) *Service {
	if c.Webhooks == nil {
		c.Webhooks = webhook.New(webhook.Config{})
	}
	s := &Service{
		Config: c, builder: document.NewBuilder(c.Edit.Registry, c.Reader), kinds: map[string]map[string]search.Kind{},
		programs: language.NewPrograms(language.MaxPrograms), readTypes: language.ReadTypes(c.Edit.Registry),
	}
	for _, schema := range document.Schemas(c.Edit.Registry) {
		of := make(map[string]search.Kind, len(schema.Fields))
		for _, f := range schema.Fields {
			of[f.Name] = f.Kind
		}
		s.kinds[schema.EntityType] = of
	}
	if c.Tasks != nil {
		c.Tasks.Register(s.taskKinds()...)
	}
	return s
}

// Info is what people say of a test.
type Info struct {
	Name, Category string
	Description    *string
	// Definition is JSON or YAML of package metatest. Empty, or an empty object, is a draft:
	// it selects nothing.
	Definition string
}

// Create makes a test with an id, a random one when it is empty. It needs
// auth.ManageTests, as Update and Delete do. A definition with problems is
// refused with a *metatest.Error.
func (s *Service) Create(ctx context.Context, id string, in Info) (urn.URN, error) {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return "", err
	}
	value, err := s.value(ctx, in)
	if err != nil {
		return "", err
	}
	if err := edit.Text("id", id, maxID, false); err != nil {
		return "", err
	}
	u, err := s.Edit.NewURN(ctx, "Test", EntityType, id)
	if err != nil {
		return "", err
	}
	_, err = s.Edit.Apply(ctx, decided, edit.Set(u, infoAspect, value))
	return u, err
}

// Update replaces what is said of a test, and makes it when it is not there.
func (s *Service) Update(ctx context.Context, u urn.URN, in Info) error {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return err
	}
	value, err := s.value(ctx, in)
	if err != nil {
		return err
	}
	_, err = s.Edit.Apply(ctx, decided, edit.Set(u, infoAspect, value))
	return err
}

// Delete removes a test for good. Its results are removed from assets afterwards, by
// a task that OnChange starts. What its actions did stays.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return err
	}
	_, err = s.Edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// MayList refuses those who may neither see nor manage tests.
func (s *Service) MayList(ctx context.Context) error {
	_, err := s.Edit.Require(ctx, auth.ManageTests, auth.ViewTests)
	return err
}

// MayManage refuses those who may not manage tests.
func (s *Service) MayManage(ctx context.Context) error {
	_, err := s.Edit.Require(ctx, auth.ManageTests)
	return err
}

// value checks what is said of a test and makes the aspect of it.
func (s *Service) value(ctx context.Context, in Info) (jsontree.Object, error) {
	if err := edit.Text("name", in.Name, edit.MaxName, true); err != nil {
		return nil, err
	}
	if err := edit.Text("category", in.Category, edit.MaxName, true); err != nil {
		return nil, err
	}
	value := jsontree.Object{"name": in.Name, "category": in.Category}
	if in.Description != nil {
		if err := edit.Text("description", *in.Description, edit.MaxText, false); err != nil {
			return nil, err
		}
		value["description"] = *in.Description
	}
	if err := s.Validate(ctx, in.Definition); err != nil {
		return nil, err
	}
	value["definition"] = jsontree.Object{"type": "JSON", "json": in.Definition}
	return value, nil
}

// Validate tells what is wrong with a definition: all problems that the language
// finds, entities named by actions that are not there, and webhooks to hosts that
// are not allowed. The error is a
// *metatest.Error. A draft is in order.
func (s *Service) Validate(ctx context.Context, definition string) error {
	if language.IsDraft(definition) {
		return nil
	}
	test, err := language.Parse(ctx, s.Edit.Registry, s.programs, []byte(definition))
	if err != nil {
		return err
	}
	return s.checkActions(ctx, test)
}

// checkActions refuses actions that could not be carried out.
func (s *Service) checkActions(ctx context.Context, test *language.Test) error {
	problems, err := s.missingEntities(ctx, test)
	if err != nil {
		return err
	}
	for at, address := range test.Addresses() {
		if err := s.Webhooks.Allowed(address); err != nil {
			problems = append(problems, language.Problem{Path: at, Message: fault.Message(err)})
		}
	}
	if len(problems) == 0 {
		return nil
	}
	slices.SortFunc(problems, func(a, b language.Problem) int { return strings.Compare(a.Path, b.Path) })
	return &language.Error{Problems: problems}
}

// missingEntities are the entities named by actions that are not there.
func (s *Service) missingEntities(ctx context.Context, test *language.Test) (problems []language.Problem, err error) {
	named := test.Entities()
	var urns []urn.URN
	for _, u := range named {
		if !slices.Contains(urns, u) {
			urns = append(urns, u)
		}
	}
	if len(urns) == 0 {
		return nil, nil
	}
	there, err := s.Edit.Catalog.StoredEntities(ctx, urns...)
	if err != nil {
		return nil, err
	}
	for at, u := range named {
		if !there[slices.Index(urns, u)] {
			problems = append(problems, language.Problem{Path: at, Message: string(u) + " does not exist"})
		}
	}
	return problems, nil
}

// parse reads the definition of a stored test; nil for a draft. The error is a
// *metatest.Error, or that of ctx.
func (s *Service) parse(ctx context.Context, rec *model.Record) (*language.Test, error) {
	info, err := jsontree.DecodeObject(rec.Value)
	if err != nil {
		return nil, &language.Error{Problems: []language.Problem{{Path: "definition", Message: "cannot be read: " + err.Error()}}}
	}
	definition := jsontree.Text(jsontree.Child(info, "definition"), "json")
	if language.IsDraft(definition) {
		return nil, nil
	}
	return language.Parse(ctx, s.Edit.Registry, s.programs, []byte(definition))
}

// notFound says that an entity is not there.
func notFound(what string, u urn.URN) error {
	return fault.New(fault.NotFound, "%s %s does not exist", what, u)
}
