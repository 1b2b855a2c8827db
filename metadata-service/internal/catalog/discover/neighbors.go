package discover

import (
	"cmp"
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/graph/lineage"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// LineageListing selects the entities one or a few hops up or down the lineage of an entity.
type LineageListing struct {
	URN                urn.URN
	Direction          lineage.Direction
	MaxHops            int // 0 means 1
	Start, Count       int
	StartTime, EndTime *int64
	SeparateSiblings   bool
	// IncludeGhosts also lists entities that are soft-deleted or were never written.
	IncludeGhosts bool
}

// LineageRow is an entity along lineage. Type and stamps are those of the edge from the root to it;
// they are empty for entities further away.
type LineageRow struct {
	URN              urn.URN
	Type             string
	Degree           int
	Created, Updated model.AuditStamp
	// Manual reports whether a person added the edge.
	Manual bool
	Via    urn.URN
}

// LineageRows is a page of rows, nearest first. Filtered counts the entities omitted because they
// are soft-deleted or were never written.
type LineageRows struct {
	Rows      []LineageRow
	Total     int
	Filtered  int
	Truncated []lineage.Limit
}

// Lineage lists the entities up or down the lineage of an entity.
func (s *Service) Lineage(ctx context.Context, q LineageListing) (LineageRows, error) {
	if q.Start < 0 || q.Count < 0 || q.Count > search.MaxPage {
		return LineageRows{}, fault.New(fault.Malformed, "start %d and count %d are not a page; count may be up to %d", q.Start, q.Count, search.MaxPage)
	}
	asked := LineageQuery{
		URN: q.URN, Direction: q.Direction, MaxHops: max(q.MaxHops, 1), StartTime: q.StartTime, EndTime: q.EndTime, SeparateSiblings: q.SeparateSiblings,
	}
	walked, err := s.walk(ctx, &asked, nil)
	if err != nil {
		return LineageRows{}, err
	}
	nodes := slices.DeleteFunc(walked.Nodes, func(n lineage.Node) bool { return n.Via })
	out := LineageRows{Truncated: walked.Truncated}
	if !q.IncludeGhosts {
		before := len(nodes)
		if nodes, err = s.keepExisting(ctx, nodes); err != nil {
			return LineageRows{}, err
		}
		out.Filtered = before - len(nodes)
	}
	s.restrictedLast(nodes)
	out.Total = len(nodes)
	out.Rows, err = s.lineageRows(ctx, &asked, window(nodes, q.Start, q.Count))
	return out, err
}

// restrictedLast moves nodes that the actor may not view behind the other nodes of the same degree,
// in the order of their concealed URNs: another order would reveal hidden URNs or the time of their
// creation.
func (s *Service) restrictedLast(nodes []lineage.Node) {
	concealed := map[placedURN]urn.URN{}
	for _, n := range nodes {
		if n.Hidden {
			concealed[placedURNOf(n)] = s.conceal(n.Place, n.URN)
		}
	}
	if len(concealed) == 0 {
		return
	}
	slices.SortStableFunc(nodes, func(a, b lineage.Node) int {
		return cmp.Or(cmp.Compare(a.Degree, b.Degree), cmp.Compare(concealed[placedURNOf(a)], concealed[placedURNOf(b)]))
	})
}

// lineageRows returns the rows of a page of nodes.
func (s *Service) lineageRows(ctx context.Context, q *LineageQuery, nodes []lineage.Node) ([]LineageRow, error) {
	if len(nodes) == 0 {
		return []LineageRow{}, nil // a request for only the total reads no edges
	}
	sees, err := s.visibilityTest(ctx, auth.ReadLineage)
	if err != nil {
		return nil, err
	}
	direct, err := s.directEdges(ctx, q, sees, nodes)
	if err != nil {
		return nil, err
	}
	rows := make([]LineageRow, len(nodes))
	edges := make([]model.Edge, len(nodes))
	for i, n := range nodes {
		edges[i] = direct[placedURNOf(n)] // none for nodes further away
	}
	if err := sees.hideVia(edges); err != nil {
		return nil, err
	}
	if err := s.discloseEdges(ctx, edges); err != nil {
		return nil, err
	}
	for i, n := range nodes {
		e := &edges[i]
		if n.Hidden {
			rows[i] = LineageRow{URN: s.conceal(n.Place, n.URN), Degree: n.Degree, Type: e.Type}
			continue
		}
		rows[i] = LineageRow{URN: n.URN, Degree: n.Degree, Type: e.Type, Created: e.Created, Updated: e.Updated, Via: e.Via}
		rows[i].Manual = e.Type != "" && e.Manual()
	}
	return rows, nil
}

func (s *Service) keepExisting(ctx context.Context, nodes []lineage.Node) ([]lineage.Node, error) {
	urns := make([]urn.URN, len(nodes))
	for i := range nodes {
		urns[i] = nodes[i].URN
	}
	hidden := map[urn.URN]bool{}
	if slices.ContainsFunc(nodes, func(n lineage.Node) bool { return n.Hidden }) {
		var err error
		if hidden, err = s.hiddenAmong(ctx, urns); err != nil {
			return nil, err
		}
	}
	// The walk has already checked that the actor may see them.
	there, err := s.Catalog.StoredEntities(ctx, urns...)
	if err != nil {
		return nil, err
	}
	removed, err := s.Catalog.SoftDeleted(ctx, urns)
	if err != nil {
		return nil, err
	}
	var alive []lineage.Node
	for i, n := range nodes {
		// Most columns exist only in the schemas of their tables. Of an entity that the actor may
		// not view, only the existence of an edge to it is shown.
		if n.Hidden && hidden[n.URN] || there[i] && !removed[i] || n.URN.Type() == columnType {
			alive = append(alive, n)
		}
	}
	return alive, nil
}

// directEdges returns the edges in the window between an entity, or its siblings, and those of some
// nodes that are one hop away. Of several edges to a node it returns the first whose owner the actor
// may see.
func (s *Service) directEdges(ctx context.Context, q *LineageQuery, sees visibilityTest, nodes []lineage.Node) (map[placedURN]model.Edge, error) {
	hidden, wanted := map[urn.URN]bool{}, map[placedURN]bool{}
	for _, n := range nodes {
		hidden[n.URN] = hidden[n.URN] || n.Hidden
		wanted[placedURNOf(n)] = true
	}
	roots, err := s.lineageRoots(ctx, q, sees)
	if err != nil {
		return nil, err
	}
	var found []model.Edge
	var ends []placedURN
	window := s.windowOf(q)
	for _, u := range roots {
		steps := s.lineage.Steps(u.Type(), q.Direction)
		err := s.Graph.Expand(ctx, []urn.URN{u}, steps, func(_ int, e *model.Edge) bool {
			end := placedURN{urn: e.Destination}
			if end.urn == u {
				end.urn = e.Source
			}
			if hidden[end.urn] {
				end.place = lineage.PlaceOf(e, end.urn)
			}
			if wanted[end] && window.Keeps(e) {
				found, ends = append(found, *e), append(ends, end)
			}
			return len(found) < lineage.DefaultEdges
		})
		if err != nil {
			return nil, err
		}
	}
	hiddenOwners, err := sees.hiddenOwners(found)
	if err != nil {
		return nil, err
	}
	edges := make(map[placedURN]model.Edge, len(nodes))
	for i := range found {
		if _, known := edges[ends[i]]; !known && !hiddenOwners[found[i].Owner] {
			edges[ends[i]] = found[i]
		}
	}
	return edges, nil
}
