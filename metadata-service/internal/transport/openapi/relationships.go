package openapi

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/graph"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	defaultRelated = 200
	defaultEdges   = 10
	maxEdges       = 5000
)

var (
	directionParam     = spec.NewParam("direction", spec.KindText, "OUTGOING", "OUTGOING or INCOMING.")
	lineageParam       = spec.NewParam("direction", spec.KindText, "", "UPSTREAM or DOWNSTREAM: only edges in which a URN is at the other end; both when absent.")
	relationshipTypes  = spec.NewParam("relationshipTypes", spec.KindList, "", "Names of relationships, repeated; all when absent.")
	relationshipType   = spec.NewParam("relationshipType[]", spec.KindList, "*", "Names of relationships, repeated; * for all.")
	sourceTypesParam   = spec.NewParam("sourceTypes", spec.KindList, "", "Entity types of sources, repeated; all when absent.")
	targetTypesParam   = spec.NewParam("destinationTypes", spec.KindList, "", "Entity types of destinations, repeated; all when absent.")
	relatedSoftDeleted = spec.NewParam("includeSoftDelete", spec.KindFlag, "false", "List relationships with soft-deleted entities, too.")
	edgePageParams     = []spec.Param{
		endpoint.CountParam, scrollParam, relatedSoftDeleted,
		spec.NewParam("sliceId", spec.KindNumber, "", "Number of a slice of a parallel scroll, from 0."),
		spec.NewParam("sliceMax", spec.KindNumber, "", "How many slices there are."),
	}
)

func (a *API) relationshipOperations() []endpoint.Endpoint {
	list := []endpoint.Endpoint{
		{Handle: a.relatedEntities, Operation: spec.Operation{Method: http.MethodGet, Path: "/relationships/v1", Summary: "List the relationships of an entity",
			Query: []spec.Param{spec.NewParam("urn", spec.KindText, "", "The entity."), relationshipTypes, directionParam, endpoint.StartParam, endpoint.CountParam}, Answer: spec.AnyObject}},
	}
	for _, version := range []string{"/v3", "/v2"} {
		list = append(list,
			endpoint.Endpoint{Handle: a.edgesOfType, Operation: spec.Operation{Method: http.MethodGet, Path: version + "/relationship/{relationshipType}",
				Summary: "Scroll through the relationships of a type", Query: edgePageParams, Answer: spec.AnyObject}},
			endpoint.Endpoint{Handle: a.edgesOfEntity, Operation: spec.Operation{Method: http.MethodGet, Path: version + "/relationship/{entityType}/{urn}",
				Summary: "Scroll through the relationships of an entity", Query: slices.Concat(edgePageParams, []spec.Param{relationshipType, directionParam}), Answer: spec.AnyObject}},
		)
	}
	list = append(list,
		endpoint.Endpoint{Handle: a.scrollEdges, Operation: spec.Operation{Method: http.MethodPost, Path: "/v3/relationship/scroll", Summary: "Scroll through relationships by filters on themselves and on their ends",
			Query: slices.Concat(edgePageParams, []spec.Param{relationshipTypes, sourceTypesParam, targetTypesParam, directionParam}), Body: spec.AnyObject, Answer: spec.AnyObject}},
		endpoint.Endpoint{Handle: a.scrollLineage, Operation: spec.Operation{Method: http.MethodPost, Path: "/v3/lineage/scroll", Summary: "Scroll through the lineage edges at some entities",
			Query: slices.Concat(edgePageParams, []spec.Param{relationshipTypes, lineageParam}), Body: spec.AnyObject, Answer: spec.AnyObject}},
	)
	return endpoint.InGroup(list, spec.GroupV3, "Relationships")
}

