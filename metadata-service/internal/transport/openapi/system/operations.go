package system

import (
	"net/http"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
)

// Parameters of several operations.
var (
	typesParam    = spec.NewParam("types", spec.KindList, "", "Entity types, repeated or separated by commas; all when absent.")
	totalParam    = spec.NewParam("includeTotal", spec.KindFlag, "false", "Add the sum.")
	traceDetailed = spec.NewParam("detailed", spec.KindFlag, "false", "Also report each error as an exception with all details.")
	traceCache    = spec.NewParam("skipCache", spec.KindFlag, "false", "Taken for clients that send it: nothing is cached.")
	errorsOnly    = spec.NewParam("onlyIncludeErrors", spec.KindFlag, "true", "Leave out successful writes.")
)

// Endpoints is the table of the endpoints of this package.
func (a *API) Endpoints() []endpoint.Endpoint {
	return slices.Concat(
		a.reportOperations(), a.timelineOperations(), a.registryOperations(), a.messagingOperations(), a.indexOperations(), a.accessOperations(), a.serviceOperations(),
		a.auditOperations(), a.eventOperations(), a.webhookOperations(), a.openLineageOperations(), a.documentOperations(),
	)
}

func (a *API) reportOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.counts, Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/entities/counts", Summary: "Count entities by type",
			Query: []spec.Param{typesParam, totalParam}, Answer: spec.AnyObject}},
		{Handle: a.countType, Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/entities/{type}/count", Summary: "Count the entities of a type", Answer: spec.AnyObject}},
		{Handle: a.traceWrite, Operation: spec.Operation{Method: http.MethodPost, Path: "/v1/trace/write/{traceId}", Summary: "Report the results of the writes of a request",
			Query: []spec.Param{errorsOnly, traceDetailed, traceCache}, Body: spec.AnyObject, Answer: spec.AnyObject}},
	}
	return endpoint.InGroup(list, spec.GroupV1, "Counts and traces")
}

func (a *API) registryOperations() []endpoint.Endpoint {
	const models, lineage = "/v1/registry/models", "/v1/registry/lineage"
	paged := []spec.Param{endpoint.StartParam, endpoint.CountParam}
	list := []endpoint.Endpoint{
		{Handle: a.requireManage(a.entitySpecifications), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/entity/specifications", Summary: "List entity types", Query: paged, Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.entitySpecification), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/entity/specifications/{name}", Summary: "Read an entity type", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.entityAspects), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/entity/specifications/{name}/aspects", Summary: "List the aspects of an entity type", Answer: spec.ListOf(spec.AnyObject)}},
		{Handle: a.requireManage(a.aspectSpecifications), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/aspect/specifications", Summary: "List aspects", Query: paged, Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.aspectSpecification), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/aspect/specifications/{name}", Summary: "Read the specification of an aspect in the registry", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.eventSpecifications), Operation: spec.Operation{Method: http.MethodGet, Path: models + "/event/specifications", Summary: "List events of the model; there are none", Query: paged, Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.lineageSpecifications), Operation: spec.Operation{Method: http.MethodGet, Path: lineage + "/specifications", Summary: "List the relationships that make lineage, by entity type", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.lineageSpecification), Operation: spec.Operation{Method: http.MethodGet, Path: lineage + "/specifications/{name}", Summary: "List the relationships that make lineage of an entity type", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.lineageEdgesOf), Operation: spec.Operation{Method: http.MethodGet, Path: lineage + "/edges/{name}", Summary: "List the lineage edges an entity type can have", Answer: spec.ListOf(spec.AnyObject)}},
		{Handle: a.requireManage(a.lineageEdgesOf), Operation: spec.Operation{Method: http.MethodGet, Path: lineage + "/edges/{name}/{direction}", Summary: "List the lineage edges an entity type can have in a direction", Answer: spec.ListOf(spec.AnyObject)}},
	}
	return endpoint.InGroup(list, spec.GroupV1, "Registry")
}

