package auth

import (
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/urn"
)

// Entity types with which ingestion pipelines report about themselves.
const (
	SourceType  = "dataHubIngestionSource"
	RequestType = "dataHubExecutionRequest"
)

// CLISource is the prefix of the ids of sources that represent pipelines which run without a
// schedule in the service.
const CLISource = "cli-"

// ScheduledRun is the prefix of the ids of runs that the service schedules. Such an id is derived
// from source and time, so that replicas create each run once, and no pipeline may report a run
// under one.
const ScheduledRun = "scheduled-"

// reports lists the aspects that pipelines write about themselves, by entity type.
var reports = map[string][]string{
	SourceType:  {"dataHubIngestionSourceKey", "dataHubIngestionSourceInfo"},
	RequestType: {"dataHubExecutionRequestKey", "dataHubExecutionRequestInput", "dataHubExecutionRequestResult"},
}

// Reports reports whether pipelines write the aspect about themselves without a privilege: the
// source that represents the pipeline, its runs and their results. The catalog limits such a write
// to the content of a report, unless the actor has ManageIngestion.
func Reports(on urn.URN, aspect string) bool {
	if on.Type() == SourceType && !strings.HasPrefix(on.Key(), CLISource) {
		return false
	}
	if on.Type() == RequestType && strings.HasPrefix(on.Key(), ScheduledRun) {
		return false
	}
	return slices.Contains(reports[on.Type()], aspect)
}
