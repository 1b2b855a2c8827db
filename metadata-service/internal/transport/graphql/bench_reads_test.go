package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/pkg/urn"
)

// page is a document of a client, with its variables.
type page struct{ name, document, variables string }

// datasetPage selects 30 fields of a dataset, searchPage 20 hits.
func datasetPage() page {
	return page{"dataset page", `query datasetPage($urn: String!) {
  dataset(urn: $urn) {
    urn type name
    platform { urn name properties { displayName } }
    properties { name description qualifiedName externalUrl customProperties { key value } }
    ownership { owners { type owner { ... on CorpUser { urn username } ... on CorpGroup { urn name } } } }
    tags { tags { tag { urn name } } }
  }
}`, `{"urn":"urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)"}`}
}

func searchPage() page {
	return page{"search page", `query searchPage($input: SearchAcrossEntitiesInput!) {
  searchAcrossEntities(input: $input) {
    start count total
    searchResults {
      entity {
        urn type
        ... on Dataset { name platform { urn name properties { displayName } } properties { description } }
        ... on Dashboard { properties { name description } platform { urn name properties { displayName } } }
        ... on Chart { properties { name description } platform { urn name properties { displayName } } }
      }
      matchedFields { name value }
    }
  }
}`, `{"input":{"types":["DATASET","DASHBOARD","CHART"],"query":"order","start":0,"count":20}}`}
}

// pageReads reads the data of the pages for the other executors, from the same catalog and with
// the same number of reads: the references of an entity in one read for each type. The results
// are plain structs.
type pageReads struct {
	catalog  *catalog.Service
	discover *discover.Service
}

type (
	datasetAnswer struct {
		Dataset *shownDataset `json:"dataset"`
	}
	shownDataset struct {
		URN        string          `json:"urn"`
		Type       string          `json:"type"`
		Name       string          `json:"name"`
		Platform   *shownPlatform  `json:"platform"`
		Properties *shownProps     `json:"properties"`
		Ownership  *shownOwnership `json:"ownership"`
		Tags       *shownTags      `json:"tags"`
	}
	shownPlatform struct {
		URN        string             `json:"urn"`
		Name       string             `json:"name"`
		Properties *shownPlatformInfo `json:"properties"`
	}
	shownPlatformInfo struct {
		DisplayName *string `json:"displayName"`
	}
	shownProps struct {
		Name             string       `json:"name"`
		Description      *string      `json:"description"`
		QualifiedName    *string      `json:"qualifiedName"`
		ExternalURL      *string      `json:"externalUrl"`
		CustomProperties []shownEntry `json:"customProperties"`
	}
	shownEntry struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	shownOwnership struct {
		Owners []shownOwner `json:"owners"`
	}
	shownOwner struct {
		Type  string `json:"type"`
		Owner any    `json:"owner"`
	}
	shownUser struct {
		URN      string `json:"urn"`
		Username string `json:"username"`
	}
	shownGroup struct {
		URN  string `json:"urn"`
		Name string `json:"name"`
	}
	shownTags struct {
		Tags []shownTagged `json:"tags"`
	}
	shownTagged struct {
		Tag shownTag `json:"tag"`
	}
	shownTag struct {
		URN  string `json:"urn"`
		Name string `json:"name"`
	}
)

// JSON forms of aspects
type (
	platformInfo struct {
		DisplayName *string `json:"displayName"`
	}
	owners struct {
		Owners []struct {
			Owner urn.URN `json:"owner"`
			Type  string  `json:"type"`
		} `json:"owners"`
	}
	tags struct {
		Tags []struct {
			Tag urn.URN `json:"tag"`
		} `json:"tags"`
	}
	datasetKey struct {
		Platform urn.URN `json:"platform"`
		Name     string  `json:"name"`
	}
	datasetProperties struct {
		Name             string            `json:"name"`
		Description      *string           `json:"description"`
		QualifiedName    *string           `json:"qualifiedName"`
		ExternalURL      *string           `json:"externalUrl"`
		CustomProperties map[string]string `json:"customProperties"`
	}
	titled struct {
		Title       string  `json:"title"`
		Description *string `json:"description"`
	}
)

func (r pageReads) read(ctx context.Context, urns []urn.URN, aspects ...string) ([]catalog.Entity, error) {
	if len(urns) == 0 {
		return nil, nil
	}
	return r.catalog.Entities(ctx, urns, catalog.EntityQuery{Aspects: aspects, AlwaysKey: true})
}

