package discover

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Fields of edges that filters may name.
const (
	edgeType       = "relationshipType"
	edgeProperties = "properties."
)

var edgeFields = []string{edgeType, "createdOn", "createdActor", "updatedOn", "updatedActor", "via", "lifecycleOwner"}

// checkEdgeFilter refuses criteria that edges do not support: they have few fields, which are
// compared as a whole.
func checkEdgeFilter(filter search.Filter) error {
	for _, c := range criteria(filter) {
		field := strings.TrimSuffix(c.Field, ".keyword")
		if !slices.Contains(edgeFields, field) && (!strings.HasPrefix(field, edgeProperties) || field == edgeProperties) {
			return fault.New(fault.Malformed, "edgeFilter: field %q is none of %s and %s<name>", field, strings.Join(edgeFields, ", "), edgeProperties)
		}
		if c.Condition != "" && c.Condition != search.Equal {
			return fault.New(fault.Malformed, "edgeFilter: condition %s of field %s is not possible; edges are compared by EQUAL alone", c.Condition, field)
		}
	}
	return nil
}

// edgeTypes returns the relationships to list, nil for all: those of the query, restricted to those
// that every alternative of the filter names. some is false if no relationship qualifies.
func (q *EdgeQuery) edgeTypes() (types []string, some bool) {
	var asked []string
	for _, alternative := range q.Edge {
		i := slices.IndexFunc(alternative, func(c search.Criterion) bool {
			return strings.TrimSuffix(c.Field, ".keyword") == edgeType && !c.Negated
		})
		if i < 0 {
			return q.Types, true
		}
		asked = append(asked, alternative[i].Values...)
	}
	switch {
	case len(q.Edge) == 0:
		return q.Types, true
	case len(q.Types) > 0:
		asked = slices.DeleteFunc(asked, func(t string) bool { return !slices.Contains(q.Types, t) })
	}
	slices.Sort(asked)
	asked = slices.Compact(asked)
	return asked, len(asked) > 0
}

// passesEdgeFilter reports whether an edge matches one alternative of a filter. Every edge passes
// an empty filter.
func passesEdgeFilter(e *model.Edge, filter search.Filter) (bool, error) {
	if len(filter) == 0 {
		return true, nil
	}
	for _, alternative := range filter {
		all := true
		for _, c := range alternative {
			value, err := edgeValue(e, strings.TrimSuffix(c.Field, ".keyword"))
			if err != nil {
				return false, err
			}
			if all = (value != "" && slices.Contains(c.Values, value)) != c.Negated; !all {
				break
			}
		}
		if all {
			return true, nil
		}
	}
	return false, nil
}

// edgeValue returns the text of a field of an edge, empty if it has none.
func edgeValue(e *model.Edge, field string) (string, error) {
	switch field {
	case edgeType:
		return e.Type, nil
	case "createdOn":
		return strconv.FormatInt(e.Created.Time, 10), nil
	case "createdActor":
		return string(e.Created.Actor), nil
	case "updatedOn":
		return strconv.FormatInt(e.Updated.Time, 10), nil
	case "updatedActor":
		return string(e.Updated.Actor), nil
	case "via":
		return string(e.Via), nil
	case "lifecycleOwner":
		return string(e.Owner), nil
	}
	if len(e.Properties) == 0 {
		return "", nil
	}
	properties, err := jsontree.DecodeObject(e.Properties)
	if err != nil {
		return "", err
	}
	switch v := properties[strings.TrimPrefix(field, edgeProperties)].(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	default:
		return string(jsontree.Encode(v)), nil
	}
}
