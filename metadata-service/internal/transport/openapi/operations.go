package openapi

import (
	"net/http"
	"slices"
)

// OpenAPI documents that describe the operations.
const (
	groupV3         = "openapi-v3"
	groupV2         = "openapi-v2"
	groupV1         = "openapi-v1"
	groupOperations = "operations"
)

// operations is the table of all endpoints.
func (a *API) operations() []operation {
	return slices.Concat(
		a.entityOperations(), a.genericOperations(), a.relationshipOperations(), a.versioningOperations(), a.secondGeneration(), a.firstGeneration(),
		a.logicalOperations(), a.timelineOperations(), a.registryOperations(), a.messagingOperations(), a.indexOperations(), a.accessOperations(), a.serviceOperations(), a.auditOperations(), a.eventOperations(), a.webhookOperations(), a.openLineageOperations(), a.documentOperations(),
	)
}

func (a *API) entityOperations() []operation {
	e := entities{API: a, shape: shapeV3}
	const collection, one, aspect = "/v3/entity/{type}", "/v3/entity/{type}/{urn}", "/v3/entity/{type}/{urn}/{aspect}"
	list := []operation{
		{method: http.MethodGet, path: collection, handle: e.list, summary: "List entities in the order of their URNs",
			query: pageParams, answer: entityPage},
		{method: http.MethodPost, path: collection, handle: e.post, conditional: true, summary: "Write aspects of entities, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: listOf(entitySchema), answer: listOf(entitySchema), otherAnswer: answer{http.StatusOK, listOf(entitySchema)}, status: http.StatusAccepted},
		{method: http.MethodPatch, path: collection, handle: e.patch, conditional: true, summary: "Patch aspects of entities, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: listOf(patchedEntity), otherAnswer: answer{http.StatusOK, listOf(entitySchema)}, status: http.StatusAccepted},
		{method: http.MethodPost, path: collection + "/batchGet", handle: e.batchGet, summary: "Read entities, with chosen aspects and versions",
			query: []param{withSystem}, body: listOf(entityRequestSchema), answer: listOf(entitySchema)},
		{method: http.MethodGet, path: one, handle: e.get, summary: "Read an entity",
			query: []param{aspectsParam, withSystem}, answer: entitySchema},
		{method: http.MethodHead, path: one, handle: e.head, summary: "Tell whether an entity exists",
			query: []param{softDeleted}, status: http.StatusNoContent},
		{method: http.MethodDelete, path: one, handle: e.delete, summary: "Delete an entity, or some of its aspects, for good",
			query: []param{aspectsParam, clearParam}, answer: emptyList},
		{method: http.MethodGet, path: aspect, handle: e.getAspect, summary: "Read an aspect",
			query: []param{versionParam, withSystem}, answer: aspectSchema},
		{method: http.MethodHead, path: aspect, handle: e.headAspect, summary: "Tell whether an aspect exists",
			query: []param{softDeleted}, status: http.StatusNoContent},
		{method: http.MethodPost, path: aspect, handle: e.postAspect, conditional: true, summary: "Write an aspect; it must be absent unless createIfNotExists=false",
			query: []param{asyncOff, withSystem, createAspect, createEntity}, body: aspectSchema, answer: entitySchema, otherAnswer: answer{http.StatusAccepted, entitySchema}},
		{method: http.MethodPatch, path: aspect, handle: e.patchAspect, conditional: true, summary: "Patch an aspect",
			query: []param{asyncIgnored, withSystem}, body: patchSchema, answer: entitySchema},
		{method: http.MethodDelete, path: aspect, handle: e.deleteAspect, summary: "Delete an aspect; of a time-series aspect the newest document",
			answer: emptyList},
	}
	return withGroup(list, groupV3, "Entities")
}

func (a *API) genericOperations() []operation {
	e := entities{API: a, shape: shapeV3}
	list := []operation{
		{method: http.MethodPost, path: "/v3/entity/scroll", handle: e.scroll, summary: "List entities of several types in the order of their URNs",
			query: slices.Concat(pageParams, []param{scrollEach}), body: anyObject, answer: entityPage},
		{method: http.MethodPost, path: "/v3/entity/generic", handle: e.postGeneric, conditional: true, summary: "Write aspects of entities of several types, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: byType(entitySchema), answer: byType(entitySchema), otherAnswer: answer{http.StatusOK, byType(entitySchema)}, status: http.StatusAccepted},
		{method: http.MethodPatch, path: "/v3/entity/generic", handle: e.patchGeneric, conditional: true, summary: "Patch aspects of entities of several types, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: byType(patchedEntity), otherAnswer: answer{http.StatusOK, byType(entitySchema)}, status: http.StatusAccepted},
		{method: http.MethodPost, path: "/v3/entity/generic/batchGet", handle: e.batchGetGeneric, summary: "Read entities of several types",
			query: []param{withSystem}, body: byType(entityRequestSchema), answer: byType(entitySchema)},
	}
	return withGroup(list, groupV3, "Entities of several types")
}

func (a *API) logicalOperations() []operation {
	const path = "/v3/logical/{childUrn}/relationship/physicalInstanceOf"
	list := []operation{
		{method: http.MethodPost, path: path + "/{parentUrn}", handle: a.linkLogical, summary: "Say of which logical asset something is a physical instance",
			answer: entitySchema},
		{method: http.MethodDelete, path: path, handle: a.unlinkLogical, summary: "Take that back", answer: emptyList},
	}
	return withGroup(list, groupV3, "Logical assets")
}

func (a *API) secondGeneration() []operation {
	e := entities{API: a, shape: shapeV2}
	const collection, one, aspect = "/v2/entity/{type}", "/v2/entity/{type}/{urn}", "/v2/entity/{type}/{urn}/{aspect}"
	list := []operation{
		{method: http.MethodGet, path: collection, handle: e.list, summary: "List entities in the order of their URNs", query: pageParams, answer: anyObject},
		{method: http.MethodPost, path: collection, handle: e.post, conditional: true, summary: "Write aspects of entities, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: listOf(nestedEntity), answer: listOf(nestedEntity), otherAnswer: answer{http.StatusOK, listOf(nestedEntity)}, status: http.StatusAccepted},
		{method: http.MethodPatch, path: collection, handle: e.patch, conditional: true, summary: "Patch aspects of entities, all or nothing; 200 when async=false",
			query: []param{asyncOn, withSystem}, body: listOf(nestedEntity), otherAnswer: answer{http.StatusOK, listOf(nestedEntity)}, status: http.StatusAccepted},
		{method: http.MethodPost, path: "/v2/entity/batch/{type}", handle: e.batchRead, summary: "Read entities", body: anyObject, answer: anyObject},
		{method: http.MethodGet, path: one, handle: e.get, summary: "Read an entity; an absent one has no aspects",
			query: []param{aspectsParam, withSystem}, answer: nestedEntity},
		{method: http.MethodHead, path: one, handle: e.head, summary: "Tell whether an entity exists", query: []param{softDeleted}, status: http.StatusNoContent},
		{method: http.MethodDelete, path: one, handle: e.delete, summary: "Delete an entity, or some of its aspects, for good",
			query: []param{aspectsParam, clearParam}, answer: emptyList},
		{method: http.MethodGet, path: aspect, handle: e.getAspect, summary: "Read an aspect", query: []param{versionParam, withSystem}, answer: anyObject},
		{method: http.MethodHead, path: aspect, handle: e.headAspect, summary: "Tell whether an aspect exists", query: []param{softDeleted}, status: http.StatusNoContent},
		{method: http.MethodPost, path: aspect, handle: e.postAspect, conditional: true, summary: "Write an aspect, the body being its bare value; it must be absent unless createIfNotExists=false",
			query: []param{asyncOff, withSystem, createAspect, createEntity}, body: anyObject, answer: nestedEntity, otherAnswer: answer{http.StatusAccepted, nestedEntity}},
		{method: http.MethodPatch, path: aspect, handle: e.patchAspect, conditional: true, summary: "Patch an aspect", query: []param{asyncIgnored, withSystem}, body: patchSchema, answer: nestedEntity},
		{method: http.MethodDelete, path: aspect, handle: e.deleteAspect, summary: "Delete an aspect; of a time-series aspect the newest document", answer: emptyList},
	}
	more := []operation{
		{method: http.MethodPost, path: "/v2/platform/entities/v1", handle: a.platformPost, conditional: true, summary: "Carry out change proposals, all or nothing; 200 when nothing changed",
			query: []param{asyncUnmet}, body: listOf(anyObject), answer: listOf(textSchema), otherAnswer: answer{http.StatusOK, emptyList}, status: http.StatusCreated, rejectedStatus: http.StatusUnprocessableEntity},
		{method: http.MethodGet, path: "/v2/timeseries/{type}/{aspect}", handle: a.timeseries, summary: "List documents of a time-series aspect, newest first",
			query: []param{countParam, scrollParam, withSystem, startMillis, endMillis}, answer: anyObject},
	}
	return slices.Concat(withGroup(list, groupV2, "Entities"), withGroup(more, groupV2, "Proposals and documents"))
}

func (a *API) firstGeneration() []operation {
	list := []operation{
		{method: http.MethodGet, path: "/entities/v1/latest", handle: a.legacyLatest, summary: "Read entities; parameters are repeated, a comma separates nothing",
			query: []param{urnsParam, aspectNamesParam}, answer: anyObject},
		{method: http.MethodPost, path: "/entities/v1", handle: a.legacyPost, conditional: true, summary: "Write aspects, all or nothing; 200 when nothing changed",
			query: []param{asyncIgnored, createAspectOff, createEntityOld}, body: listOf(anyObject), answer: listOf(textSchema), otherAnswer: answer{http.StatusOK, emptyList},
			status: http.StatusCreated, rejectedStatus: http.StatusUnprocessableEntity},
		{method: http.MethodDelete, path: "/entities/v1", handle: a.legacyDelete, summary: "Delete entities, softly unless soft=false",
			query: []param{urnsParam, softParam}, answer: listOf(anyObject)},
	}
	more := []operation{
		{method: http.MethodGet, path: "/v1/entities/counts", handle: a.counts, summary: "Count entities by type",
			query: []param{typesParam, totalParam}, answer: anyObject},
		{method: http.MethodGet, path: "/v1/entities/{type}/count", handle: a.countType, summary: "Count the entities of a type", answer: anyObject},
		{method: http.MethodPost, path: "/v1/trace/write/{traceId}", handle: a.traceWrite, summary: "Report the results of the writes of a request",
			query: []param{errorsOnly, traceDetailed, traceCache}, body: anyObject, answer: anyObject},
	}
	return slices.Concat(withGroup(list, groupV1, "Entities"), withGroup(more, groupV1, "Counts and traces"))
}

func (a *API) registryOperations() []operation {
	const models, lineage = "/v1/registry/models", "/v1/registry/lineage"
	paged := []param{startParam, countParam}
	list := []operation{
		{method: http.MethodGet, path: models + "/entity/specifications", handle: a.requireManage(a.entitySpecifications), summary: "List entity types", query: paged, answer: anyObject},
		{method: http.MethodGet, path: models + "/entity/specifications/{name}", handle: a.requireManage(a.entitySpecification), summary: "Read an entity type", answer: anyObject},
		{method: http.MethodGet, path: models + "/entity/specifications/{name}/aspects", handle: a.requireManage(a.entityAspects), summary: "List the aspects of an entity type", answer: listOf(anyObject)},
		{method: http.MethodGet, path: models + "/aspect/specifications", handle: a.requireManage(a.aspectSpecifications), summary: "List aspects", query: paged, answer: anyObject},
		{method: http.MethodGet, path: models + "/aspect/specifications/{name}", handle: a.requireManage(a.aspectSpecification), summary: "Read the specification of an aspect in the registry", answer: anyObject},
		{method: http.MethodGet, path: models + "/event/specifications", handle: a.requireManage(a.eventSpecifications), summary: "List events of the model; there are none", query: paged, answer: anyObject},
		{method: http.MethodGet, path: lineage + "/specifications", handle: a.requireManage(a.lineageSpecifications), summary: "List the relationships that make lineage, by entity type", answer: anyObject},
		{method: http.MethodGet, path: lineage + "/specifications/{name}", handle: a.requireManage(a.lineageSpecification), summary: "List the relationships that make lineage of an entity type", answer: anyObject},
		{method: http.MethodGet, path: lineage + "/edges/{name}", handle: a.requireManage(a.lineageEdgesOf), summary: "List the lineage edges an entity type can have", answer: listOf(anyObject)},
		{method: http.MethodGet, path: lineage + "/edges/{name}/{direction}", handle: a.requireManage(a.lineageEdgesOf), summary: "List the lineage edges an entity type can have in a direction", answer: listOf(anyObject)},
	}
	return withGroup(list, groupV1, "Registry")
}

func (a *API) messagingOperations() []operation {
	list := []operation{
		{method: http.MethodGet, path: "/operations/messaging/transport", handle: a.requireStatus(a.messagingTransport), summary: "Name the topics of the change log", answer: anyObject},
		{method: http.MethodGet, path: "/operations/messaging/{stream}/consumer/lag", handle: a.requireStatus(a.consumerLag),
			summary: "Report the positions of the followers of a stream: mcp, mcl, mcl-timeseries or usage-events", answer: anyObject},
		{method: http.MethodGet, path: "/operations/kafka/{stream}/consumer/offsets", handle: a.requireStatus(a.consumerOffsets),
			summary: "The older form of the consumer lag", answer: anyObject},
	}
	return withGroup(list, groupOperations, "Messaging")
}

func (a *API) serviceOperations() []operation {
	list := []operation{
		{method: http.MethodGet, path: "/operations/identity/user/urn", handle: a.whoAmI, summary: "Return the URN of the actor", answer: anyObject},
		{method: http.MethodGet, path: "/operations/dev/featureFlags", handle: a.featureFlags, summary: "List feature flags, without signing in", answer: anyObject},
		{method: http.MethodGet, path: "/operations/dev/featureFlags/{name}", handle: a.featureFlag, summary: "Read a feature flag, without signing in", answer: anyObject},
		{method: http.MethodGet, path: "/operations/throttle/requests", handle: a.throttles, summary: "Tell whether writes of programs are throttled", answer: anyObject},
		{method: http.MethodPost, path: "/operations/throttle/requests/manual", handle: a.throttle, summary: "Throttle writes of programs, or no longer",
			query: []param{{"enabled", kindFlag, "", "Whether they are to be throttled; required."}}, answer: anyObject},
		{method: http.MethodPost, path: "/v1/tracking/track", handle: a.track, summary: "Take a usage event of the web client", body: anyObject},
		{method: http.MethodGet, path: "/v1/system-info", handle: a.requireManage(a.systemInfo), summary: "Describe the running service", answer: anyObject},
		{method: http.MethodGet, path: "/v1/system-info/spring-components", handle: a.requireManage(a.systemComponents), summary: "List the parts of the service", answer: anyObject},
		{method: http.MethodGet, path: "/v1/system-info/properties", handle: a.requireManage(a.systemProperties), summary: "Show the configuration and the process", answer: anyObject},
		{method: http.MethodGet, path: "/v1/system-info/properties/simple", handle: a.requireManage(a.simpleProperties), summary: "Show the configuration", answer: anyObject},
	}
	return withGroup(list, groupOperations, "Service")
}

func (a *API) documentOperations() []operation {
	list := []operation{
		{method: http.MethodGet, path: "/v3/api-docs", handle: a.serveRootDocument, summary: "Describe the third generation of the interface", answer: anyObject},
		{method: http.MethodGet, path: "/v3/api-docs/swagger-config", handle: a.swaggerConfig, summary: "List the documents", answer: anyObject},
		{method: http.MethodGet, path: "/v3/api-docs/{group}", handle: a.serveDocument, summary: "Read a document", answer: anyObject},
		{method: http.MethodGet, path: "/v3/metadata-test.schema.json", handle: a.serveTestSchema, summary: "Read the JSON Schema of definitions of metadata tests", answer: anyObject, media: []string{schemaType}},
		{method: http.MethodGet, path: "/swagger-ui", handle: a.swaggerRedirect, summary: "Go to the page that shows the documents", status: http.StatusFound},
		{method: http.MethodGet, path: "/swagger-ui/{file}", handle: a.swaggerFile, summary: "Read a file of that page", answer: fileContent, media: []string{"text/html", "text/css", "text/javascript", "image/png"}},
	}
	return withGroup(list, groupOperations, "Documents")
}

func withGroup(list []operation, group, tag string) []operation {
	for i := range list {
		list[i].group, list[i].tag = group, tag
	}
	return list
}
