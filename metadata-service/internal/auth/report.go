package auth

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types under which ingestion pipelines report themselves.
const (
	SourceType  = "dataHubIngestionSource"
	RequestType = "dataHubExecutionRequest"
)

// CLISource begins the ids of the sources that stand for pipelines which nobody
// scheduled.
const CLISource = "cli-"

// ScheduledRun begins the ids of the runs that the service schedules. They are told by source and time, so that replicas
// make each run once, and nobody reports a run under one.
const ScheduledRun = "scheduled-"

// reports is the list of all that pipelines write about themselves.
var reports = map[string][]string{
	SourceType:  {"dataHubIngestionSourceKey", "dataHubIngestionSourceInfo"},
	RequestType: {"dataHubExecutionRequestKey", "dataHubExecutionRequestInput", "dataHubExecutionRequestResult"},
}

// Reports tells whether an aspect is one of those that pipelines write about
// themselves without a privilege: the source that stands for the pipeline, its
// runs and how they ended. The catalog holds such a write to what a report may
// say, unless the actor has ManageIngestion.
func Reports(on urn.URN, aspect string) bool {
	if on.Type() == SourceType && !strings.HasPrefix(on.Key(), CLISource) {
		return false
	}
	if on.Type() == RequestType && strings.HasPrefix(on.Key(), ScheduledRun) {
		return false
	}
	return slices.Contains(reports[on.Type()], aspect)
}
