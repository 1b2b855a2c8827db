package system

import (
	"math"
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
)

var (
	batchParam    = spec.NewParam("batchSize", spec.KindNumber, "500", "Aspects of one transaction.")
	completeParam = spec.NewParam("createDefaultAspects", spec.KindFlag, "false", "Add the aspects that come with every entity where they are not there.")
	restoreParams = []spec.Param{
		spec.NewParam("aspectName", spec.KindText, "", "An aspect; all when absent."),
		spec.NewParam("urn", spec.KindText, "", "An entity; all when absent."),
		spec.NewParam("urnLike", spec.KindText, "", "A pattern of URNs: % stands for any text, _ for a character."),
		endpoint.StartParam,
		spec.NewParam("limit", spec.KindNumber, "", "Aspects at most; all when absent."),
		batchParam,
		spec.NewParam("gePitEpochMs", spec.KindNumber, "", "Leave out aspects written before this time, in epoch milliseconds."),
		spec.NewParam("lePitEpochMs", spec.KindNumber, "", "Leave out aspects written after this time, in epoch milliseconds."),
		completeParam,
	}
	restoreNamedParams = []spec.Param{endpoint.AspectNamesParam, batchParam, completeParam}
)

func (a *API) indexOperations() []endpoint.Endpoint {
	const path = "/operations/elasticSearch/restoreIndices"
	list := []endpoint.Endpoint{
		{Handle: a.restoreSelected, Operation: spec.Operation{Method: http.MethodGet, Path: path, Summary: "Rebuild search index and relationships from the stored aspects",
			Query: restoreParams, Answer: spec.ListOf(spec.AnyObject)}},
		{Handle: a.restoreNamed, Operation: spec.Operation{Method: http.MethodPost, Path: path, Summary: "Derive search index and relationships of some entities again",
			Query: restoreNamedParams, Body: spec.ListOf(spec.AnyText), Answer: spec.ListOf(spec.AnyObject)}},
		{Handle: a.indexedEntities, Operation: spec.Operation{Method: http.MethodPost, Path: "/operations/elasticSearch/entity/raw", Summary: "Show the search documents of those given entities that the actor may read",
			Body: spec.ListOf(spec.AnyText), Answer: spec.AnyObject}},
	}
	return append(endpoint.InGroup(list, spec.GroupOperations, "Search index"), a.taskOperations()...)
}

type restoreResult struct {
	Ignored   int    `json:"ignored"`
	Rows      int    `json:"rowsMigrated"`
	Completed int    `json:"defaultAspectsCreated"`
	LastURN   string `json:"lastUrn"`
	Aspect    string `json:"lastAspect"`
}

// restoreSelected restores the indices of the aspects that the query parameters select.
func (a *API) restoreSelected(c *endpoint.Call) error {
	var q ops.Selection
	if u := c.QueryParam("urn"); u != "" {
		q.URNs = []string{u}
	}
	q.URNLike = c.QueryParam("urnLike")
	var err error
	if q.Aspects, err = c.List("aspectName", "aspectNames"); err != nil {
		return err
	}
	if q.Start, err = c.Count("start", 0, math.MaxInt); err != nil {
		return err
	}
	if q.Limit, err = c.Count("limit", 0, math.MaxInt); err != nil {
		return err
	}
	if q.From, err = c.Number("gePitEpochMs", 0); err != nil {
		return err
	}
	if q.To, err = c.Number("lePitEpochMs", 0); err != nil {
		return err
	}
	return a.restore(c, q)
}

// restoreNamed restores the indices of the entities in the body; none when the body lists none.
func (a *API) restoreNamed(c *endpoint.Call) error {
	var q ops.Selection
	if err := c.Decode(endpoint.BodyLimit, &q.URNs); err != nil {
		return err
	}
	if len(q.URNs) == 0 {
		return c.JSON(http.StatusOK, []restoreResult{})
	}
	var err error
	if q.Aspects, err = c.List("aspectNames", "aspectName"); err != nil {
		return err
	}
	return a.restore(c, q)
}

func (a *API) restore(c *endpoint.Call, q ops.Selection) error {
	var err error
	if q.BatchSize, err = c.Count("batchSize", 0, math.MaxInt); err != nil {
		return err
	}
	if q.Complete, err = c.Flag("createDefaultAspects", false); err != nil {
		return err
	}
	done, err := a.Operations.RestoreIndices(c.Ctx(), q)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, []restoreResult{{
		Ignored: done.Ignored, Rows: done.Rows, Completed: done.Completed, LastURN: string(done.Last.URN), Aspect: done.Last.Aspect,
	}})
}
