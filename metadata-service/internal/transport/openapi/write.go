package openapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/set"
	"github.com/cartulary/cartulary/pkg/urn"
)

// writeMode holds the query parameters of a write.
type writeMode struct {
	async, system bool
}

func readWriteMode(c *endpoint.Call, asyncDefault bool) (writeMode, error) {
	async, err := c.Flag("async", asyncDefault)
	if err != nil {
		return writeMode{}, err
	}
	system, err := c.Flag("systemMetadata", false)
	return writeMode{async: async, system: system}, err
}

func (m writeMode) status() int {
	if m.async {
		return http.StatusAccepted
	}
	return http.StatusOK
}

func (e entities) post(c *endpoint.Call) error  { return e.writeList(c, model.Upsert) }
func (e entities) patch(c *endpoint.Call) error { return e.writeList(c, model.Patch) }

// writeList serves writes of a list of entities of one type.
func (e entities) writeList(c *endpoint.Call, change model.ChangeType) error {
	spec, err := e.spec(c.PathParams["type"])
	if err != nil {
		return err
	}
	mode, err := readWriteMode(c, true)
	if err != nil {
		return err
	}
	text, err := c.Body(endpoint.EntityBodyLimit)
	if err != nil {
		return err
	}
	if endpoint.FirstByte(text) != '[' {
		// A body of another kind contains nothing to write; clients rely on the empty list.
		if err := addConditions(c, nil); err != nil {
			return err
		}
		return c.JSONBlob(mode.status(), []byte("[]"))
	}
	proposals, err := e.proposals(nil, change, spec.Name, text)
	if err != nil {
		return err
	}
	views, err := e.write(c, proposals, mode)
	if err != nil {
		return err
	}
	if change == model.Patch && mode.async {
		return c.NoContent(mode.status())
	}
	return e.shape.send(c, mode.status(), []section{{entities: views}}, "")
}

func (e entities) postGeneric(c *endpoint.Call) error  { return e.writeGeneric(c, model.Upsert) }
func (e entities) patchGeneric(c *endpoint.Call) error { return e.writeGeneric(c, model.Patch) }

// writeGeneric serves writes of lists of several types. All of them form one batch: all or
// nothing.
func (e entities) writeGeneric(c *endpoint.Call, change model.ChangeType) error {
	mode, err := readWriteMode(c, true)
	if err != nil {
		return err
	}
	text, err := c.Body(endpoint.EntityBodyLimit)
	if err != nil {
		return err
	}
	var proposals []catalog.Proposal
	var names, types []string
	err = e.visitTypes(text, func(name string, spec *model.EntitySpec, list json.RawMessage) (err error) {
		names, types = append(names, name), append(types, spec.Name)
		proposals, err = e.proposals(proposals, change, spec.Name, list)
		return err
	})
	if err != nil {
		return err
	}
	views, err := e.write(c, proposals, mode)
	if err != nil {
		return err
	}
	if change == model.Patch && mode.async {
		return c.NoContent(mode.status())
	}
	byType := map[string][]entityView{}
	for _, view := range views {
		t := urn.URN(view.urn).Type()
		byType[t] = append(byType[t], view)
	}
	lists := make([]section, len(names))
	for i, name := range names {
		lists[i] = typeSection(i, name, byType[types[i]])
	}
	return e.shape.sendTyped(c, mode.status(), lists)
}

// write executes a batch and returns the entities for its response.
func (e entities) write(c *endpoint.Call, proposals []catalog.Proposal, mode writeMode) ([]entityView, error) {
	if err := addConditions(c, proposals); err != nil || len(proposals) == 0 {
		return nil, err
	}
	written, err := e.Catalog.Write(c.Ctx(), proposals, catalog.WriteOptions{TraceID: c.TraceID, Async: mode.async, Traced: true})
	if err != nil {
		return nil, err
	}
	if mode.async {
		return e.accepted(proposals, written, mode), nil
	}
	if written, err = e.Catalog.DiscloseWritten(c.Ctx(), written, catalog.Concealed); err != nil {
		return nil, err
	}
	return storedViews(written, mode), nil
}

