package openapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const versionHeader = "If-Version-Match"

// entityRequest is the part of a batch read about one entity.
type entityRequest struct {
	urn      urn.URN
	aspects  []string         // empty: all
	versions map[string]int64 // history versions by aspect
}

func (e entities) batchGet(c *endpoint.Call) error {
	text, err := c.Body(endpoint.BodyLimit)
	if err != nil {
		return err
	}
	system, err := c.Flag("systemMetadata", false)
	if err != nil {
		return err
	}
	views, err := e.readBatch(c, text, system)
	if err != nil {
		return err
	}
	return e.shape.send(c, http.StatusOK, []section{{entities: views}}, "")
}

func (e entities) batchGetGeneric(c *endpoint.Call) error {
	text, err := c.Body(endpoint.BodyLimit)
	if err != nil {
		return err
	}
	system, err := c.Flag("systemMetadata", false)
	if err != nil {
		return err
	}
	var lists []section
	err = e.visitTypes(text, func(name string, _ *model.EntitySpec, list json.RawMessage) error {
		views, err := e.readBatch(c, list, system)
		lists = append(lists, typeSection(len(lists), name, views))
		return err
	})
	if err != nil {
		return err
	}
	return e.shape.sendTyped(c, http.StatusOK, lists)
}

// visitTypes calls use for each entity type in a body with one list of entities for each type.
func (a *API) visitTypes(text []byte, use func(name string, spec *model.EntitySpec, list json.RawMessage) error) error {
	if endpoint.FirstByte(text) != '{' {
		return endpoint.BodyError("the body must be an object with an array of entities for each entity type")
	}
	return jsontree.Members(text, func(name string, list json.RawMessage) error {
		spec, err := a.spec(name)
		if err != nil {
			return err
		}
		if endpoint.FirstByte(list) != '[' {
			return endpoint.BodyError("member " + endpoint.Truncate(name) + " must be an array of entities")
		}
		return use(name, spec, list)
	})
}

// typeSection returns the list of a type in a response with one list per type; others is the
// number of lists before it.
func typeSection(others int, name string, views []entityView) section {
	before := []byte{','}
	if others == 0 {
		before[0] = '{'
	}
	return section{before: string(append(jsontree.AppendString(before, name), ':')), entities: views}
}

// sendTyped responds with one list per type.
func (s responseShape) sendTyped(c *endpoint.Call, status int, lists []section) error {
	if len(lists) == 0 {
		return c.JSONBlob(status, []byte("{}"))
	}
	return s.send(c, status, lists, "}")
}

