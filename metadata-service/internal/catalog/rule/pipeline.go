package rule

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Values that the stock client writes into the reports of its pipelines.
const (
	cliExecutor     = "__datahub_cli_"                     // no executor has this id, so its requests never run
	cliOrigin       = "CLI_INGESTION_SOURCE"               // origin of a run
	runTask         = "RUN_INGEST"                         // task of a request that runs a source
	defaultExecutor = "default"                            // executor of a source that names none
	cliSource       = "urn:li:dataHubIngestionSource:cli-" // prefix of sources that represent unscheduled pipelines
)

// Aspects in which pipelines report themselves.
const (
	sourceInfo    = "dataHubIngestionSourceInfo"
	requestInput  = "dataHubExecutionRequestInput"
	requestResult = "dataHubExecutionRequestResult"
)

// pipelineRules restrict writes of pipelines about themselves to the form of a report, and keep
// ended executions in their final state. Executors run the content of requests and sources with the
// rights of the service. Therefore a report must be a record that no executor picks up, and a
// report must not change the data of another actor.
func pipelineRules() []Rule {
	return []Rule{
		{Name: "reported sources", Aspects: []string{sourceInfo}, Validate: checkSourceReport},
		{Name: "schedules of sources", Aspects: []string{sourceInfo}, Demands: demandSchedule, DemandedOf: ByRollback},
		{Name: "reported runs", Aspects: []string{requestInput}, Validate: checkRunReport, Demands: demandExecution},
		{Name: "reported results", Aspects: []string{requestResult}, Adjust: keepFinal, Validate: checkResultReport},
	}
}

// demandSchedule requires the right to run a source if a change sets its schedule, or the recipe of
// a scheduled source: the service runs the recipe with every secret that it names.
func demandSchedule(_ Tx, c *Change) ([]Demand, error) {
	isSame := jsontree.Equal(jsontree.Child(c.Before, "schedule"), jsontree.Child(c.After, "schedule")) && jsontree.Equal(jsontree.Child(c.Before, "config"), jsontree.Child(c.After, "config"))
	if c.After["schedule"] == nil || isSame {
		return nil, nil
	}
	return []Demand{{
		OneOf:   []auth.Check{{Operation: auth.OpExecute, Entities: []urn.URN{c.URN}}},
		Refusal: Refusal{"Doesn't have permissions to execute this Ingestion, which its schedule does"},
	}}, nil
}

// demandExecution requires the right to run the source that an execution request names, or
// MANAGE_INGESTION if it names none, because an executor runs any recipe in the request. A recipe,
// executor or task that differs from the source requires the right to change the source. A request
// in the form of a report requires neither: no executor picks it up, and an actor with more rights
// than others may report as they do.
func demandExecution(tx Tx, c *Change) ([]Demand, error) {
	source := urn.URN(jsontree.Text(jsontree.Child(c.After, "source"), "ingestionSource"))
	actor, _ := tx.Actor()
	isReport := inputFlaw(c.After, actor) == "" && (c.Before == nil || inputFlaw(c.Before, actor) == "")
	if c.AsReport || isReport || c.After == nil {
		return nil, nil
	}
	right := auth.Check{AnyOf: []auth.Privilege{auth.ManageIngestion}}
	if source != "" {
		right = auth.Check{Operation: auth.OpExecute, Entities: []urn.URN{source}}
	}
	demands := []Demand{{OneOf: []auth.Check{right}, Refusal: Refusal{"Doesn't have permissions to execute this Ingestion"}}}
	if source == "" {
		return demands, nil
	}
	info, err := tx.Value(source, sourceInfo)
	if err != nil {
		return nil, err
	}
	if !runsAsStored(c.After, jsontree.Child(info, "config")) {
		demands = append(demands, Demand{
			OneOf:   []auth.Check{{Operation: auth.OpUpdate, Entities: []urn.URN{source}}},
			Refusal: Refusal{"Doesn't have permissions to execute this Ingestion in another way than by the recipe and the executor of its source"},
		})
	}
	return demands, nil
}

// runsAsStored reports whether a request runs only the recipe of its source, with the executor of
// the source.
func runsAsStored(input, config model.Object) bool {
	if jsontree.Text(input, "task") != runTask || jsontree.Text(input, "executorId") != cmp.Or(jsontree.Text(config, "executorId"), defaultExecutor) {
		return false
	}
	args := jsontree.Child(input, "args")
	for name := range args {
		if name != "recipe" || jsontree.Text(args, name) != jsontree.Text(config, "recipe") {
			return false
		}
	}
	return true
}

