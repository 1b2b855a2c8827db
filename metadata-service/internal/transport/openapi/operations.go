package openapi

import (
	"net/http"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
)

// Parameters of several operations.
var (
	asyncOn         = spec.NewParam("async", spec.KindFlag, "true", "Answer 202; the write is complete and visible at that moment nevertheless.")
	asyncOff        = spec.NewParam("async", spec.KindFlag, "false", "Answer 202; the write is complete and visible at that moment nevertheless.")
	asyncIgnored    = spec.NewParam("async", spec.KindFlag, "false", "Taken for clients that send it, without effect: the answer is the same.")
	asyncUnmet      = spec.NewParam("async", spec.KindFlag, "false", "Leave out proposals whose condition does not hold, and report them in the trace; otherwise all proposals are refused. The status is the same.")
	withSystem      = spec.NewParam("systemMetadata", spec.KindFlag, "false", "Include the writer, time, run and version of each aspect.")
	aspectsParam    = spec.NewParam("aspects", spec.KindList, "", "Names of aspects, repeated or separated by commas; all when absent.")
	softDeleted     = spec.NewParam("includeSoftDelete", spec.KindFlag, "false", "Take soft-deleted entities for present.")
	clearParam      = spec.NewParam("clear", spec.KindFlag, "false", "Delete all aspects but the key.")
	versionParam    = spec.NewParam("version", spec.KindNumber, "0", "0 is the latest version; of a time-series aspect the newest document up to this time.")
	createAspect    = spec.NewParam("createIfNotExists", spec.KindFlag, "true", "Refuse the write when the aspect exists.")
	createAspectOff = spec.NewParam("createIfNotExists", spec.KindFlag, "false", "Refuse the write when the aspect exists.")
	createEntity    = spec.NewParam("createIfEntityNotExists", spec.KindFlag, "false", "Refuse the write when the entity exists.")
	createEntityOld = spec.NewParam("createEntityIfNotExists", spec.KindFlag, "false", "Refuse the write when the entity exists.")
	scrollParam     = spec.NewParam("scrollId", spec.KindText, "", "The scrollId of the page before.")
	scrollEach      = spec.NewParam("scrollIdPerEntity", spec.KindFlag, "false", "Give a scrollId with each entity.")
	startMillis     = spec.NewParam("startTimeMillis", spec.KindNumber, "", "Earliest time, in milliseconds.")
	endMillis       = spec.NewParam("endTimeMillis", spec.KindNumber, "", "Latest time, in milliseconds.")
	urnsParam       = spec.NewParam("urns", spec.KindList, "", "URNs, repeated.")
	softParam       = spec.NewParam("soft", spec.KindFlag, "true", "Mark as removed, keep everything.")

	pageParams = []spec.Param{
		endpoint.CountParam, scrollParam, aspectsParam, withSystem, softDeleted,
		spec.NewParam("query", spec.KindText, "*", "What to search for; an expression when it starts with /q and a blank."),
		spec.NewParam("sort", spec.KindText, "urn", "A field to sort by; ties are in the order of URNs."),
		spec.NewParam("sortCriteria", spec.KindText, "", "Fields to sort by, one after the other; in place of sort."),
		spec.NewParam("sortOrder", spec.KindText, "ASCENDING", "ASCENDING or DESCENDING."),
		spec.NewParam("sliceId", spec.KindNumber, "", "Number of a slice of a parallel scroll, from 0."),
		spec.NewParam("sliceMax", spec.KindNumber, "", "How many slices there are."),
	}
)

// endpoints is the table of all endpoints.
func (a *API) endpoints() []endpoint.Endpoint {
	return slices.Concat(
		a.entityOperations(), a.genericOperations(), a.relationshipOperations(), a.versioningOperations(), a.secondGeneration(), a.firstGeneration(),
		a.logicalOperations(), a.system.Endpoints(),
	)
}

