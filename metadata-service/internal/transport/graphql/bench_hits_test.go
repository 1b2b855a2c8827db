package graphql_test

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

type (
	searchAnswer struct {
		Found *shownHits `json:"searchAcrossEntities"`
	}
	shownHits struct {
		Start int        `json:"start"`
		Count int        `json:"count"`
		Total int        `json:"total"`
		Hits  []shownHit `json:"searchResults"`
	}
	shownHit struct {
		Entity  any          `json:"entity"`
		Matched []shownMatch `json:"matchedFields"`
	}
	shownMatch struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// hitDataset is a dataset in the form of a hit, hitTitled a dashboard or a chart.
	hitDataset struct {
		URN        string         `json:"urn"`
		Type       string         `json:"type"`
		Name       string         `json:"name"`
		Platform   *shownPlatform `json:"platform"`
		Properties *hitAbout      `json:"properties"`
	}
	hitAbout struct {
		Description *string `json:"description"`
	}
	hitTitled struct {
		URN        string         `json:"urn"`
		Type       string         `json:"type"`
		Properties *hitTitle      `json:"properties"`
		Platform   *shownPlatform `json:"platform"`
	}
	hitTitle struct {
		Name        string  `json:"name"`
		Description *string `json:"description"`
	}
)

// searchRequest is the input of searchPage.
type searchRequest struct {
	Types []string `json:"types"`
	Query string   `json:"query"`
	Start int      `json:"start"`
	Count int      `json:"count"`
}

// hit is a hit under construction: its platform is read when the platforms of all hits are known.
type hit struct {
	show     func(*shownPlatform) any
	platform urn.URN
}

func (r pageReads) search(ctx context.Context, in searchRequest) (*shownHits, error) {
	names := map[string]string{"DATASET": "dataset", "DASHBOARD": "dashboard", "CHART": "chart"}
	q := discover.SearchQuery{Text: in.Query, From: in.Start, Size: in.Count, Facets: []string{}, Highlight: true}
	for _, t := range in.Types {
		q.Types = append(q.Types, names[t])
	}
	found, err := r.discover.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	shown, err := r.hits(ctx, found.Hits)
	if err != nil {
		return nil, err
	}
	out := &shownHits{Start: in.Start, Count: in.Count, Total: int(found.Total), Hits: []shownHit{}}
	for _, h := range found.Hits {
		matched := []shownMatch{}
		for _, m := range h.Matched {
			matched = append(matched, shownMatch{m.Field, m.Value})
		}
		out.Hits = append(out.Hits, shownHit{shown[h.URN], matched})
	}
	return out, nil
}

// hits reads the data of the hits: one read for each type, then the platforms.
func (r pageReads) hits(ctx context.Context, found []search.Hit) (map[urn.URN]any, error) {
	byType := map[string][]urn.URN{}
	for _, h := range found {
		byType[h.Type] = append(byType[h.Type], h.URN)
	}
	kinds := map[string]struct {
		aspects []string
		build   func(catalog.Entity) (hit, error)
	}{
		"dataset":   {[]string{"datasetKey", "datasetProperties"}, hitOfDataset},
		"dashboard": {[]string{"dashboardKey", "dashboardInfo"}, hitOfTitled("DASHBOARD", "dashboardInfo")},
		"chart":     {[]string{"chartKey", "chartInfo"}, hitOfTitled("CHART", "chartInfo")},
	}
	built := make(map[urn.URN]hit, len(found))
	var platforms []urn.URN
	known := map[urn.URN]bool{}
	for kind, urns := range byType {
		entities, err := r.read(ctx, urns, kinds[kind].aspects...)
		if err != nil {
			return nil, err
		}
		for _, e := range entities {
			h, err := kinds[kind].build(e)
			if err != nil {
				return nil, err
			}
			built[e.URN] = h
			if !known[h.platform] {
				known[h.platform] = true
				platforms = append(platforms, h.platform)
			}
		}
	}
	of, err := r.platforms(ctx, platforms)
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]any, len(built))
	for u, h := range built {
		out[u] = h.show(of[h.platform])
	}
	return out, nil
}

func hitOfDataset(e catalog.Entity) (hit, error) {
	key, err := aspect[datasetKey](e, "datasetKey")
	if err != nil {
		return hit{}, err
	}
	props, err := aspect[datasetProperties](e, "datasetProperties")
	if err != nil {
		return hit{}, err
	}
	out := &hitDataset{URN: string(e.URN), Type: "DATASET", Name: key.Name}
	if props != nil {
		out.Properties = &hitAbout{props.Description}
		if props.Name != "" {
			out.Name = props.Name
		}
	}
	return hit{func(p *shownPlatform) any { out.Platform = p; return out }, key.Platform}, nil
}

func hitOfTitled(kind, aspectName string) func(catalog.Entity) (hit, error) {
	return func(e catalog.Entity) (hit, error) {
		info, err := aspect[titled](e, aspectName)
		if err != nil {
			return hit{}, err
		}
		out := &hitTitled{URN: string(e.URN), Type: kind}
		if info != nil {
			out.Properties = &hitTitle{info.Title, info.Description}
		}
		tool, err := aspect[struct {
			Dashboard string `json:"dashboardTool"`
			Chart     string `json:"dashboardId"`
		}](e, e.URN.Type()+"Key")
		if err != nil {
			return hit{}, err
		}
		return hit{func(p *shownPlatform) any { out.Platform = p; return out }, urn.URN("urn:li:dataPlatform:" + tool.Dashboard)}, nil
	}
}
