// Package metatest stores metadata tests and evaluates them: it selects the assets of a test,
// decides which of them pass, and executes actions.
//
// There are two evaluators. The search index decides tests whose properties are all indexed, as
// sets for all assets at once; the aspects of each asset decide the others. The index also holds
// the stored results, so an evaluation of all assets compares sets and reads only assets with
// changed results. The tests of the language compare both evaluators with a naive one for random
// definitions.
//
// Results are an aspect, so dependent actions (webhooks, clean-up after a deleted test) follow the
// change log. OnChange evaluates changed assets as a background sink and rests while other clients
// write. Changes caused only by time or by other entities are found by an evaluation of all assets,
// in the order of the store. Such a run is a task and continues after a restart; its counts are
// part of its checkpoint, and its results become events of each test in a time series. An invalid
// definition is an error of its test only.
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

// Config holds the dependencies of a Service. All fields except Selector, Webhooks, Pacer and Tasks
// are required.
type Config struct {
	Edit *edit.Editor
	// Reader reads the current aspects of entities as stored, without disclosure rules.
	Reader    document.Reader
	Graph     graph.Reader
	Documents timeseries.Store
	// Selector decides conditions on indexed properties for whole entity types. Without one, every
	// asset is decided separately.
	Selector search.Selector
	// Webhooks sends the messages of webhook actions. Without one no host is allowed.
	Webhooks *webhook.Sender
	// Pacer throttles evaluations on change while others write. Without one they are not throttled.
	Pacer *Pacer
	// Tasks executes runs and cleanups; New registers their kinds. Without it neither is available.
	Tasks *task.Manager
	Log   *slog.Logger
}

// Service stores and evaluates tests. It is safe for concurrent use.
type Service struct {
	Config
	builder     *document.Builder
	kinds       map[string]map[string]search.Kind // of search fields, by entity type
	definitions definitions
	// readTypes are the entity types that rules may read.
	readTypes []string

	programs *language.Programs // shared by all tests
}

// New returns a Service and registers its task kinds.
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

// Info holds the editable properties of a test.
type Info struct {
	Name, Category string
	Description    *string
	// Definition is JSON or YAML in the language of package internal/metatest. An empty text or an
	// empty object is a draft, which selects nothing.
	Definition string
}

// Create creates a test with the given id, or a random id when it is empty. Like Update and Delete
// it requires auth.ManageTests. An invalid definition gives a *metatest.Error.
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

// Update replaces the properties of a test, and creates the test if it does not exist.
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

// Delete deletes a test permanently. A task that OnChange starts then removes its results from
// assets. Effects of its actions stay.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.Edit.Require(ctx, auth.ManageTests)
	if err != nil {
		return err
	}
	_, err = s.Edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// MayList returns an error unless the actor may view or manage tests.
func (s *Service) MayList(ctx context.Context) error {
	_, err := s.Edit.Require(ctx, auth.ManageTests, auth.ViewTests)
	return err
}

// MayManage returns an error unless the actor may manage tests.
func (s *Service) MayManage(ctx context.Context) error {
	_, err := s.Edit.Require(ctx, auth.ManageTests)
	return err
}

// value validates the properties of a test and returns them as an aspect.
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

// Validate returns the problems of a definition as a *metatest.Error: all problems that the
// language finds, or else entities of actions that do not exist and webhooks to hosts that are not
// allowed. A draft is valid.
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

// checkActions refuses actions that could not be executed.
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

// missingEntities returns a problem for each entity of an action that does not exist.
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

// parse parses the definition of a stored test, with nil for a draft. The error is a
// *metatest.Error or that of ctx.
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

// notFound returns the error for an entity that does not exist.
func notFound(what string, u urn.URN) error {
	return fault.New(fault.NotFound, "%s %s does not exist", what, u)
}
