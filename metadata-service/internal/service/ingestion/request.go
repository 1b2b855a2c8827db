package ingestion

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	runs "github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Values that executors expect.
const (
	taskIngest      = "RUN_INGEST"
	taskTest        = "TEST_CONNECTION"
	originSource    = "MANUAL_INGESTION_SOURCE"
	originSchedule  = "SCHEDULED_INGESTION_SOURCE"
	originTest      = "MANUAL_TEST_CONNECTION"
	signalKill      = "KILL"
	defaultExecutor = "default"
)

const maxSystem = 1000 // sources of the system

// Execute requests an execution of a source by its executor, and returns the URN of the request. It
// requires auth.ManageIngestion, or auth.ExecuteEntity on the source. A source that does not exist
// or has no recipe is fault.Malformed.
func (s *Service) Execute(ctx context.Context, source urn.URN) (urn.URN, error) {
	decided, err := s.mayManageOr(ctx, source, auth.ExecuteEntity)
	if err != nil {
		return "", err
	}
	info, err := s.edit.Stored(ctx, source, sourceInfo)
	if err != nil {
		return "", err
	}
	if info == nil {
		return "", fault.New(fault.Malformed, "ingestionSourceUrn: there is no ingestion source %s", source)
	}
	executor, args := executionOf(source, info)
	if args == nil {
		return "", fault.New(fault.Malformed, "ingestionSourceUrn: %s has no recipe", source)
	}
	return s.request(ctx, decided, taskIngest, executor, args, jsontree.Object{"type": originSource, "ingestionSource": string(source)})
}

// executionOf returns the executor and the arguments for a source; the arguments are nil if it has
// no recipe.
func executionOf(source urn.URN, info jsontree.Object) (executor string, args jsontree.Object) {
	config, _ := info["config"].(jsontree.Object)
	recipe, _ := config["recipe"].(string)
	if strings.TrimSpace(recipe) == "" {
		return "", nil
	}
	args = jsontree.Object{"recipe": withPipelineName(recipe, source)}
	if version, _ := config["version"].(string); version != "" {
		args["version"] = version
	}
	if debug, stated := config["debugMode"].(bool); stated {
		args["debug_mode"] = strconv.FormatBool(debug)
	}
	extra, _ := config["extraArgs"].(jsontree.Object)
	for key, value := range extra {
		if _, taken := args[key]; !taken {
			args[key] = value
		}
	}
	if args["debug_mode"] == nil {
		args["debug_mode"] = strconv.FormatBool(false) // clients read the argument without checking that it exists
	}
	executor, _ = config["executorId"].(string)
	return executor, args
}

// withPipelineName sets the pipeline name of a JSON recipe to the URN of the source unless it has
// one, so that runs of one source share their state. Recipes in YAML stay unchanged.
func withPipelineName(recipe string, source urn.URN) string {
	tree, err := jsontree.DecodeObject([]byte(recipe))
	if err != nil || tree["pipeline_name"] != nil {
		return recipe
	}
	tree["pipeline_name"] = string(source)
	return string(jsontree.Encode(tree))
}

// TestConnection requests a connection test of a recipe from the default executor, and returns the
// URN of the request. It requires auth.ManageIngestion.
func (s *Service) TestConnection(ctx context.Context, recipe string, version *string) (urn.URN, error) {
	decided, err := s.edit.Require(ctx, auth.ManageIngestion)
	if err != nil {
		return "", err
	}
	if err := edit.Text("recipe", recipe, maxRecipe, true); err != nil {
		return "", err
	}
	args := jsontree.Object{"recipe": recipe}
	if version != nil && *version != "" {
		if err := edit.Text("version", *version, edit.MaxName, false); err != nil {
			return "", err
		}
		args["version"] = *version
	}
	return s.request(ctx, decided, taskTest, defaultExecutor, args, jsontree.Object{"type": originTest})
}

func (s *Service) request(ctx context.Context, decided auth.Decisions, task, executor string, args, source jsontree.Object) (urn.URN, error) {
	u, err := s.edit.NewURN(ctx, "Execution Request", RequestType, "")
	if err != nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(u, requestInput, s.input(ctx, task, executor, args, source)))
	return u, err
}

