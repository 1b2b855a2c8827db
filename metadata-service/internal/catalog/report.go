package catalog

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// What the stock client writes into the reports of its pipelines.
const (
	cliExecutor = "__datahub_cli_"       // no executor has this id, so nothing runs what names it
	cliOrigin   = "CLI_INGESTION_SOURCE" // of a run
)

// Aspects in which pipelines report themselves.
const (
	sourceInfo    = "dataHubIngestionSourceInfo"
	requestInput  = "dataHubExecutionRequestInput"
	requestResult = "dataHubExecutionRequestResult"
)

// checkReport holds what pipelines write about themselves to the form of a
// report. Executors run what requests and sources say, with the rights of the
// service, so nothing but a record that none of them picks up is taken, and
// nothing that somebody else wrote is changed.
func (t *txn) checkReport(n *change) error {
	if !n.report {
		return nil
	}
	before, err := n.before()
	if err != nil {
		return err
	}
	switch n.spec.Name {
	case sourceInfo:
		if n.old != nil && sourceFlaw(before) != "" {
			return notAReport(n.item, "it is not the source of a pipeline that reports itself any more: somebody manages it")
		}
		return flawed(n.item, sourceFlaw(n.value))
	case requestInput:
		if err := t.checkReporter(n.item); err != nil {
			return err
		}
		if n.old != nil && inputFlaw(before, t.actor) != "" {
			return notAReport(n.item, "it is a request that somebody else made")
		}
		return flawed(n.item, inputFlaw(n.value, t.actor))
	case requestResult:
		if err := t.checkReporter(n.item); err != nil {
			return err
		}
		input, err := t.read(n.urn, requestInput)
		if err != nil {
			return err
		}
		// A run whose input did not arrive reports its end all the same.
		if input != nil && inputFlaw(input, t.actor) != "" {
			return notAReport(n.item, "the outcome of a request is reported by the executor that ran it")
		}
	}
	return nil
}

// checkReporter demands that the actor made the entity: runs are reported by
// the one whose pipeline it is.
func (t *txn) checkReporter(it *item) error {
	key, err := store.Latest(t.ctx, t.tx, store.Key{URN: it.urn, Aspect: it.entity.Key.Name})
	if err == nil && key != nil && key.CreatedBy != t.actor {
		err = notAReport(it, "somebody else reported this run first")
	}
	return err
}

// sourceFlaw tells what makes a source more than the report of a pipeline, ""
// when nothing does.
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

// inputFlaw tells what makes a request more than the report of a run of the
// actor's, "" when nothing does.
func inputFlaw(input model.Object, actor urn.URN) string {
	origin := jsontree.Child(input, "source")
	source, who := jsontree.Text(origin, "ingestionSource"), jsontree.Text(input, "actorUrn")
	switch {
	case jsontree.Text(input, "executorId") != cliExecutor:
		return "/executorId must be " + cliExecutor
	case jsontree.Text(origin, "type") != cliOrigin:
		return "/source/type must be " + cliOrigin
	case source != "" && !strings.HasPrefix(source, urn.TypePrefix(auth.SourceType)+auth.CLISource):
		return "/source/ingestionSource must be a source with an id that begins with " + auth.CLISource
	case who != "" && who != string(actor):
		return "/actorUrn must be " + string(actor)
	}
	return ""
}

func flawed(it *item, flaw string) error {
	if flaw == "" {
		return nil
	}
	return notAReport(it, "of a report "+flaw)
}

// notAReport refuses what is not a report of the actor's own pipeline.
func notAReport(it *item, reason string) error {
	return fault.New(fault.Forbidden, "%s of %s: unauthorized without the privilege %s, except to report a pipeline of one's own: %s",
		it.spec.Name, it.urn, auth.ManageIngestion, reason)
}