func checkSourceReport(tx Tx, c *Change) error {
	if !c.AsReport {
		return nil
	}
	if c.Before != nil && sourceFlaw(c.Before) != "" {
		return notAReport(c, "it is not the source of a pipeline that reports itself any more: somebody manages it")
	}
	if flaw := sourceFlaw(c.After); flaw != "" || c.Before == nil {
		return refuseFlaw(c, flaw)
	}
	// The source belongs to the first reporter. A report of another actor changes nothing and is
	// not refused, because clients send it in one batch with other metadata.
	creator, err := tx.Creator(c.URN)
	if actor, _ := tx.Actor(); err == nil && creator != actor {
		err = ErrUnchanged
	}
	return err
}

func checkRunReport(tx Tx, c *Change) error {
	if !c.AsReport {
		return nil
	}
	if err := checkReporter(tx, c); err != nil {
		return err
	}
	actor, _ := tx.Actor()
	if c.Before != nil && inputFlaw(c.Before, actor) != "" {
		return notAReport(c, "it is a request that somebody else made")
	}
	return refuseFlaw(c, inputFlaw(c.After, actor))
}

func checkResultReport(tx Tx, c *Change) error {
	if !c.AsReport {
		return nil
	}
	if err := checkReporter(tx, c); err != nil {
		return err
	}
	input, err := tx.Value(c.URN, requestInput)
	if err != nil {
		return err
	}
	// A run may report its end even if its input did not arrive.
	if actor, _ := tx.Actor(); input != nil && inputFlaw(input, actor) != "" {
		return notAReport(c, "the outcome of a request is reported by the executor that ran it")
	}
	return nil
}

// checkReporter requires that the actor created the entity: only the owner of a
// pipeline reports its runs.
func checkReporter(tx Tx, c *Change) error {
	creator, err := tx.Creator(c.URN)
	if actor, _ := tx.Actor(); err == nil && creator != "" && creator != actor {
		err = notAReport(c, "somebody else reported this run first")
	}
	return err
}

// sourceFlaw returns the reason why a source is more than the report of a pipeline, "" if it is
// not.
func sourceFlaw(info model.Object) string {
	switch {
	case info["schedule"] != nil:
		return "/schedule must be absent"
	case jsontree.Text(jsontree.Child(info, "config"), "executorId") != cliExecutor:
		return "/config/executorId must be " + cliExecutor
	case info["source"] != nil:
		return "/source must be absent"
	}
	return ""
}

// inputFlaw returns the reason why a request is more than the report of a run of the actor, "" if
// it is not.
func inputFlaw(input model.Object, actor urn.URN) string {
	origin := jsontree.Child(input, "source")
	source, reporter := jsontree.Text(origin, "ingestionSource"), jsontree.Text(input, "actorUrn")
	switch {
	case jsontree.Text(input, "executorId") != cliExecutor:
		return "/executorId must be " + cliExecutor
	case jsontree.Text(origin, "type") != cliOrigin:
		return "/source/type must be " + cliOrigin
	case source != "" && !strings.HasPrefix(source, cliSource):
		return "/source/ingestionSource must be a source with an id that begins with " + strings.TrimPrefix(cliSource, urn.TypePrefix("dataHubIngestionSource"))
	case reporter != "" && reporter != string(actor):
		return "/actorUrn must be " + string(actor)
	}
	return ""
}

func refuseFlaw(c *Change, flaw string) error {
	if flaw == "" {
		return nil
	}
	return notAReport(c, "of a report "+flaw)
}

// notAReport returns the refusal of a write that is no report of the actor's own pipeline.
func notAReport(c *Change, reason string) error {
	return fault.New(fault.Forbidden, "%s of %s: unauthorized without the privilege MANAGE_INGESTION, except to report a pipeline of one's own: %s",
		c.Aspect.Name, c.URN, reason)
}

// finalStates are the states of ended executions.
var finalStates = []string{"ABORTED", "CANCELLED", "SUCCESS", "DUPLICATE"}

// keepFinal keeps an ended execution in its final state; it may only change to ROLLING_BACK.
// Writing the same state again changes nothing. Shortened reports keep their state.
func keepFinal(_ Tx, c *Change) error {
	if c.Derived {
		return nil
	}
	from, to := jsontree.Text(c.Before, "status"), jsontree.Text(c.After, "status")
	switch {
	case !slices.Contains(finalStates, strings.ToUpper(from)):
		return nil
	case to == from:
		return ErrUnchanged
	case strings.EqualFold(to, "ROLLING_BACK"):
		return nil
	}
	return fault.New(fault.Invalid, "dataHubExecutionRequestResult: /status :: an execution that ended as %s cannot become %s", from, to)
}