// relatedEntities serves a page by offset. Clients read pages until count is 0.
func (a *API) relatedEntities(c *endpoint.Call) error {
	u, err := a.decodeTwice(c.QueryParam("urn"))
	if err != nil {
		return err
	}
	q := discover.RelationshipQuery{URN: u}
	if q.Direction, err = directionOf(c, graph.Outgoing); err != nil {
		return err
	}
	if q.Types, err = c.List("relationshipTypes"); err != nil {
		return err
	}
	if q.Start, err = c.Count("start", 0, math.MaxInt32); err != nil {
		return err
	}
	if q.Count, err = c.Count("count", defaultRelated, search.MaxPage); err != nil {
		return err
	}
	page, err := a.Discover.Relationships(c.Ctx(), q)
	if err != nil {
		return err
	}
	entities := make([]any, len(page.Edges))
	for i := range page.Edges {
		e := &page.Edges[i]
		entity := jsontree.Object{"relationshipType": e.Type, "urn": string(graph.Neighbor(e, q.Direction))}
		if e.Via != "" {
			entity["via"] = string(e.Via)
		}
		entities[i] = entity
	}
	tree := jsontree.Object{"start": q.Start, "count": len(entities), "total": page.Total, "entities": entities}
	return c.JSONBlob(http.StatusOK, jsontree.Encode(tree))
}

// decodeTwice parses a URN that some clients percent-encode twice.
func (a *API) decodeTwice(text string) (urn.URN, error) {
	if text == "" {
		return "", fault.New(fault.Malformed, "query parameter urn is missing")
	}
	if strings.HasPrefix(strings.ToLower(text), "urn%3a") {
		if plain, err := url.PathUnescape(text); err == nil {
			text = plain
		}
	}
	u, _, err := a.Registry.Resolve(text)
	return u, err
}

func directionOf(c *endpoint.Call, absent graph.Direction) (graph.Direction, error) {
	switch text := c.QueryParam("direction"); strings.ToUpper(text) {
	case "":
		return absent, nil
	case string(graph.Outgoing):
		return graph.Outgoing, nil
	case string(graph.Incoming):
		return graph.Incoming, nil
	default:
		return "", fault.New(fault.Malformed, "query parameter direction must be OUTGOING or INCOMING, is %q", endpoint.Truncate(text))
	}
}

// edgeQuery reads the parameters that all scrolls of relationships share.
func edgeQuery(c *endpoint.Call) (q discover.EdgeQuery, err error) {
	if q.Count, err = c.Count("count", defaultEdges, maxEdges); err != nil {
		return q, err
	}
	q.Count = max(q.Count, 1)
	if q.IncludeSoftDeleted, err = c.Flag("includeSoftDelete", false); err != nil {
		return q, err
	}
	var l listing
	if err := l.readSlice(c); err != nil {
		return q, err
	}
	q.Slice, q.Slices, q.Scroll = l.slice, l.slices, c.QueryParam("scrollId")
	q.Types, err = c.List("relationshipTypes", "relationshipType[]", "relationshipType")
	if slices.Contains(q.Types, "*") {
		q.Types = nil
	}
	return q, err
}

func (a *API) edgesOfType(c *endpoint.Call) error {
	q, err := edgeQuery(c)
	if err != nil {
		return err
	}
	q.Types = []string{c.PathParams["relationshipType"]}
	return a.answerEdges(c, q, nil)
}

func (a *API) edgesOfEntity(c *endpoint.Call) error {
	u, spec, err := a.Registry.Resolve(c.PathParams["urn"])
	if err != nil {
		return err
	}
	if !strings.EqualFold(spec.Name, c.PathParams["entityType"]) {
		return fault.New(fault.Malformed, "the path says %s, but the URN is of entity type %s", endpoint.Truncate(c.PathParams["entityType"]), spec.Name)
	}
	q, err := edgeQuery(c)
	if err != nil {
		return err
	}
	direction, err := directionOf(c, graph.Outgoing)
	if err != nil {
		return err
	}
	end := search.Filter{{{Field: urnField, Values: []string{string(u)}}}}
	if q.Sources = end; direction == graph.Incoming {
		q.Sources, q.Destinations = nil, end
	}
	return a.answerEdges(c, q, nil)
}

type edgeBody struct {
	Source      *scrollFilter `json:"sourceFilter"`
	Destination *scrollFilter `json:"destinationFilter"`
	Edge        *scrollFilter `json:"edgeFilter"`
}