func (a *API) messagingOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.requireStatus(a.messagingTransport), Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/messaging/transport", Summary: "Name the topics of the change log", Answer: spec.AnyObject}},
		{Handle: a.requireStatus(a.consumerLag), Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/messaging/{stream}/consumer/lag",
			Summary: "Report the positions of the followers of a stream: mcp, mcl, mcl-timeseries or usage-events", Answer: spec.AnyObject}},
		{Handle: a.requireStatus(a.consumerOffsets), Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/kafka/{stream}/consumer/offsets",
			Summary: "The older form of the consumer lag", Answer: spec.AnyObject}},
	}
	return endpoint.InGroup(list, spec.GroupOperations, "Messaging")
}

func (a *API) serviceOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.whoAmI, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/identity/user/urn", Summary: "Return the URN of the actor", Answer: spec.AnyObject}},
		{Handle: a.featureFlags, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/dev/featureFlags", Summary: "List feature flags, without signing in", Answer: spec.AnyObject}},
		{Handle: a.featureFlag, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/dev/featureFlags/{name}", Summary: "Read a feature flag, without signing in", Answer: spec.AnyObject}},
		{Handle: a.throttles, Operation: spec.Operation{Method: http.MethodGet, Path: "/operations/throttle/requests", Summary: "Tell whether writes of programs are throttled", Answer: spec.AnyObject}},
		{Handle: a.throttle, Operation: spec.Operation{Method: http.MethodPost, Path: "/operations/throttle/requests/manual", Summary: "Throttle writes of programs, or no longer",
			Query: []spec.Param{spec.NewParam("enabled", spec.KindFlag, "", "Whether they are to be throttled; required.")}, Answer: spec.AnyObject}},
		{Handle: a.track, Operation: spec.Operation{Method: http.MethodPost, Path: "/v1/tracking/track", Summary: "Take a usage event of the web client", Body: spec.AnyObject}},
		{Handle: a.requireManage(a.systemInfo), Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/system-info", Summary: "Describe the running service", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.systemComponents), Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/system-info/spring-components", Summary: "List the parts of the service", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.systemProperties), Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/system-info/properties", Summary: "Show the configuration and the process", Answer: spec.AnyObject}},
		{Handle: a.requireManage(a.simpleProperties), Operation: spec.Operation{Method: http.MethodGet, Path: "/v1/system-info/properties/simple", Summary: "Show the configuration", Answer: spec.AnyObject}},
	}
	return endpoint.InGroup(list, spec.GroupOperations, "Service")
}

func (a *API) documentOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.serveRootDocument, Operation: spec.Operation{Method: http.MethodGet, Path: "/v3/api-docs", Summary: "Describe the third generation of the interface", Answer: spec.AnyObject}},
		{Handle: a.swaggerConfig, Operation: spec.Operation{Method: http.MethodGet, Path: "/v3/api-docs/swagger-config", Summary: "List the documents", Answer: spec.AnyObject}},
		{Handle: a.serveDocument, Operation: spec.Operation{Method: http.MethodGet, Path: "/v3/api-docs/{group}", Summary: "Read a document", Answer: spec.AnyObject}},
		{Handle: a.serveTestSchema, Operation: spec.Operation{Method: http.MethodGet, Path: "/v3/metadata-test.schema.json", Summary: "Read the JSON Schema of definitions of metadata tests", Answer: spec.AnyObject, Media: []string{schemaType}}},
		{Handle: a.swaggerRedirect, Operation: spec.Operation{Method: http.MethodGet, Path: "/swagger-ui", Summary: "Go to the page that shows the documents", Status: http.StatusFound}},
		{Handle: a.swaggerFile, Operation: spec.Operation{Method: http.MethodGet, Path: "/swagger-ui/{file}", Summary: "Read a file of that page", Answer: spec.AnyText, Media: []string{"text/html", "text/css", "text/javascript", "image/png"}}},
	}
	return endpoint.InGroup(list, spec.GroupOperations, "Documents")
}