// input returns the aspect from which executors read a request.
func (s *Service) input(ctx context.Context, task, executor string, args, source jsontree.Object) jsontree.Object {
	if executor == "" {
		executor = defaultExecutor
	}
	value := jsontree.Object{"task": task, "args": args, "executorId": executor, "source": source, "requestedAt": s.edit.Now().UnixMilli()}
	if who, ok := auth.ActorFrom(ctx); ok {
		value["actorUrn"] = string(who.URN)
	}
	return value
}

// Cancel requests that the executor of a request stops. It requires auth.ManageIngestion, or
// auth.ExecuteEntity on the source. A request that does not exist or belongs to another source is
// fault.Malformed.
func (s *Service) Cancel(ctx context.Context, source, request urn.URN) error {
	decided, err := s.mayManageOr(ctx, source, auth.ExecuteEntity)
	if err != nil {
		return err
	}
	input, err := s.edit.Stored(ctx, request, requestInput)
	if err != nil {
		return err
	}
	if input == nil {
		return fault.New(fault.Malformed, "executionRequestUrn: there is no execution request %s", request)
	}
	origin, _ := input["source"].(jsontree.Object)
	if origin["ingestionSource"] != string(source) {
		return fault.New(fault.Malformed, "executionRequestUrn: %s is no request of %s", request, source)
	}
	signal := jsontree.Object{"signal": signalKill, "createdAt": s.edit.Stamp(ctx)}
	if executor, _ := input["executorId"].(string); executor != "" {
		signal["executorId"] = executor
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(request, requestSignal, signal))
	return err
}

// OfSystem returns the filter for requests to execute sources of the system, or for all others.
func (s *Service) OfSystem(ctx context.Context, system bool) (search.Filter, error) {
	found, err := s.edit.Discover.Search(ctx, discover.SearchQuery{
		Types: []string{SourceType}, Filter: search.Filter{{{Field: "sourceType", Values: []string{"SYSTEM"}}}}, Facets: []string{}, Size: maxSystem,
	})
	if err != nil {
		return nil, fmt.Errorf("sources of the system: %w", err)
	}
	sources := make([]string, 0, len(found.Hits))
	for _, h := range found.Hits {
		sources = append(sources, string(h.URN))
	}
	if !system && len(sources) == 0 {
		return nil, nil
	}
	return search.Filter{{{Field: "ingestionSource", Values: sources, Negated: !system}}}, nil
}

// Rollback reverts the writes of a run, like catalog.Service.Rollback. If the run belongs to an
// execution request, it updates the status of its result: ROLLING_BACK meanwhile, then ROLLED_BACK,
// or ROLLBACK_FAILED if the rollback stopped. After a refused rollback the previous status is
// restored. It requires auth.ManageIngestion.
func (s *Service) Rollback(ctx context.Context, run string) error {
	decided, err := s.edit.Require(ctx, auth.ManageIngestion)
	if err != nil {
		return err
	}
	before, err := s.setStatus(ctx, decided, run, "ROLLING_BACK")
	if err != nil {
		return err
	}
	status := "ROLLED_BACK"
	_, failed := runs.New(s.edit.Catalog).Rollback(ctx, run, runs.Options{})
	switch {
	case errors.Is(failed, fault.Forbidden), errors.Is(failed, fault.Invalid), errors.Is(failed, fault.Malformed):
		status = before
	case failed != nil:
		status = "ROLLBACK_FAILED"
	}
	// The request may have been canceled; the outcome is recorded nevertheless.
	_, err = s.setStatus(context.WithoutCancel(ctx), decided, run, status)
	return errors.Join(failed, err)
}

// setStatus sets the status in the result of the execution request of a run, and returns the
// previous one. Executors use the id of the request as the id of the run. It does nothing for runs
// without a request or a result.
func (s *Service) setStatus(ctx context.Context, decided auth.Decisions, run, status string) (before string, err error) {
	request, err := urn.Parse(urn.TypePrefix(RequestType) + run)
	if err != nil || status == "" {
		return "", nil // of no request: the rollback itself reports the error
	}
	result, err := s.edit.Stored(ctx, request, requestResult)
	if err != nil || result == nil {
		return "", err
	}
	_, err = s.edit.Apply(ctx, decided, edit.Set(request, requestResult, jsontree.With(result, jsontree.Object{"status": status})))
	return jsontree.Text(result, "status"), err
}