func (a *API) scrollEdges(c *endpoint.Call) error {
	var body edgeBody
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	q, err := edgeQuery(c)
	if err != nil {
		return err
	}
	if q.SourceTypes, err = c.List("sourceTypes"); err != nil {
		return err
	}
	if q.DestinationTypes, err = c.List("destinationTypes"); err != nil {
		return err
	}
	direction, err := directionOf(c, graph.Outgoing)
	if err != nil {
		return err
	}
	if q.Sources, err = body.Source.buildFilter(); err != nil {
		return err
	}
	if q.Destinations, err = body.Destination.buildFilter(); err != nil {
		return err
	}
	if q.Edge, err = body.Edge.buildFilter(); err != nil {
		return err
	}
	if direction == graph.Incoming {
		// In terms of its destination, source and destination of an edge are exchanged.
		q.Sources, q.Destinations = q.Destinations, q.Sources
		q.SourceTypes, q.DestinationTypes = q.DestinationTypes, q.SourceTypes
	}
	return a.answerEdges(c, q, nil)
}

type lineageBody struct {
	URNs []string `json:"urns"`
}

// scrollLineage lists the lineage edges at the given entities, or all when none are given. With a
// direction it returns only the edges with a given entity at the other end, so pages may be
// short.
func (a *API) scrollLineage(c *endpoint.Call) error {
	var body lineageBody
	if err := c.Decode(endpoint.BodyLimit, &body); err != nil {
		return err
	}
	if len(body.URNs) > endpoint.MaxItems {
		return fault.New(fault.Malformed, "urns: there are %d, at most %d are accepted", len(body.URNs), endpoint.MaxItems)
	}
	q, err := edgeQuery(c)
	if err != nil {
		return err
	}
	requested := map[urn.URN]bool{}
	for _, text := range body.URNs {
		u, _, err := a.Registry.Resolve(text)
		if err != nil {
			return err
		}
		requested[u] = true
		q.Touching = append(q.Touching, u)
	}
	q.LineageOnly = true
	if len(q.Types) == 0 {
		q.Types = a.Discover.LineageNames()
	}
	direction := lineage.Direction(strings.ToUpper(c.QueryParam("direction")))
	if direction != "" && !direction.Valid() {
		return fault.New(fault.Malformed, "query parameter direction must be UPSTREAM or DOWNSTREAM, is %q", endpoint.Truncate(string(direction)))
	}
	return a.answerEdges(c, q, func(ends discover.LineageEnds, tree jsontree.Object) bool {
		tree["upstream"], tree["downstream"] = string(ends.Upstream), string(ends.Downstream)
		switch {
		case len(requested) == 0 || direction == "":
			return true
		case direction == lineage.Upstream:
			return requested[ends.Downstream]
		}
		return requested[ends.Upstream]
	})
}

// answerEdges responds with a page of edges. The function more adds members to each lineage edge
// and returns false to leave it out; it may be nil.
func (a *API) answerEdges(c *endpoint.Call, q discover.EdgeQuery, more func(discover.LineageEnds, jsontree.Object) bool) error {
	page, err := a.Discover.Edges(c.Ctx(), q)
	if err != nil {
		return err
	}
	results := make([]any, 0, len(page.Edges))
	for i := range page.Edges {
		e := &page.Edges[i]
		tree := jsontree.Object{"relationshipType": e.Type, "source": endTree(e.Source), "destination": endTree(e.Destination)}
		if len(e.Properties) > 0 {
			properties, err := jsontree.Decode(e.Properties)
			if err != nil {
				return err
			}
			tree["properties"] = properties
		}
		if more == nil || more(page.Ends[i], tree) {
			results = append(results, tree)
		}
	}
	tree := jsontree.Object{"results": results, "scrollId": nil}
	if page.Next != "" {
		tree["scrollId"] = page.Next
	}
	return c.JSONBlob(http.StatusOK, jsontree.Encode(tree))
}

func endTree(u urn.URN) jsontree.Object {
	return jsontree.Object{"entityType": u.Type(), "urn": string(u)}
}
