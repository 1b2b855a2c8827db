package openapi

import (
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

const urnField = "urn"

// scrollBody is the body of POST /openapi/v3/entity/scroll.
type scrollBody struct {
	Entities     []string      `json:"entities"`
	Aspects      *[]string     `json:"aspects"`
	Filter       *scrollFilter `json:"filter"`
	SortCriteria []sortInput   `json:"sortCriteria"`
}

type sortInput struct {
	Field        string `json:"field"`
	Order        string `json:"order"`
	MissingValue string `json:"missingValue"` // FIRST or LAST
}

func (e entities) scroll(c *endpoint.Call) error {
	var body scrollBody
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	l, err := e.scrollListing(c, &body)
	if err != nil {
		return err
	}
	return e.answerPage(c, l)
}

func (e entities) scrollListing(c *endpoint.Call, body *scrollBody) (*listing, error) {
	l := &listing{}
	for _, name := range body.Entities {
		spec, err := e.spec(name)
		if err != nil {
			return nil, err
		}
		l.types = append(l.types, spec.Name)
	}
	if len(l.types) == 0 {
		l.types = endpoint.Listable(e.Registry)
	}
	if err := l.readQuery(c); err != nil {
		return nil, err
	}
	for _, by := range body.SortCriteria {
		if err := l.sortBy(by.Field, by.Order, strings.EqualFold(by.MissingValue, "FIRST")); err != nil {
			return nil, err
		}
	}
	if body.Aspects != nil {
		if len(*body.Aspects) > endpoint.MaxListItems {
			return nil, tooManyAspects()
		}
		l.aspects = append(l.aspects, *body.Aspects...)
	}
	l.urnOnly = body.Aspects == nil && len(l.aspects) == 0
	var err error
	if l.cursors, err = c.Flag("scrollIdPerEntity", false); err != nil {
		return nil, err
	}
	if l.filter, err = body.Filter.buildFilter(); err != nil {
		return nil, err
	}
	skip, err := c.Flag("skipAggregation", true)
	l.facets = !skip
	return l, err
}
