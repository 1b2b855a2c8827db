package openapi

import (
	"encoding/json"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// responseShape is the JSON form of an entity in a generation of the API.
type responseShape int

const (
	shapeV3 responseShape = iota // v3: aspects are members beside urn
	shapeV2                      // v2: aspects are members of the member aspects
)

// listMember is the name of the member with the entities of a page.
func (s responseShape) listMember() string {
	if s == shapeV2 {
		return "results"
	}
	return "entities"
}

// aspectView is an aspect in the form for responses.
type aspectView struct {
	name   string
	value  json.RawMessage
	system *model.SystemMetadata // nil when not requested
	stamp  *model.AuditStamp     // nil when there is none, or not requested
}

// entityView is an entity in the form for responses.
type entityView struct {
	urn     string
	aspects []aspectView
	urnOnly bool   // in v2, without the member aspects
	scroll  string // cursor after the entity, empty for none
}

func viewEntity(e catalog.Entity, system bool) entityView {
	v := entityView{urn: string(e.URN), aspects: make([]aspectView, len(e.Aspects))}
	for i, a := range e.Aspects {
		v.aspects[i] = viewAspect(a.Spec, &a.Record, system)
	}
	return v
}

func viewAspect(spec *model.AspectSpec, rec *model.Record, system bool) aspectView {
	v := aspectView{name: spec.Name, value: rec.Value}
	if !system {
		return v
	}
	v.system = shownSystem(&rec.System)
	if !spec.Timeseries {
		v.stamp = &model.AuditStamp{Time: rec.CreatedOn, Actor: rec.CreatedBy, Impersonator: rec.CreatedFor}
	}
	return v
}

// shownSystem removes the default run id, which writers did not send.
func shownSystem(m *model.SystemMetadata) *model.SystemMetadata {
	if m.RunID != model.DefaultRunID && m.LastRunID != model.DefaultRunID {
		return m
	}
	shown := *m
	for _, run := range []*string{&shown.RunID, &shown.LastRunID} {
		if *run == model.DefaultRunID {
			*run = ""
		}
	}
	return &shown
}

// set replaces the aspect of that name or adds it, so the last of several writes counts.
func (v *entityView) set(a aspectView) {
	for i := range v.aspects {
		if v.aspects[i].name == a.name {
			v.aspects[i] = a
			return
		}
	}
	v.aspects = append(v.aspects, a)
}

// appendAspect appends the wrapper of an aspect.
func appendAspect(dst []byte, a aspectView) []byte {
	dst = append(dst, `{"value":`...)
	dst = append(dst, a.value...)
	if a.system != nil {
		dst = appendMember(dst, "systemMetadata", a.system)
	}
	if a.stamp != nil {
		dst = appendMember(dst, "auditStamp", a.stamp)
	}
	return append(dst, '}')
}

// appendMember appends a member with plain data, whose encoding cannot fail.
func appendMember(dst []byte, name string, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("openapi: " + err.Error())
	}
	dst = append(dst, ',', '"')
	dst = append(dst, name...)
	dst = append(dst, '"', ':')
	return append(dst, text...)
}

func (s responseShape) appendEntity(dst []byte, e entityView) []byte {
	dst = append(dst, `{"urn":`...)
	dst = jsontree.AppendString(dst, e.urn)
	inMember := s == shapeV2 && !e.urnOnly
	if inMember {
		dst = append(dst, `,"aspects":{`...)
	}
	for i, a := range e.aspects {
		if i > 0 || s == shapeV3 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendString(dst, a.name)
		dst = append(dst, ':')
		dst = appendAspect(dst, a)
	}
	if inMember {
		dst = append(dst, '}')
	}
	if e.scroll != "" {
		dst = append(dst, `,"scrollId":`...)
		dst = jsontree.AppendString(dst, e.scroll)
	}
	return append(dst, '}')
}

// section is a list of entities in a response, with the text before it.
type section struct {
	before   string
	entities []entityView
}

// flushThreshold is the number of buffered bytes from which on they are sent.
const flushThreshold = 64 << 10

// send responds with lists of entities and the text after them. It encodes and sends one entity
// after another: the whole text would be a second copy of all values, with one more copy for each
// repetition of an entity.
func (s responseShape) send(c *endpoint.Call, status int, sections []section, after string) error {
	answer := c.Response()
	answer.Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	answer.WriteHeader(status)
	var part []byte
	for _, list := range sections {
		part = append(append(part, list.before...), '[')
		for i, e := range list.entities {
			if i > 0 {
				part = append(part, ',')
			}
			if part = s.appendEntity(part, e); len(part) < flushThreshold {
				continue
			}
			if _, err := answer.Write(part); err != nil {
				return err
			}
			part = part[:0]
		}
		part = append(part, ']')
	}
	_, err := answer.Write(append(part, after...))
	return err
}

// sizeOf estimates the length of the JSON text of an entity, rounded up.
func sizeOf(e entityView) int {
	const perEntity, perAspect = 160, 64
	size := perEntity
	for _, a := range e.aspects {
		size += perAspect + len(a.value)
	}
	return size
}
