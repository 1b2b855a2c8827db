// Package incident stores incidents of assets: they are raised, processed and resolved. The catalog
// maintains the summary of incidents on each asset.
package incident

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// EntityType is the entity type of incidents.
const EntityType = "incident"

const (
	infoAspect    = "incidentInfo"
	custom        = "CUSTOM"
	defaultType   = "OPERATIONAL" // default type of an incident
	defaultSource = "MANUAL"
	maxResources  = 1000
	maxAssignees  = 1000
)

// Priorities lists the names of priorities; the index is the stored number.
func Priorities() []string { return []string{"CRITICAL", "HIGH", "MEDIUM", "LOW"} }

// Service stores incidents. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Kind holds the immutable properties of an incident.
type Kind struct {
	Type       string // OPERATIONAL when empty
	CustomType string // required with the type CUSTOM
	Source     string // MANUAL when empty
}

// Content holds the mutable properties of an incident. Nil members stay unchanged.
type Content struct {
	Title, Description *string
	StartedAt          *int64 // milliseconds since 1970
	Status             *Status
	Priority           *string // one of Priorities
	Resources          *[]string
	Assignees          *[]string // URNs of users and groups
}

// Status is the progress of an incident.
type Status struct {
	State   string // ACTIVE or RESOLVED
	Stage   *string
	Message *string
}

// Raise creates an incident about at least one resource. It requires auth.EditIncidents on each;
// all must exist. Without a status the incident is active.
func (s *Service) Raise(ctx context.Context, k Kind, c Content) (urn.URN, error) {
	u := urn.Make(EntityType, uuid.NewString())
	if c.Resources == nil || len(*c.Resources) == 0 {
		return "", fault.New(fault.Malformed, "resourceUrns: an incident must be about one resource at least")
	}
	ready, decided, err := s.prepare(ctx, c)
	if err != nil {
		return "", err
	}
	value, err := s.newIncident(ctx, k)
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: infoAspect, Apply: func(jsontree.Object) (jsontree.Object, error) {
		out := jsontree.Clone(value).(jsontree.Object)
		ready(out)
		return out, nil
	}})
	return u, err
}

// newIncident returns the aspect of a new incident of a kind.
func (s *Service) newIncident(ctx context.Context, k Kind) (jsontree.Object, error) {
	if k.Type == "" {
		k.Type = defaultType
	}
	if k.Source == "" {
		k.Source = defaultSource
	}
	value := jsontree.Object{
		"type": k.Type, "source": jsontree.Object{"type": k.Source}, "created": s.edit.Stamp(ctx),
		"status": jsontree.Object{"state": "ACTIVE", "lastUpdated": s.edit.Stamp(ctx)},
	}
	if k.Type == custom {
		if err := edit.Text("customType", k.CustomType, edit.MaxName, true); err != nil {
			return nil, err
		}
		value["customType"] = k.CustomType
	}
	return value, nil
}

// Update changes an existing incident. It requires auth.EditIncidents on its current and its new
// resources. An incident that does not exist is fault.NotFound.
func (s *Service) Update(ctx context.Context, id string, c Content) error {
	return s.change(ctx, id, c, nil)
}

// Upsert changes an incident, or creates it with the given URN. It requires the same privileges as
// Update.
func (s *Service) Upsert(ctx context.Context, id string, c Content) error {
	value, err := s.newIncident(ctx, Kind{})
	if err != nil {
		return err
	}
	return s.change(ctx, id, c, value)
}

// change changes an incident. An absent one starts from base; if base is nil, it must exist.
func (s *Service) change(ctx context.Context, id string, c Content, base jsontree.Object) error {
	u, err := s.edit.Parse("urn", id, EntityType)
	if err != nil {
		return err
	}
	info, err := s.edit.Stored(ctx, u, infoAspect)
	if err != nil {
		return err
	}
	over := auth.Over(u, auth.EditIncidents, auth.EditEntity)
	if info == nil && base == nil {
		return cmp.Or(s.edit.RefuseHidden(ctx, u, over), errNotFound(u))
	}
	if base != nil {
		// The privileges for an absent incident are decided first, so that a refusal does not
		// disclose its existence.
		if _, err := s.resources(ctx, c, jsontree.Object{}); err != nil {
			return err
		}
	}
	decided, err := s.mayEdit(ctx, u, info, c)
	if err = s.edit.Refusal(ctx, u, err, over); err != nil {
		return err
	}
	if c.Resources != nil && len(*c.Resources) == 0 {
		return fault.New(fault.Malformed, "resourceUrns: an incident must be about one resource at least")
	}
	ready, more, err := s.prepare(ctx, c)
	if err != nil {
		return err
	}
	decided = append(decided, more...)
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: infoAspect, Apply: func(value jsontree.Object) (jsontree.Object, error) {
		switch {
		case value == nil && base == nil:
			return nil, errNotFound(u)
		case value == nil:
			value = jsontree.Clone(base).(jsontree.Object)
		}
		ready(value)
		return value, nil
	}})
	return err
}

