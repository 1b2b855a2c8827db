package openapi

import (
	"encoding/json"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
)

// rawProposal is a metadata change proposal in the form of files and events.
type rawProposal struct {
	EntityType      string                `json:"entityType"`
	EntityURN       string                `json:"entityUrn"`
	EntityKeyAspect *genericAspect        `json:"entityKeyAspect"`
	ChangeType      model.ChangeType      `json:"changeType"`
	AspectName      string                `json:"aspectName"`
	Aspect          *genericAspect        `json:"aspect"`
	SystemMetadata  *model.SystemMetadata `json:"systemMetadata"`
	Headers         map[string]string     `json:"headers"`
}

// genericAspect is a value as JSON inside a JSON string, or as an object with the name of its
// record in the member __type.
type genericAspect struct {
	ContentType string    `json:"contentType"`
	Value       valueText `json:"value"`
}

// valueText is the JSON text of a value, without the name of its record.
type valueText string

// UnmarshalJSON implements json.Unmarshaler.
func (v *valueText) UnmarshalJSON(text []byte) error {
	if len(text) == 0 || text[0] != '{' {
		return json.Unmarshal(text, (*string)(v))
	}
	value, err := jsontree.DecodeObject(text)
	if err != nil {
		return err
	}
	delete(value, "__type")
	*v = valueText(jsontree.Encode(value))
	return nil
}

func (g *genericAspect) text() json.RawMessage {
	if g == nil {
		return nil
	}
	return json.RawMessage(g.Value)
}

func (a *API) platformPost(c *endpoint.Call) error {
	mode, err := readWriteMode(c, false)
	if err != nil {
		return err
	}
	var proposals []catalog.Proposal
	err = c.EachItem("proposals", func(text json.RawMessage) error {
		var r rawProposal
		if err := endpoint.DecodeAs(text, &r); err != nil {
			return err
		}
		conditions, err := precondition.Parse(r.Headers)
		if err != nil {
			return err
		}
		p := catalog.Proposal{
			EntityType: r.EntityType, URN: r.EntityURN, Key: r.EntityKeyAspect.text(),
			Change: r.ChangeType, Aspect: r.AspectName, Value: r.Aspect.text(), Conditions: conditions,
		}
		if r.SystemMetadata != nil {
			p.System = *r.SystemMetadata
		}
		proposals = append(proposals, p)
		return nil
	})
	if err != nil {
		return err
	}
	return a.writeCommitted(c, proposals, mode)
}