func (a *API) entityOperations() []endpoint.Endpoint {
	e := entities{API: a, shape: shapeV3}
	const collection, one, aspect = "/v3/entity/{type}", "/v3/entity/{type}/{urn}", "/v3/entity/{type}/{urn}/{aspect}"
	list := []endpoint.Endpoint{
		{Handle: e.list, Operation: spec.Operation{Method: http.MethodGet, Path: collection, Summary: "List entities in the order of their URNs",
			Query: pageParams, Answer: spec.EntityPage}},
		{Handle: e.post, Conditional: true, Operation: spec.Operation{Method: http.MethodPost, Path: collection, Summary: "Write aspects of entities, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ListOf(spec.Entity), Answer: spec.ListOf(spec.Entity), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ListOf(spec.Entity)}, Status: http.StatusAccepted}},
		{Handle: e.patch, Conditional: true, Operation: spec.Operation{Method: http.MethodPatch, Path: collection, Summary: "Patch aspects of entities, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ListOf(spec.EntityPatch), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ListOf(spec.Entity)}, Status: http.StatusAccepted}},
		{Handle: e.batchGet, Operation: spec.Operation{Method: http.MethodPost, Path: collection + "/batchGet", Summary: "Read entities, with chosen aspects and versions",
			Query: []spec.Param{withSystem}, Body: spec.ListOf(spec.EntityRequest), Answer: spec.ListOf(spec.Entity)}},
		{Handle: e.get, Operation: spec.Operation{Method: http.MethodGet, Path: one, Summary: "Read an entity",
			Query: []spec.Param{aspectsParam, withSystem}, Answer: spec.Entity}},
		{Handle: e.head, Operation: spec.Operation{Method: http.MethodHead, Path: one, Summary: "Tell whether an entity exists",
			Query: []spec.Param{softDeleted}, Status: http.StatusNoContent}},
		{Handle: e.delete, Operation: spec.Operation{Method: http.MethodDelete, Path: one, Summary: "Delete an entity, or some of its aspects, for good",
			Query: []spec.Param{aspectsParam, clearParam}, Answer: spec.EmptyList}},
		{Handle: e.getAspect, Operation: spec.Operation{Method: http.MethodGet, Path: aspect, Summary: "Read an aspect",
			Query: []spec.Param{versionParam, withSystem}, Answer: spec.Aspect}},
		{Handle: e.headAspect, Operation: spec.Operation{Method: http.MethodHead, Path: aspect, Summary: "Tell whether an aspect exists",
			Query: []spec.Param{softDeleted}, Status: http.StatusNoContent}},
		{Handle: e.postAspect, Conditional: true, Operation: spec.Operation{Method: http.MethodPost, Path: aspect, Summary: "Write an aspect; it must be absent unless createIfNotExists=false",
			Query: []spec.Param{asyncOff, withSystem, createAspect, createEntity}, Body: spec.Aspect, Answer: spec.Entity, OtherAnswer: spec.Answer{Status: http.StatusAccepted, Schema: spec.Entity}}},
		{Handle: e.patchAspect, Conditional: true, Operation: spec.Operation{Method: http.MethodPatch, Path: aspect, Summary: "Patch an aspect",
			Query: []spec.Param{asyncIgnored, withSystem}, Body: spec.Patch, Answer: spec.Entity}},
		{Handle: e.deleteAspect, Operation: spec.Operation{Method: http.MethodDelete, Path: aspect, Summary: "Delete an aspect; of a time-series aspect the newest document",
			Answer: spec.EmptyList}},
	}
	return endpoint.InGroup(list, spec.GroupV3, "Entities")
}

func (a *API) genericOperations() []endpoint.Endpoint {
	e := entities{API: a, shape: shapeV3}
	list := []endpoint.Endpoint{
		{Handle: e.scroll, Operation: spec.Operation{Method: http.MethodPost, Path: "/v3/entity/scroll", Summary: "List entities of several types in the order of their URNs",
			Query: slices.Concat(pageParams, []spec.Param{scrollEach}), Body: spec.AnyObject, Answer: spec.EntityPage}},
		{Handle: e.postGeneric, Conditional: true, Operation: spec.Operation{Method: http.MethodPost, Path: "/v3/entity/generic", Summary: "Write aspects of entities of several types, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ByType(spec.Entity), Answer: spec.ByType(spec.Entity), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ByType(spec.Entity)}, Status: http.StatusAccepted}},
		{Handle: e.patchGeneric, Conditional: true, Operation: spec.Operation{Method: http.MethodPatch, Path: "/v3/entity/generic", Summary: "Patch aspects of entities of several types, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ByType(spec.EntityPatch), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ByType(spec.Entity)}, Status: http.StatusAccepted}},
		{Handle: e.batchGetGeneric, Operation: spec.Operation{Method: http.MethodPost, Path: "/v3/entity/generic/batchGet", Summary: "Read entities of several types",
			Query: []spec.Param{withSystem}, Body: spec.ByType(spec.EntityRequest), Answer: spec.ByType(spec.Entity)}},
	}
	return endpoint.InGroup(list, spec.GroupV3, "Entities of several types")
}

func (a *API) logicalOperations() []endpoint.Endpoint {
	const path = "/v3/logical/{childUrn}/relationship/physicalInstanceOf"
	list := []endpoint.Endpoint{
		{Handle: a.linkLogical, Operation: spec.Operation{Method: http.MethodPost, Path: path + "/{parentUrn}", Summary: "Say of which logical asset something is a physical instance",
			Answer: spec.Entity}},
		{Handle: a.unlinkLogical, Operation: spec.Operation{Method: http.MethodDelete, Path: path, Summary: "Take that back", Answer: spec.EmptyList}},
	}
	return endpoint.InGroup(list, spec.GroupV3, "Logical assets")
}

func (a *API) secondGeneration() []endpoint.Endpoint {
	e := entities{API: a, shape: shapeV2}
	const collection, one, aspect = "/v2/entity/{type}", "/v2/entity/{type}/{urn}", "/v2/entity/{type}/{urn}/{aspect}"
	list := []endpoint.Endpoint{
		{Handle: e.list, Operation: spec.Operation{Method: http.MethodGet, Path: collection, Summary: "List entities in the order of their URNs", Query: pageParams, Answer: spec.AnyObject}},
		{Handle: e.post, Conditional: true, Operation: spec.Operation{Method: http.MethodPost, Path: collection, Summary: "Write aspects of entities, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ListOf(spec.NestedEntity), Answer: spec.ListOf(spec.NestedEntity), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ListOf(spec.NestedEntity)}, Status: http.StatusAccepted}},
		{Handle: e.patch, Conditional: true, Operation: spec.Operation{Method: http.MethodPatch, Path: collection, Summary: "Patch aspects of entities, all or nothing; 200 when async=false",
			Query: []spec.Param{asyncOn, withSystem}, Body: spec.ListOf(spec.NestedEntity), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.ListOf(spec.NestedEntity)}, Status: http.StatusAccepted}},
		{Handle: e.batchRead, Operation: spec.Operation{Method: http.MethodPost, Path: "/v2/entity/batch/{type}", Summary: "Read entities", Body: spec.AnyObject, Answer: spec.AnyObject}},
		{Handle: e.get, Operation: spec.Operation{Method: http.MethodGet, Path: one, Summary: "Read an entity; an absent one has no aspects",
			Query: []spec.Param{aspectsParam, withSystem}, Answer: spec.NestedEntity}},
		{Handle: e.head, Operation: spec.Operation{Method: http.MethodHead, Path: one, Summary: "Tell whether an entity exists", Query: []spec.Param{softDeleted}, Status: http.StatusNoContent}},
		{Handle: e.delete, Operation: spec.Operation{Method: http.MethodDelete, Path: one, Summary: "Delete an entity, or some of its aspects, for good",
			Query: []spec.Param{aspectsParam, clearParam}, Answer: spec.EmptyList}},
		{Handle: e.getAspect, Operation: spec.Operation{Method: http.MethodGet, Path: aspect, Summary: "Read an aspect", Query: []spec.Param{versionParam, withSystem}, Answer: spec.AnyObject}},
		{Handle: e.headAspect, Operation: spec.Operation{Method: http.MethodHead, Path: aspect, Summary: "Tell whether an aspect exists", Query: []spec.Param{softDeleted}, Status: http.StatusNoContent}},
		{Handle: e.postAspect, Conditional: true, Operation: spec.Operation{Method: http.MethodPost, Path: aspect, Summary: "Write an aspect, the body being its bare value; it must be absent unless createIfNotExists=false",
			Query: []spec.Param{asyncOff, withSystem, createAspect, createEntity}, Body: spec.AnyObject, Answer: spec.NestedEntity, OtherAnswer: spec.Answer{Status: http.StatusAccepted, Schema: spec.NestedEntity}}},
		{Handle: e.patchAspect, Conditional: true, Operation: spec.Operation{Method: http.MethodPatch, Path: aspect, Summary: "Patch an aspect", Query: []spec.Param{asyncIgnored, withSystem}, Body: spec.Patch, Answer: spec.NestedEntity}},
		{Handle: e.deleteAspect, Operation: spec.Operation{Method: http.MethodDelete, Path: aspect, Summary: "Delete an aspect; of a time-series aspect the newest document", Answer: spec.EmptyList}},
	}
	more := []endpoint.Endpoint{
		{Handle: a.platformPost, Conditional: true, RejectedStatus: http.StatusUnprocessableEntity, Operation: spec.Operation{Method: http.MethodPost, Path: "/v2/platform/entities/v1", Summary: "Carry out change proposals, all or nothing; 200 when nothing changed",
			Query: []spec.Param{asyncUnmet}, Body: spec.ListOf(spec.AnyObject), Answer: spec.ListOf(spec.AnyText), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.EmptyList}, Status: http.StatusCreated}},
		{Handle: a.timeseries, Operation: spec.Operation{Method: http.MethodGet, Path: "/v2/timeseries/{type}/{aspect}", Summary: "List documents of a time-series aspect, newest first",
			Query: []spec.Param{endpoint.CountParam, scrollParam, withSystem, startMillis, endMillis}, Answer: spec.AnyObject}},
	}
	return slices.Concat(endpoint.InGroup(list, spec.GroupV2, "Entities"), endpoint.InGroup(more, spec.GroupV2, "Proposals and documents"))
}

func (a *API) firstGeneration() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.legacyLatest, Operation: spec.Operation{Method: http.MethodGet, Path: "/entities/v1/latest", Summary: "Read entities; parameters are repeated, a comma separates nothing",
			Query: []spec.Param{urnsParam, endpoint.AspectNamesParam}, Answer: spec.AnyObject}},
		{Handle: a.legacyPost, Conditional: true, RejectedStatus: http.StatusUnprocessableEntity, Operation: spec.Operation{Method: http.MethodPost, Path: "/entities/v1", Summary: "Write aspects, all or nothing; 200 when nothing changed",
			Query: []spec.Param{asyncIgnored, createAspectOff, createEntityOld}, Body: spec.ListOf(spec.AnyObject), Answer: spec.ListOf(spec.AnyText), OtherAnswer: spec.Answer{Status: http.StatusOK, Schema: spec.EmptyList},
			Status: http.StatusCreated}},
		{Handle: a.legacyDelete, Operation: spec.Operation{Method: http.MethodDelete, Path: "/entities/v1", Summary: "Delete entities, softly unless soft=false",
			Query: []spec.Param{urnsParam, softParam}, Answer: spec.ListOf(spec.AnyObject)}},
	}

	return endpoint.InGroup(list, spec.GroupV1, "Entities")
}