// storedViews returns the response to a synchronous write: the stored aspects of the entities in
// the request, including those that the service added, in the order of the request. Derived changes
// of other entities are left out: the request does not contain these entities, and the actor may
// not view some of them.
func storedViews(written []catalog.Written, mode writeMode) []entityView {
	var named set.Set[urn.URN]
	for i := range written {
		if written[i].Proposal >= 0 {
			named.Add(written[i].URN)
		}
	}
	var views entityViews
	for _, w := range written {
		if !named.Has(w.URN) {
			continue
		}
		view := views.of(string(w.URN))
		if w.Record != nil {
			view.set(viewAspect(w.Spec, w.Record, mode.system))
		}
	}
	return views.list
}

// accepted returns the response to an asynchronous write: the proposals as sent, like a service
// that writes later. In the second generation it contains only their URNs.
func (e entities) accepted(proposals []catalog.Proposal, written []catalog.Written, mode writeMode) []entityView {
	var views entityViews
	for _, w := range written {
		if w.Proposal < 0 {
			continue
		}
		view := views.of(string(w.URN))
		if view.urnOnly = e.shape == shapeV2; view.urnOnly {
			continue
		}
		plain := len(w.Spec.Encrypted) == 0 // otherwise the record contains the mask
		aspect := aspectView{name: w.Spec.Name}
		switch {
		case w.Record != nil:
			aspect = viewAspect(w.Spec, w.Record, mode.system)
		case w.Attempt == nil || !plain:
			continue
		default:
			aspect = viewAspect(w.Spec, w.Attempt, mode.system)
		}
		if plain {
			aspect.value = compact(proposals[w.Proposal].Value)
		}
		view.set(aspect)
	}
	return views.list
}

// entityViews collects entities by URN in the order of their first occurrence.
type entityViews struct {
	list []entityView
	at   map[string]int
}

func (v *entityViews) of(u string) *entityView {
	i, met := v.at[u]
	if !met {
		if v.at == nil {
			v.at = map[string]int{}
		}
		i = len(v.list)
		v.at[u] = i
		v.list = append(v.list, entityView{urn: u})
	}
	return &v.list[i]
}

func (e entities) postAspect(c *endpoint.Call) error {
	mode, err := readWriteMode(c, false)
	if err != nil {
		return err
	}
	change, err := createMode(c, "createIfNotExists", "createIfEntityNotExists", true)
	if err != nil {
		return err
	}
	text, err := c.Body(endpoint.EntityBodyLimit)
	if err != nil {
		return err
	}
	w := wrapper{value: text}
	if e.shape == shapeV3 {
		if w, err = parseWrapper(text); err != nil {
			return err
		}
	}
	return e.writeAspect(c, change, w, mode)
}

// createMode returns the change type that two query parameters select.
func createMode(c *endpoint.Call, aspectParam, entityParam string, aspectDefault bool) (model.ChangeType, error) {
	entity, err := c.Flag(entityParam, false)
	if err != nil {
		return "", err
	}
	aspect, err := c.Flag(aspectParam, aspectDefault)
	switch {
	case err != nil:
		return "", err
	case entity:
		return model.CreateEntity, nil
	case aspect:
		return model.Create, nil
	}
	return model.Upsert, nil
}

func (e entities) patchAspect(c *endpoint.Call) error {
	mode, err := readWriteMode(c, false)
	if err != nil {
		return err
	}
	text, err := c.Body(endpoint.EntityBodyLimit)
	if err != nil {
		return err
	}
	if kind := endpoint.FirstByte(text); kind != '{' && kind != '[' {
		return endpoint.BodyError("the body must be a patch: a list of operations, or an object with the member patch")
	}
	mode.async = false // the API always responds with 200
	return e.writeAspect(c, model.Patch, wrapper{value: text}, mode)
}

// writeAspect writes the aspect in a path, and responds with that aspect alone.
func (e entities) writeAspect(c *endpoint.Call, change model.ChangeType, w wrapper, mode writeMode) error {
	p, err := w.proposal(change, "", c.PathParams["urn"], c.PathParams["aspect"])
	if err != nil {
		return err
	}
	views, err := e.write(c, []catalog.Proposal{p}, mode)
	if err != nil {
		return err
	}
	view := entityView{urn: p.URN}
	for _, written := range views {
		for _, aspect := range written.aspects {
			if strings.EqualFold(aspect.name, p.Aspect) {
				view = entityView{urn: written.urn, aspects: []aspectView{aspect}}
			}
		}
	}
	return c.JSONBlob(mode.status(), e.shape.appendEntity(nil, view))
}

// compact removes line breaks from a value of the request, because the rest of the response is
// one line.
func compact(text json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}
