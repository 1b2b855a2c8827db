// Package ingestion stores the input of ingestion executors: sources, which define the recipe and
// the schedule of an ingestion, and requests to execute them. Users create requests; the package
// creates them for scheduled sources. It executes nothing. An executor reads the requests, and
// writes their results into the aspect dataHubExecutionRequestResult.
package ingestion

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types of this package.
const (
	SourceType  = "dataHubIngestionSource"
	RequestType = "dataHubExecutionRequest"
)

const (
	sourceInfo    = "dataHubIngestionSourceInfo"
	requestInput  = "dataHubExecutionRequestInput"
	requestSignal = "dataHubExecutionRequestSignal"
	requestResult = "dataHubExecutionRequestResult"
)

// Limits of a source.
const (
	maxRecipe = 1 << 20 // bytes
	maxExtra  = 200     // entries
)

// Service stores sources and requests. It is safe for concurrent use.
type Service struct{ edit *edit.Editor }

// New returns a Service.
func New(e *edit.Editor) *Service { return &Service{e} }

// Source defines an ingestion.
type Source struct {
	Name     string
	Kind     string // such as mysql
	Schedule *Schedule
	Recipe   string // YAML or JSON, stored unchanged
	Version  *string
	Executor string // id of the executor
	Debug    *bool
	Extra    []Argument
	// Origin is SYSTEM for sources of the system, and empty for those of users.
	Origin string
}

// Schedule defines the times at which a source is executed.
type Schedule struct {
	Interval string // cron expression of five fields
	Timezone string // name in the IANA database
}

// Argument is a further argument that a source passes to its executor.
type Argument struct{ Key, Value string }

// Create creates a source with a random id. It requires auth.ManageIngestion, or auth.CreateEntity
// on the source.
func (s *Service) Create(ctx context.Context, src Source) (urn.URN, error) {
	u, err := s.edit.NewURN(ctx, "Ingestion Source", SourceType, "")
	if err != nil {
		return "", err
	}
	return u, s.put(ctx, u, auth.CreateEntity, src)
}

// Update replaces a source, or creates it with the given URN. It requires auth.ManageIngestion, or
// auth.EditEntity on the source.
func (s *Service) Update(ctx context.Context, u urn.URN, src Source) error {
	return s.put(ctx, u, auth.EditEntity, src)
}

func (s *Service) put(ctx context.Context, u urn.URN, p auth.Privilege, src Source) error {
	decided, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.ManageIngestion), auth.Over(u, p).ToWrite(sourceInfo))
	if err != nil {
		return err
	}
	if err := src.check(); err != nil {
		return err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Change{URN: u, Aspect: sourceInfo, Apply: func(old jsontree.Object) (jsontree.Object, error) {
		value := src.tree()
		// Callers cannot set the platform, so it is kept.
		if platform, ok := old["platform"]; ok && old["type"] == src.Kind {
			value["platform"] = platform
		}
		return value, nil
	}})
	return err
}

// Delete deletes a source permanently; requests to execute it stay. It requires
// auth.ManageIngestion, or auth.DeleteEntity on the source.
func (s *Service) Delete(ctx context.Context, u urn.URN) error {
	decided, err := s.mayManageOr(ctx, u, auth.DeleteEntity)
	if err != nil {
		return err
	}
	_, err = s.edit.Catalog.DeleteEntity(ctx, u, decided...)
	return err
}

// MayRead returns an error unless the actor in ctx may manage ingestion, or view the given source
// or request.
func (s *Service) MayRead(ctx context.Context, u urn.URN) error {
	_, err := s.edit.DecideOne(ctx, auth.ForPlatform(auth.ManageIngestion).ToRead(), auth.On(auth.OpRead, u, ""))
	return err
}

// MayManage returns an error unless the actor in ctx may manage ingestion.
func (s *Service) MayManage(ctx context.Context) error {
	_, err := s.edit.Require(ctx, auth.ManageIngestion)
	return err
}

// mayManageOr decides that the actor in ctx may manage ingestion, or has one of some privileges on
// an entity.
func (s *Service) mayManageOr(ctx context.Context, u urn.URN, oneOf ...auth.Privilege) (auth.Decisions, error) {
	return s.edit.DecideOne(ctx, auth.ForPlatform(auth.ManageIngestion), auth.Over(u, oneOf...))
}

func (src Source) check() error {
	if err := edit.Text("name", src.Name, edit.MaxName, true); err != nil {
		return err
	}
	if err := edit.Text("type", src.Kind, edit.MaxName, true); err != nil {
		return err
	}
	if err := edit.Text("config.recipe", src.Recipe, maxRecipe, true); err != nil {
		return err
	}
	if err := edit.Text("config.executorId", src.Executor, edit.MaxName, true); err != nil {
		return err
	}
	if err := edit.OptionalText("config.version", src.Version, edit.MaxName, false); err != nil {
		return err
	}
	if len(src.Extra) > maxExtra {
		return fault.New(fault.TooLarge, "config.extraArgs: %d entries, at most %d are allowed", len(src.Extra), maxExtra)
	}
	for _, a := range src.Extra {
		if err := edit.Text("config.extraArgs", a.Key, edit.MaxName, true); err != nil {
			return err
		}
		if err := edit.Text("config.extraArgs", a.Value, edit.MaxText, false); err != nil {
			return err
		}
	}
	if src.Schedule != nil {
		return src.Schedule.Check()
	}
	return nil
}

// tree returns the source in the form of its aspect.
func (src Source) tree() jsontree.Object {
	config := jsontree.Object{"recipe": src.Recipe, "executorId": src.Executor}
	if src.Version != nil {
		config["version"] = *src.Version
	}
	if src.Debug != nil {
		config["debugMode"] = *src.Debug
	}
	if src.Extra != nil {
		extra := jsontree.Object{}
		for _, a := range src.Extra {
			extra[a.Key] = a.Value
		}
		config["extraArgs"] = extra
	}
	value := jsontree.Object{"name": src.Name, "type": src.Kind, "config": config}
	if src.Schedule != nil {
		value["schedule"] = jsontree.Object{"interval": src.Schedule.Interval, "timezone": src.Schedule.Timezone}
	}
	if src.Origin != "" {
		value["source"] = jsontree.Object{"type": src.Origin}
	}
	return value
}