func errNotFound(u urn.URN) error {
	return fault.New(fault.NotFound, "incident does not exist: %s", u)
}

// mayEdit decides the privilege on the resources of an incident, or on the incident itself if it
// exists without resources or will be created without any.
func (s *Service) mayEdit(ctx context.Context, u urn.URN, info jsontree.Object, c Content) (auth.Decisions, error) {
	var about []urn.URN
	for _, text := range jsontree.Texts(info, "entities") {
		about = append(about, urn.URN(text))
	}
	if len(about) > 0 {
		return s.mayEditResources(ctx, about)
	}
	there, err := s.edit.Exists(ctx, u)
	if err != nil {
		return nil, err
	}
	if there || c.Resources == nil || len(*c.Resources) == 0 {
		about = []urn.URN{u}
	}
	return s.mayEditResources(ctx, about)
}

func (s *Service) mayEditResources(ctx context.Context, on []urn.URN) (auth.Decisions, error) {
	return s.edit.RequireEach(ctx, on, auth.EditIncidents, auth.EditEntity)
}

// prepare validates content. It returns the function that writes it, and the decision about its
// resources.
func (s *Service) prepare(ctx context.Context, c Content) (func(value jsontree.Object), auth.Decisions, error) {
	said := jsontree.Object{}
	decided, err := s.resources(ctx, c, said)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range []func(context.Context, Content, jsontree.Object) error{s.texts, s.assignees, s.state} {
		if err := part(ctx, c, said); err != nil {
			return nil, nil, err
		}
	}
	return func(value jsontree.Object) {
		for member, v := range jsontree.Clone(said).(jsontree.Object) {
			value[member] = v
		}
	}, decided, nil
}

func (s *Service) resources(ctx context.Context, c Content, said jsontree.Object) (auth.Decisions, error) {
	if c.Resources == nil {
		return nil, nil
	}
	if len(*c.Resources) > maxResources {
		return nil, fault.New(fault.TooLarge, "resourceUrns: %d entries, at most %d are allowed", len(*c.Resources), maxResources)
	}
	urns, err := s.edit.ParseAll("resourceUrns", *c.Resources)
	if err != nil {
		return nil, err
	}
	decided, err := s.mayEditResources(ctx, urns)
	if err != nil {
		return nil, err
	}
	if err := s.edit.MustExist(ctx, "resource", urns...); err != nil {
		return nil, err
	}
	list := make([]any, 0, len(urns))
	for _, u := range urns {
		if !slices.Contains(list, any(string(u))) {
			list = append(list, string(u))
		}
	}
	said["entities"] = list
	return decided, nil
}

func (s *Service) texts(_ context.Context, c Content, said jsontree.Object) error {
	if c.Title != nil {
		if err := edit.Text("title", *c.Title, edit.MaxName, false); err != nil {
			return err
		}
		said["title"] = *c.Title
	}
	if c.Description != nil {
		if err := edit.Text("description", *c.Description, edit.MaxText, false); err != nil {
			return err
		}
		said["description"] = *c.Description
	}
	if c.StartedAt != nil {
		if *c.StartedAt < 0 {
			return fault.New(fault.Malformed, "startedAt: must not be negative, is %d", *c.StartedAt)
		}
		said["startedAt"] = *c.StartedAt
	}
	if c.Priority != nil {
		number := slices.Index(Priorities(), *c.Priority)
		if number < 0 {
			return fault.New(fault.Malformed, "priority: %.40q is not known", *c.Priority)
		}
		said["priority"] = number
	}
	return nil
}

func (s *Service) assignees(ctx context.Context, c Content, said jsontree.Object) error {
	if c.Assignees == nil {
		return nil
	}
	if len(*c.Assignees) > maxAssignees {
		return fault.New(fault.TooLarge, "assigneeUrns: %d entries, at most %d are allowed", len(*c.Assignees), maxAssignees)
	}
	urns, err := s.edit.ParseAll("assigneeUrns", *c.Assignees, "corpuser", "corpGroup")
	if err != nil {
		return err
	}
	list := make([]any, 0, len(urns))
	for _, u := range urns {
		list = append(list, jsontree.Object{"actor": string(u), "assignedAt": s.edit.Stamp(ctx)})
	}
	said["assignees"] = list
	return nil
}

func (s *Service) state(ctx context.Context, c Content, said jsontree.Object) error {
	if c.Status == nil {
		return nil
	}
	status := jsontree.Object{"state": c.Status.State, "lastUpdated": s.edit.Stamp(ctx)}
	if c.Status.Stage != nil {
		status["stage"] = *c.Status.Stage
	}
	if c.Status.Message != nil {
		if err := edit.Text("message", *c.Status.Message, edit.MaxText, false); err != nil {
			return err
		}
		status["message"] = *c.Status.Message
	}
	said["status"] = status
	return nil
}
