package openapi

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The first generation of the API: /openapi/entities/v1. Its aspects state their record in the
// member __type.

const recordTag = "__type"

// treeFactor is the memory of a decoded value per byte of its text.
const treeFactor = 8

func (a *API) legacyLatest(c *endpoint.Call) error {
	values := c.QueryParams()
	if len(values["urns"]) == 0 {
		return fault.New(fault.Malformed, "query parameter urns is missing")
	}
	urns, err := a.resolveAll(values["urns"])
	if err != nil {
		return err
	}
	found, err := a.read(c, urns, catalog.EntityQuery{Aspects: a.aspects.All(values["aspectNames"])})
	if err != nil {
		return err
	}
	// All values are decoded before the response begins.
	if err := admission.Reserve(c.Ctx(), treeFactor*int64(c.ResponseBytes)); err != nil {
		return err
	}
	responses := jsontree.Object{}
	for _, e := range found {
		if !e.Exists {
			continue
		}
		aspects := jsontree.Object{}
		for _, aspect := range e.Aspects {
			if aspects[aspect.Spec.Name], err = legacyAspect(aspect); err != nil {
				return err
			}
		}
		responses[string(e.URN)] = jsontree.Object{"entityName": e.Spec.Name, "urn": string(e.URN), "aspects": aspects}
	}
	return c.JSONBlob(http.StatusOK, jsontree.Encode(jsontree.Object{"responses": responses}))
}

func legacyAspect(a catalog.Aspect) (jsontree.Object, error) {
	value, err := jsontree.Decode(a.Value)
	if err != nil {
		return nil, err
	}
	created := jsontree.Object{"time": a.CreatedOn, "actor": string(a.CreatedBy)}
	return jsontree.Object{
		"name": a.Spec.Name, "type": "VERSIONED", "version": a.Row,
		"value": model.Tagged(a.Spec.Record, value), "created": created,
	}, nil
}

// legacyItem is an aspect in a write of the first generation.
type legacyItem struct {
	EntityType      string          `json:"entityType"`
	EntityURN       string          `json:"entityUrn"`
	EntityKeyAspect json.RawMessage `json:"entityKeyAspect"`
	Aspect          json.RawMessage `json:"aspect"`
}

func (a *API) legacyPost(c *endpoint.Call) error {
	mode, err := readWriteMode(c, false)
	if err != nil {
		return err
	}
	change, err := createMode(c, "createIfNotExists", "createEntityIfNotExists", false)
	if err != nil {
		return err
	}
	var proposals []catalog.Proposal
	err = c.EachItem("aspects", func(text json.RawMessage) error {
		var item legacyItem
		if err := endpoint.DecodeAs(text, &item); err != nil {
			return err
		}
		p, err := a.legacyProposal(item, change)
		proposals = append(proposals, p)
		return err
	})
	if err != nil {
		return err
	}
	return a.writeCommitted(c, proposals, mode)
}

func (a *API) legacyProposal(item legacyItem, change model.ChangeType) (catalog.Proposal, error) {
	spec, err := a.spec(item.EntityType)
	if err != nil {
		return catalog.Proposal{}, err
	}
	var tagged map[string]json.RawMessage
	if err := endpoint.DecodeAs(item.Aspect, &tagged); err != nil || tagged == nil {
		return catalog.Proposal{}, endpoint.BodyError("aspect of " + endpoint.Truncate(item.EntityURN) + " must be an object with the member " + recordTag)
	}
	var record string
	if err := json.Unmarshal(tagged[recordTag], &record); err != nil || record == "" {
		return catalog.Proposal{}, endpoint.BodyError("aspect of " + endpoint.Truncate(item.EntityURN) + " has no member " + recordTag)
	}
	at := slices.IndexFunc(spec.All(), func(aspect *model.AspectSpec) bool { return aspect.Record.Short() == record })
	if at < 0 {
		return catalog.Proposal{}, fault.New(fault.Invalid, "entity type %s has no aspect of type %s", spec.Name, endpoint.Truncate(record))
	}
	return catalog.Proposal{
		EntityType: spec.Name, URN: item.EntityURN, Key: item.EntityKeyAspect,
		Change: change, Aspect: spec.All()[at].Name, Value: item.Aspect,
	}, nil
}

// writeCommitted writes the proposals and responds with the URNs of the changed entities: status
// 201, or 200 and an empty list when none changed.
func (a *API) writeCommitted(c *endpoint.Call, proposals []catalog.Proposal, mode writeMode) error {
	var written []catalog.Written
	err := addConditions(c, proposals)
	if err == nil && len(proposals) > 0 {
		written, err = a.Catalog.Write(c.Ctx(), proposals, catalog.WriteOptions{TraceID: c.TraceID, Async: mode.async, Traced: true})
	}
	if err != nil {
		return err
	}
	seen := map[urn.URN]bool{}
	urns := []urn.URN{}
	for _, w := range written {
		changed := w.Outcome != catalog.NoOp && w.Outcome != catalog.Dropped && w.Outcome != catalog.Failed
		if w.Proposal >= 0 && changed && !seen[w.URN] {
			seen[w.URN] = true
			urns = append(urns, w.URN)
		}
	}
	if len(urns) == 0 {
		return c.JSONBlob(http.StatusOK, []byte("[]"))
	}
	return c.JSON(http.StatusCreated, urns)
}

// legacyRow is an aspect that a delete rolled back or, for a soft delete, wrote.
type legacyRow struct {
	URN        urn.URN `json:"urn"`
	AspectName string  `json:"aspectName"`
}

type legacyDeleted struct {
	RowsRolledBack []legacyRow `json:"rowsRolledBack"`
	Rows           int64       `json:"rowsDeletedFromEntityDeletion"`
}

func (a *API) legacyDelete(c *endpoint.Call) error {
	soft, err := c.Flag("soft", true)
	if err != nil {
		return err
	}
	texts := c.QueryParams()["urns"]
	if len(texts) == 0 {
		return fault.New(fault.Malformed, "query parameter urns is missing")
	}
	urns, err := a.resolveAll(texts)
	if err != nil {
		return err
	}
	var answer []legacyDeleted
	if soft {
		answer, err = a.softDelete(c, urns)
	} else {
		answer, err = a.hardDelete(c, urns)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, answer)
}

func (a *API) softDelete(c *endpoint.Call, urns []urn.URN) ([]legacyDeleted, error) {
	const status = "status"
	proposals := make([]catalog.Proposal, len(urns))
	answer := make([]legacyDeleted, len(urns))
	for i, u := range urns {
		proposals[i] = catalog.Proposal{URN: string(u), Change: model.Upsert, Aspect: status, Value: json.RawMessage(`{"removed":true}`)}
		answer[i].RowsRolledBack = []legacyRow{{URN: u, AspectName: status}}
	}
	_, err := a.Catalog.Write(c.Ctx(), proposals, catalog.WriteOptions{TraceID: c.TraceID})
	return answer, err
}

func (a *API) hardDelete(c *endpoint.Call, urns []urn.URN) ([]legacyDeleted, error) {
	answer := make([]legacyDeleted, len(urns))
	for i, u := range urns {
		deleted, err := a.Catalog.DeleteEntity(c.Ctx(), u)
		if err != nil {
			return nil, err
		}
		answer[i] = legacyDeleted{RowsRolledBack: []legacyRow{}, Rows: int64(deleted.Rows) + deleted.TimeseriesRows}
	}
	return answer, nil
}
