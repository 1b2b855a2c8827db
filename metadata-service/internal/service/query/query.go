// Package query stores queries that users save with the datasets that they read.
package query

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of queries.
const EntityType = "query"

const (
	properties = "queryProperties"
	subjects   = "querySubjects"
)

// maxSubjects is the maximum number of datasets of a query.
const maxSubjects = 100

// Service stores queries. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Statement is the text of a query.
type Statement struct{ Text, Language string }

// Draft describes a query to create.
type Draft struct {
	Name, Description *string
	Statement         Statement
	Datasets          []string // the datasets that it reads; at least one
}

// Update holds the changes of a query; nil members stay unchanged.
type Update struct {
	Name, Description *string
	Statement         *Statement
	Datasets          *[]string
}

// Create creates a query. It requires auth.EditQueries on each dataset, which must exist.
func (s *Service) Create(ctx context.Context, d Draft) (urn.URN, error) {
	datasets, decided, err := s.datasets(ctx, d.Datasets)
	if err != nil {
		return "", err
	}
	if err := check(d.Name, d.Description, &d.Statement); err != nil {
		return "", err
	}
	u, err := s.edit.NewURN(ctx, "Query", EntityType, "")
	if err != nil {
		return "", err
	}
	value := jsontree.Object{"source": "MANUAL", "created": s.edit.Stamp(ctx)}
	s.fill(ctx, value, d.Name, d.Description, &d.Statement)
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, properties, value), edit.Set(u, subjects, about(datasets)))
	return u, err
}

// Update changes a query. It requires auth.EditQueries on each current and each new dataset of the
// query. A query that does not exist is fault.NotFound.
func (s *Service) Update(ctx context.Context, u urn.URN, up Update) error {
	there, decided, err := s.mayChange(ctx, u)
	if err != nil {
		return err
	}
	if !there {
		return fault.New(fault.NotFound, "query does not exist: %s", u)
	}
	var changes []edit.Change
	if up.Datasets != nil {
		datasets, _, err := s.datasets(ctx, *up.Datasets)
		if err != nil {
			return err
		}
		changes = append(changes, edit.Set(u, subjects, about(datasets)))
	}
	if err := check(up.Name, up.Description, up.Statement); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, append(changes, edit.Change{URN: u, Aspect: properties, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		if value == nil {
			return nil, fault.New(fault.NotFound, "query does not exist: %s", u)
		}
		s.fill(ctx, value, up.Name, up.Description, up.Statement)
		return value, nil
	}})...)
	return err
}

// Delete deletes a query permanently. It requires auth.EditQueries on each dataset of the query. A
// query that does not exist is not an error.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	there, decided, err := s.mayChange(ctx, u)
	if err != nil || !there {
		return err
	}
	return s.edit.Delete(ctx, decided, u)
}

// mayChange decides the privilege to change a query, and reports whether the query exists.
func (s *Service) mayChange(ctx context.Context, u urn.URN) (there bool, decided auth.Decisions, err error) {
	if _, err := edit.Actor(ctx); err != nil {
		return false, nil, err
	}
	over := auth.Over(u, auth.EditQueries, auth.EditEntity)
	value, err := s.edit.Stored(ctx, u, properties)
	if err != nil {
		return false, nil, err
	}
	if value == nil {
		return false, nil, s.edit.RefuseHidden(ctx, u, over)
	}
	named, err := s.edit.Stored(ctx, u, subjects)
	if err != nil {
		return false, nil, err
	}
	var datasets []urn.URN
	for _, subject := range jsontree.Children(named, "subjects") {
		datasets = append(datasets, dataset(urn.URN(jsontree.Text(subject, "entity"))))
	}
	if len(datasets) == 0 {
		decided, err = s.edit.Decide(ctx, over)
		return true, decided, err
	}
	decided, err = s.edit.RequireEach(ctx, datasets, auth.EditQueries, auth.EditEntity)
	return true, decided, s.edit.Refusal(ctx, u, err, over)
}

// dataset returns the dataset of a subject, which may be one of its columns.
func dataset(subject urn.URN) urn.URN {
	if parent := model.ParentOfColumn(subject); parent != "" {
		return parent
	}
	return subject
}

// datasets parses the datasets of a query, and decides the privilege on them.
func (s *Service) datasets(ctx context.Context, list []string) ([]urn.URN, auth.Decisions, error) {
	switch {
	case len(list) == 0:
		return nil, nil, fault.New(fault.Malformed, "subjects: name at least one dataset")
	case len(list) > maxSubjects:
		return nil, nil, fault.New(fault.TooLarge, "subjects: %d entries, at most %d are allowed", len(list), maxSubjects)
	}
	urns, err := s.edit.ParseAll("datasetUrn", list, "dataset")
	if err != nil {
		return nil, nil, err
	}
	decided, err := s.edit.RequireEach(ctx, urns, auth.EditQueries, auth.EditEntity)
	if err != nil {
		return nil, nil, err
	}
	return urns, decided, s.edit.MustExist(ctx, "dataset", urns...)
}

func about(datasets []urn.URN) jsontree.Object {
	list := make([]any, len(datasets))
	for i, u := range datasets {
		list[i] = jsontree.Object{"entity": string(u)}
	}
	return jsontree.Object{"subjects": list}
}

func check(name, description *string, st *Statement) error {
	if err := edit.OptionalText("name", name, edit.MaxName, false); err != nil {
		return err
	}
	if err := edit.OptionalText("description", description, edit.MaxText, false); err != nil {
		return err
	}
	if st != nil {
		return edit.Text("statement", st.Text, edit.MaxText, true)
	}
	return nil
}

func (s *Service) fill(ctx context.Context, value jsontree.Object, name, description *string, st *Statement) {
	if name != nil {
		value["name"] = *name
	}
	if description != nil {
		value["description"] = *description
	}
	if st != nil {
		value["statement"] = jsontree.Object{"value": st.Text, "language": st.Language}
	}
	value["lastModified"] = s.edit.Stamp(ctx)
}
