package openapi

import (
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
)

// wrapper is an aspect in the body of a write.
type wrapper struct {
	value   json.RawMessage
	system  *model.SystemMetadata
	headers map[string]string
}

// parseWrapper parses a wrapper from valid JSON.
func parseWrapper(text json.RawMessage) (wrapper, error) {
	var w wrapper
	if endpoint.FirstByte(text) != '{' {
		return w, endpoint.BodyError("an aspect must be an object with the member value")
	}
	err := jsontree.Members(text, func(name string, member json.RawMessage) error {
		switch name {
		case "value":
			w.value = member
		case "systemMetadata":
			return endpoint.DecodeMember(name, member, &w.system)
		case "headers":
			return endpoint.DecodeMember(name, member, &w.headers)
		}
		return nil
	})
	return w, err
}

// proposal returns the proposal for a wrapper.
func (w wrapper) proposal(change model.ChangeType, entityType, u, aspect string) (catalog.Proposal, error) {
	if len(w.value) == 0 || w.value[0] == 'n' {
		return catalog.Proposal{}, endpoint.BodyError("aspect " + endpoint.Truncate(aspect) + " of " + endpoint.Truncate(u) + " has no value")
	}
	conditions, err := precondition.Parse(w.headers)
	if err != nil {
		return catalog.Proposal{}, fault.Wrap(err, fault.Malformed, "aspect %s: %s", endpoint.Truncate(aspect), fault.Message(err))
	}
	p := catalog.Proposal{EntityType: entityType, URN: u, Change: change, Aspect: aspect, Value: w.value, Conditions: conditions}
	if w.system != nil {
		p.System = *w.system
	}
	return p, nil
}

// proposals appends the proposals in a list of entities.
func (e entities) proposals(list []catalog.Proposal, change model.ChangeType, entityType string, text []byte) ([]catalog.Proposal, error) {
	err := jsontree.Elements(text, func(entity json.RawMessage) error {
		if endpoint.FirstByte(entity) != '{' {
			return endpoint.BodyError("each element must be an object with a urn and aspects")
		}
		start := len(list)
		var u string
		use := func(name string, value json.RawMessage) (err error) {
			list, err = appendProposal(list, change, entityType, name, value)
			return err
		}
		err := jsontree.Members(entity, func(name string, value json.RawMessage) error {
			switch {
			case name == "urn":
				if json.Unmarshal(value, &u) != nil {
					return endpoint.BodyError("Missing 'urn' field: it must be a string")
				}
				return nil
			case e.shape == shapeV3:
				return use(name, value)
			case name == "aspects" && endpoint.FirstByte(value) == '{':
				return jsontree.Members(value, use)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if u == "" {
			return endpoint.BodyError("Missing 'urn' field in an element of the body")
		}
		if e.shape == shapeV2 && len(list) == start {
			return endpoint.BodyError("Missing aspects field of " + endpoint.Truncate(u))
		}
		for i := start; i < len(list); i++ {
			list[i].URN = u
		}
		return nil
	})
	return list, err
}

// appendProposal appends the proposal for one aspect; null counts as no aspect. The URN is set
// after the whole entity has been read.
func appendProposal(list []catalog.Proposal, change model.ChangeType, entityType, name string, value json.RawMessage) ([]catalog.Proposal, error) {
	if endpoint.FirstByte(value) == 'n' {
		return list, nil
	}
	if len(list) == endpoint.MaxItems {
		return list, endpoint.TooMany("aspects")
	}
	if endpoint.FirstByte(value) != '{' {
		return list, endpoint.BodyError("aspect " + endpoint.Truncate(name) + " must be an object with the member value")
	}
	w, err := parseWrapper(value)
	if err != nil {
		return list, err
	}
	p, err := w.proposal(change, entityType, "", name)
	if err != nil {
		return list, err
	}
	return append(list, p), nil
}