func (e entities) readBatch(c *endpoint.Call, text []byte, system bool) ([]entityView, error) {
	if endpoint.FirstByte(text) != '[' {
		return nil, endpoint.BodyError("the body must be an array of objects with a urn")
	}
	var requests []entityRequest
	err := jsontree.Elements(text, func(element json.RawMessage) error {
		if len(requests) == endpoint.MaxItems {
			return endpoint.TooMany("entities")
		}
		w, err := e.parseRequest(element)
		requests = append(requests, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	return e.readRequested(c, requests, system)
}

func tooManyAspects() error {
	return fault.New(fault.Malformed, "at most %d aspects can be asked for by name", endpoint.MaxListItems)
}

func (e entities) parseRequest(text json.RawMessage) (entityRequest, error) {
	var w entityRequest
	if endpoint.FirstByte(text) != '{' {
		return w, endpoint.BodyError("each element must be an object with a urn")
	}
	err := jsontree.Members(text, func(name string, value json.RawMessage) error {
		if name == "urn" {
			return e.parseURN(value, &w.urn)
		}
		name = e.aspects.Of(name)
		var wrapper struct{ Headers map[string]string }
		if err := endpoint.DecodeAs(value, &wrapper); err != nil {
			return err
		}
		if len(w.aspects) == endpoint.MaxListItems {
			return tooManyAspects()
		}
		w.aspects = append(w.aspects, name)
		return w.setVersion(name, wrapper.Headers)
	})
	if err == nil && w.urn == "" {
		err = endpoint.BodyError("Missing 'urn' field in an element of the body")
	}
	return w, err
}

func (a *API) parseURN(text json.RawMessage, into *urn.URN) error {
	var given string
	if err := endpoint.DecodeAs(text, &given); err != nil {
		return endpoint.BodyError("Missing 'urn' field: it must be a string")
	}
	u, _, err := a.Registry.Resolve(given)
	*into = u
	return err
}

func (w *entityRequest) setVersion(aspect string, headers map[string]string) error {
	for name, text := range headers {
		if !strings.EqualFold(name, versionHeader) {
			continue
		}
		version, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fault.New(fault.Malformed, "header %s of aspect %s must be a whole number, is %q", versionHeader, aspect, endpoint.Truncate(text))
		}
		if version == 0 {
			continue
		}
		if w.versions == nil {
			w.versions = map[string]int64{}
		}
		w.versions[aspect] = version
	}
	return nil
}

// readRequested reads entities with the same requested aspects together, and then older versions
// one by one. Absent entities are left out. The result has the order of the requests.
func (e entities) readRequested(c *endpoint.Call, requests []entityRequest, system bool) ([]entityView, error) {
	groups := map[string][]int{}
	var order []string // by the first request of each group, so that equal requests fail in the same way
	for i, w := range requests {
		key := strings.Join(w.aspects, "\x00")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	found := make([]catalog.Entity, len(requests))
	for _, key := range order {
		members := groups[key]
		urns := make([]urn.URN, len(members))
		for j, i := range members {
			urns[j] = requests[i].urn
		}
		read, err := e.read(c, urns, catalog.EntityQuery{Aspects: requests[members[0]].aspects, Timeseries: true})
		if err != nil {
			return nil, err
		}
		for j, i := range members {
			found[i] = read[j]
		}
	}
	views := make([]entityView, 0, len(requests))
	read := map[versionKey]*model.Record{}
	for i, w := range requests {
		if !found[i].Exists {
			continue
		}
		view := viewEntity(found[i], system)
		if err := e.applyVersions(c, w, &view, system, read); err != nil {
			return nil, err
		}
		views = append(views, view)
	}
	return views, nil
}

// versionKey identifies a version of an aspect.
type versionKey struct {
	urn     urn.URN
	aspect  string
	version int64
}

// applyVersions replaces aspects by the versions in a request. It caches the records it reads in
// read, nil for absent ones, so none is read twice.
func (e entities) applyVersions(c *endpoint.Call, w entityRequest, view *entityView, system bool, read map[versionKey]*model.Record) error {
	if len(w.versions) == 0 {
		return nil
	}
	views := view.aspects[:0]
	for _, aspect := range view.aspects {
		version, wanted := w.versions[aspect.name]
		if !wanted {
			views = append(views, aspect)
			continue
		}
		spec, _ := e.Registry.Aspect(aspect.name)
		key := versionKey{w.urn, aspect.name, version}
		rec, known := read[key]
		if !known {
			var err error
			if rec, err = e.version(c, w.urn, spec, version); err != nil && !errors.Is(err, fault.NotFound) {
				return err
			}
			if err != nil {
				rec = nil
			}
			read[key] = rec
		}
		if rec == nil {
			continue
		}
		if err := e.countAnswer(c, len(rec.Value)); err != nil {
			return err
		}
		views = append(views, viewAspect(spec, rec, system))
	}
	view.aspects = views
	return nil
}

// batchRead serves the batch read of v2: one list of aspects for all URNs.
func (e entities) batchRead(c *endpoint.Call) error {
	var body struct {
		URNs               []string `json:"urns"`
		AspectNames        []string `json:"aspectNames"`
		WithSystemMetadata bool     `json:"withSystemMetadata"`
	}
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	if len(body.AspectNames) > endpoint.MaxListItems {
		return tooManyAspects()
	}
	urns, err := e.resolveAll(body.URNs)
	if err != nil {
		return err
	}
	found, err := e.read(c, urns, catalog.EntityQuery{Aspects: e.aspects.All(body.AspectNames), Timeseries: true})
	if err != nil {
		return err
	}
	views := make([]entityView, len(found))
	for i := range found {
		views[i] = viewEntity(found[i], body.WithSystemMetadata)
	}
	return e.shape.send(c, http.StatusOK, []section{{before: `{"entities":`, entities: views}}, "}")
}

func (a *API) resolveAll(texts []string) ([]urn.URN, error) {
	if len(texts) > endpoint.MaxItems {
		return nil, endpoint.TooMany("URNs")
	}
	urns := make([]urn.URN, len(texts))
	for i, text := range texts {
		u, _, err := a.Registry.Resolve(text)
		if err != nil {
			return nil, err
		}
		urns[i] = u
	}
	return urns, nil
}