// aspect decodes one aspect of an entity, nil when it is absent.
func aspect[T any](e catalog.Entity, name string) (*T, error) {
	found, ok := e.Find(name)
	if !ok {
		return nil, nil
	}
	out := new(T)
	if err := json.Unmarshal(found.Value, out); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", name, e.URN, err)
	}
	return out, nil
}

func (r pageReads) dataset(ctx context.Context, u urn.URN) (*shownDataset, error) {
	found, err := r.read(ctx, []urn.URN{u}, "datasetKey", "datasetProperties", "ownership", "globalTags")
	if err != nil {
		return nil, err
	}
	key, err := aspect[datasetKey](found[0], "datasetKey")
	if err != nil {
		return nil, err
	}
	props, err := aspect[datasetProperties](found[0], "datasetProperties")
	if err != nil {
		return nil, err
	}
	out := &shownDataset{URN: string(u), Type: "DATASET", Name: key.Name}
	if props != nil {
		out.Name, out.Properties = props.Name, showProperties(props)
	}
	platforms, err := r.platforms(ctx, []urn.URN{key.Platform})
	if err != nil {
		return nil, err
	}
	out.Platform = platforms[key.Platform]
	if out.Ownership, err = r.ownership(ctx, found[0]); err != nil {
		return nil, err
	}
	out.Tags, err = r.tags(ctx, found[0])
	return out, err
}

func showProperties(p *datasetProperties) *shownProps {
	out := &shownProps{Name: p.Name, Description: p.Description, QualifiedName: p.QualifiedName, ExternalURL: p.ExternalURL, CustomProperties: []shownEntry{}}
	for k, v := range p.CustomProperties {
		out.CustomProperties = append(out.CustomProperties, shownEntry{k, v})
	}
	slices.SortFunc(out.CustomProperties, func(a, b shownEntry) int { return strings.Compare(a.Key, b.Key) })
	return out
}

func (r pageReads) platforms(ctx context.Context, urns []urn.URN) (map[urn.URN]*shownPlatform, error) {
	found, err := r.read(ctx, urns, "dataPlatformInfo")
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]*shownPlatform, len(found))
	for _, e := range found {
		info, err := aspect[platformInfo](e, "dataPlatformInfo")
		if err != nil {
			return nil, err
		}
		shown := &shownPlatform{URN: string(e.URN), Name: e.URN.Key()}
		if info != nil {
			shown.Properties = &shownPlatformInfo{info.DisplayName}
		}
		out[e.URN] = shown
	}
	return out, nil
}

func (r pageReads) ownership(ctx context.Context, e catalog.Entity) (*shownOwnership, error) {
	stored, err := aspect[owners](e, "ownership")
	if stored == nil || err != nil {
		return nil, err
	}
	byType := map[string][]urn.URN{}
	for _, o := range stored.Owners {
		byType[o.Owner.Type()] = append(byType[o.Owner.Type()], o.Owner)
	}
	shown := map[urn.URN]any{}
	for kind, urns := range byType {
		found, err := r.read(ctx, urns)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			if kind == "corpGroup" {
				shown[e.URN] = &shownGroup{URN: string(e.URN), Name: e.URN.Key()}
				continue
			}
			shown[e.URN] = &shownUser{URN: string(e.URN), Username: e.URN.Key()}
		}
	}
	out := &shownOwnership{Owners: []shownOwner{}}
	for _, o := range stored.Owners {
		out.Owners = append(out.Owners, shownOwner{o.Type, shown[o.Owner]})
	}
	return out, nil
}

func (r pageReads) tags(ctx context.Context, e catalog.Entity) (*shownTags, error) {
	stored, err := aspect[tags](e, "globalTags")
	if stored == nil || err != nil {
		return nil, err
	}
	var urns []urn.URN
	for _, t := range stored.Tags {
		urns = append(urns, t.Tag)
	}
	found, err := r.read(ctx, urns)
	if err != nil {
		return nil, err
	}
	out := &shownTags{Tags: []shownTagged{}}
	for _, e := range found {
		out.Tags = append(out.Tags, shownTagged{shownTag{URN: string(e.URN), Name: e.URN.Key()}})
	}
	return out, nil
}
