package graphql

import (
	"context"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Computed fields that return ancestors in a hierarchy.

// maxParents bounds the number of ancestors of an entity.
const maxParents = 50

// ancestors passes the ancestors of an entity to found, nearest first. The ancestors of all
// entities of a response are read together, one level in each round. The walk ends at a cycle, at
// a restricted entity, and at an entity of a type that does not belong to the hierarchy.
func (a *api) ancestors(l *loader, at place, parent func(urn.URN) (aspect, path string), found func(urn.URN)) {
	seen := map[urn.URN]bool{at.URN: true}
	var climb func(name, path string, stored *gqltype.Stored)
	climb = func(name, path string, stored *gqltype.Stored) {
		above := urnAt(stored.Aspects[name], path)
		if above == "" || seen[above] || len(seen) > maxParents {
			return
		}
		if isRestricted(string(above)) {
			found(above) // its ancestors are hidden, too
			return
		}
		_, spec, err := a.Registry.Resolve(string(above))
		if err != nil {
			return
		}
		name, path = parent(above)
		if _, carries := spec.Aspect(name); !carries {
			return // an entity of another type does not belong to the hierarchy
		}
		seen[above] = true
		found(above)
		l.Later(above, []string{name}, func(_ context.Context, stored *gqltype.Stored) { climb(name, path, stored) })
	}
	name, path := parent(at.URN)
	if at.Aspect(name) != nil {
		climb(name, path, at.Entity)
		return
	}
	l.Later(at.URN, []string{name}, func(_ context.Context, stored *gqltype.Stored) { climb(name, path, stored) })
}

// urnAt returns the URN at a path of members, separated by dots.
func urnAt(aspect jsontree.Object, path string) urn.URN {
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		aspect = jsontree.Child(aspect, step)
	}
	return urn.URN(jsontree.Text(aspect, steps[len(steps)-1]))
}

func fixedParent(aspect, path string) func(urn.URN) (string, string) {
	return func(urn.URN) (string, string) { return aspect, path }
}

func glossaryParent(u urn.URN) (string, string) {
	if u.Type() == "glossaryTerm" {
		return "glossaryTermInfo", "parentNode"
	}
	return "glossaryNodeInfo", "parentNode"
}

// ContainerOf returns the container of an entity.
func (a *api) ContainerOf(_ context.Context, l *loader, at place, w *set) (*gqltype.Container, error) {
	u, err := urn.Parse(jsontree.Text(jsontree.AsObject(at.Aspect("container")), "container"))
	if err != nil || u.Type() != "container" && !isRestricted(string(u)) {
		return nil, nil
	}
	return containerOrRestricted(l, u, w), nil
}

// ParentContainers returns the containers around an entity, nearest first.
func (a *api) ParentContainers(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentContainersResult, error) {
	out, want := &gqltype.ParentContainersResult{Containers: []*gqltype.Container{}}, w.Of("ParentContainersResult")["containers"]
	a.ancestors(l, at, fixedParent("container", "container"), func(u urn.URN) {
		out.Count++
		out.Containers = append(out.Containers, containerOrRestricted(l, u, want))
	})
	return out, nil
}

// ParentDomains returns the domains above a domain, nearest first.
func (a *api) ParentDomains(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentDomainsResult, error) {
	out, want := &gqltype.ParentDomainsResult{Domains: []*gqltype.Entity{}}, w.Of("ParentDomainsResult")["domains"]
	a.ancestors(l, at, fixedParent("domainProperties", "parentDomain"), func(u urn.URN) {
		if domain := l.Entity(u, want); domain != nil {
			out.Count++
			out.Domains = append(out.Domains, domain)
		}
	})
	return out, nil
}

// ParentApplications returns the applications above an application that the actor may view,
// nearest first.
func (a *api) ParentApplications(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentApplicationsResult, error) {
	out, want := &gqltype.ParentApplicationsResult{Applications: []*gqltype.Application{}}, w.Of("ParentApplicationsResult")["applications"]
	a.ancestors(l, at, fixedParent("applicationProperties", "parentApplication"), func(u urn.URN) {
		if u.Type() == "application" { // not a restricted entity
			out.Count++
			out.Applications = append(out.Applications, l.Application(u, want))
		}
	})
	return out, nil
}

// ParentNodes returns the glossary nodes above a term or node, nearest first.
func (a *api) ParentNodes(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentNodesResult, error) {
	out, want := &gqltype.ParentNodesResult{Nodes: []*gqltype.GlossaryNode{}}, w.Of("ParentNodesResult")["nodes"]
	a.ancestors(l, at, glossaryParent, func(u urn.URN) {
		out.Count++
		out.Nodes = append(out.Nodes, l.GlossaryNode(u, want))
	})
	return out, nil
}

// ParentDocuments returns the documents above a document, nearest first.
func (a *api) ParentDocuments(_ context.Context, l *loader, at place, w *set) (*gqltype.ParentDocumentsResult, error) {
	out, want := &gqltype.ParentDocumentsResult{Documents: []*gqltype.Document{}}, w.Of("ParentDocumentsResult")["documents"]
	a.ancestors(l, at, fixedParent("documentInfo", "parentDocument.document"), func(u urn.URN) {
		out.Count++
		out.Documents = append(out.Documents, l.Document(u, want))
	})
	return out, nil
}

// ParentDataProducts returns the data products above a data product, nearest first. The result is
// a list without pointer, so it must be complete at once and cannot be filled in later rounds.
func (a *api) ParentDataProducts(ctx context.Context, l *loader, at place, w *set) ([]*gqltype.DataProduct, error) {
	above, err := build(ctx, a, func(l *loader) *[]urn.URN {
		out := []urn.URN{}
		a.ancestors(l, at, fixedParent("dataProductProperties", "parentDataProduct"), func(u urn.URN) { out = append(out, u) })
		return &out
	})
	if err != nil {
		return nil, err
	}
	return loadAll(*above, w, l.DataProduct), nil
}

// ParentMetrics returns the metrics above a metric, nearest first.
func (a *api) ParentMetrics(_ context.Context, l *loader, at place, w *set) (*[]*gqltype.Metric, error) {
	out := []*gqltype.Metric{}
	a.ancestors(l, at, fixedParent("metricRelationships", "parentMetric"), func(u urn.URN) { out = append(out, l.Metric(u, w)) })
	return &out, nil
}
