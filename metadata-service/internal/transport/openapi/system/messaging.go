package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// Clients wait for their writes by requesting the lag of message consumers. In this service the
// change log takes the place of topics, and its followers that of consumers. Proposals and usage
// events are processed before the response, so their topics never have a lag.

const (
	transport       = "kafka" // the name that clients use for topics with offsets
	proposalTopic   = "MetadataChangeProposal_v1"
	versionedTopic  = "MetadataChangeLog_Versioned_v1"
	timeseriesTopic = "MetadataChangeLog_Timeseries_v1"
	usageTopic      = "DataHubUsageEvent_v1"

	proposalGroup = "generic-mce-consumer-job-client"
	logGroup      = "generic-mae-consumer-job-client"
	usageGroup    = "datahub-usage-event-consumer-job-client"
)

type partitionLag struct {
	Offset uint64 `json:"offset"`
	Lag    uint64 `json:"lag"`
}

type lagMetrics struct {
	Total  uint64 `json:"totalLag"`
	Max    uint64 `json:"maxLag"`
	Median uint64 `json:"medianLag"`
	Avg    uint64 `json:"avgLag"`
}

type topicLag struct {
	Metrics    lagMetrics              `json:"metrics"`
	Partitions map[string]partitionLag `json:"partitions"`
}

// groupLags is the lag by consumer group and topic.
type groupLags map[string]map[string]topicLag

// lagOf is the lag of a topic with one partition.
func lagOf(offset, lag uint64) topicLag {
	return topicLag{
		Metrics:    lagMetrics{Total: lag, Max: lag, Median: lag, Avg: lag},
		Partitions: map[string]partitionLag{"0": {Offset: offset, Lag: lag}},
	}
}

// groups lists the consumers of a stream, nil for an unknown stream.
func (a *API) groups(stream string) groupLags {
	switch stream {
	case "mcp":
		return groupLags{proposalGroup: {proposalTopic: lagOf(a.logEnd(), 0)}}
	case "usage-events":
		return groupLags{usageGroup: {usageTopic: lagOf(0, 0)}}
	case "mcl":
		return a.followers(false, versionedTopic)
	case "mcl-timeseries":
		return a.followers(true, timeseriesTopic)
	}
	return nil
}

// logEnd is the last sequence number of the change log, up to which proposals have been applied.
func (a *API) logEnd() uint64 {
	var last uint64
	for _, f := range a.Consumers.Lag() {
		last = max(last, f.Position+f.Lag)
	}
	return last
}

func (a *API) followers(timeseries bool, topic string) groupLags {
	groups := groupLags{}
	for _, f := range a.Consumers.Lag() {
		if f.Timeseries == timeseries {
			groups[logGroup+"-"+f.Name] = map[string]topicLag{topic: lagOf(f.Position, f.Lag)}
		}
	}
	return groups
}

func (a *API) consumerLag(c *endpoint.Call) error {
	groups := a.groups(c.PathParams["stream"])
	if groups == nil {
		return c.NoEndpoint()
	}
	return c.JSON(http.StatusOK, struct {
		Transport string    `json:"transport"`
		Groups    groupLags `json:"consumerGroups"`
	}{transport, groups})
}

// consumerOffsets serves the older form, which contains only the groups.
func (a *API) consumerOffsets(c *endpoint.Call) error {
	groups := a.groups(c.PathParams["stream"])
	if groups == nil {
		return c.NoEndpoint()
	}
	return c.JSON(http.StatusOK, groups)
}

func (a *API) messagingTransport(c *endpoint.Call) error {
	return c.JSON(http.StatusOK, struct {
		Transport  string `json:"transport"`
		Proposals  string `json:"metadataChangeProposalTopic"`
		Versioned  string `json:"metadataChangeLogVersionedTopic"`
		Timeseries string `json:"metadataChangeLogTimeseriesTopic"`
	}{transport, proposalTopic, versionedTopic, timeseriesTopic})
}
