package asset_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/asset"
	"github.com/cartulary/cartulary/metadata-service/internal/service/domain"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/glossary"
	"github.com/cartulary/cartulary/metadata-service/internal/service/owner"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	ghost   urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.ghost,PROD)"
	column  urn.URN = "urn:li:schemaField:(" + orders + ",id)"
	daily   urn.URN = "urn:li:chart:(looker,daily)"
	pii     urn.URN = "urn:li:tag:pii"
	shop    urn.URN = "urn:li:domain:shop"
	finance urn.URN = "urn:li:glossaryNode:finance"
	income  urn.URN = "urn:li:glossaryNode:income"
	revenue urn.URN = "urn:li:glossaryTerm:revenue"
	sales   urn.URN = "urn:li:dataProduct:sales"
	loose   urn.URN = "urn:li:dataProduct:loose"
	email   urn.URN = "urn:li:businessAttribute:email"
	phone   urn.URN = "urn:li:businessAttribute:phone"
	team    urn.URN = "urn:li:corpGroup:team"
	memo    urn.URN = "urn:li:document:memo"
)

const stamp = `{"time":1,"actor":"urn:li:corpuser:mia"}`

func world(t *testing.T) *servicetest.World {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	w.Put(t, orders, "schemaMetadata", `{"schemaName":"orders","platform":"urn:li:dataPlatform:postgres","version":0,"hash":"",
		"platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
		"fields":[{"fieldPath":"id","nativeDataType":"int","type":{"type":{"com.linkedin.schema.NumberType":{}}}}]}`)
	w.Put(t, daily, "chartInfo", `{"title":"Daily","description":"","lastModified":{"created":`+stamp+`,"lastModified":`+stamp+`}}`)
	w.Put(t, pii, "tagProperties", `{"name":"PII","colorHex":"#fff"}`)
	w.Put(t, shop, "domainProperties", `{"name":"Shop"}`)
	w.Put(t, finance, "glossaryNodeInfo", `{"name":"Finance","definition":""}`)
	w.Put(t, income, "glossaryNodeInfo", `{"name":"Income","definition":"","parentNode":"`+string(finance)+`"}`)
	w.Put(t, revenue, "glossaryTermInfo", `{"name":"Revenue","definition":"What comes in.","termSource":"INTERNAL","parentNode":"`+string(income)+`"}`)
	w.Put(t, sales, "dataProductProperties", `{"name":"Sales"}`)
	w.Put(t, sales, "domains", `{"domains":["`+string(shop)+`"]}`)
	w.Put(t, loose, "dataProductProperties", `{"name":"Loose"}`)
	w.Put(t, email, "businessAttributeInfo", `{"fieldPath":"email","name":"Email","created":`+stamp+`,"lastModified":`+stamp+`}`)
	w.Put(t, phone, "businessAttributeInfo", `{"fieldPath":"phone","name":"Phone","created":`+stamp+`,"lastModified":`+stamp+`}`)
	w.Put(t, team, "corpGroupInfo", `{"displayName":"Team","admins":[],"members":[],"groups":[]}`)
	w.Put(t, memo, "documentInfo", `{"title":"Memo","status":{"state":"PUBLISHED"},"contents":{"text":"old"},"created":`+stamp+`,"lastModified":`+stamp+`}`)
	return w
}

func service(e *edit.Editor) *asset.Service {
	return asset.New(e, owner.New(e), glossary.New(e), domain.New(e))
}

// over grants privileges on one entity.
func over(u urn.URN, p ...auth.Privilege) servicetest.Grants {
	return servicetest.Grants{Over: map[urn.URN][]auth.Privilege{u: p}}
}

func platform(p ...auth.Privilege) servicetest.Grants { return servicetest.Grants{Platform: p} }

// wants fails unless the error has the kind, or is nil for a negative kind.
func wants(t *testing.T, err error, kind fault.Kind) {
	t.Helper()
	switch {
	case kind < 0 && err != nil:
		t.Errorf("got %v", err)
	case kind >= 0 && (err == nil || fault.KindOf(err) != kind):
		t.Errorf("got %v, want a failure of the kind %s", err, kind)
	}
}

const fine fault.Kind = -1

// holds fails unless the canonical JSON of an aspect contains a text.
func holds(t *testing.T, w *servicetest.World, u urn.URN, aspect, part string) {
	t.Helper()
	if got := w.Get(t, u, aspect); !strings.Contains(got, part) {
		t.Errorf("%s of %s is %s, want %s in it", aspect, u, got, part)
	}
}

func TestWhoMayDescribe(t *testing.T) {
	t.Parallel()
	w := world(t)
	onColumn := asset.Column{Path: "id", Kind: "DATASET_FIELD"}
	for _, c := range []struct {
		name   string
		grants servicetest.Grants
		of     urn.URN
		column asset.Column
		kind   fault.Kind
	}{
		{"nobody in particular", servicetest.Grants{}, orders, asset.Column{}, fault.Forbidden},
		{"who may edit documentation", over(orders, auth.EditDocs), orders, asset.Column{}, fine},
		{"who may edit everything", over(orders, auth.EditEntity), orders, asset.Column{}, fine},
		{"who may edit columns, the dataset", over(orders, auth.EditColumnDocs), orders, asset.Column{}, fault.Forbidden},
		{"who may edit columns", over(orders, auth.EditColumnDocs), orders, onColumn, fine},
		{"who may edit documentation, a column", over(orders, auth.EditDocs), orders, onColumn, fault.Forbidden},
		{"who keeps the glossary", platform(auth.ManageGlossaries), revenue, asset.Column{}, fine},
		{"who keeps what is right below the parent", over(income, auth.ManageGlossaryChildren), revenue, asset.Column{}, fine},
		{"who keeps what is right below the grandparent", over(finance, auth.ManageGlossaryChildren), revenue, asset.Column{}, fault.Forbidden},
		{"who keeps everything below the grandparent", over(finance, auth.ManageGlossaryBelow), revenue, asset.Column{}, fine},
		{"who keeps domains, without a right over documentation", platform(auth.ManageDomains), shop, asset.Column{}, fault.Forbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			wants(t, service(w.Granting(c.grants)).Describe(w.As(t, servicetest.Jo), string(c.of), c.column, "said"), c.kind)
		})
	}
}

func TestDescriptionsKeepTheRest(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Edit)
	for _, c := range []struct {
		of           urn.URN
		aspect, part string
	}{
		{orders, "editableDatasetProperties", `"description":"said"`},
		{pii, "tagProperties", `"colorHex":"#fff","description":"said","name":"PII"`},
		{revenue, "glossaryTermInfo", `"definition":"said","name":"Revenue","parentNode"`},
		{email, "businessAttributeInfo", `"description":"said","fieldPath":"email"`},
		{memo, "documentInfo", `"contents":{"text":"said"}`},
	} {
		wants(t, s.Describe(w.As(t, servicetest.Root), string(c.of), asset.Column{}, "said"), fine)
		holds(t, w, c.of, c.aspect, c.part)
	}
}

func TestDescriptionsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, c := range []struct {
		name, of string
		column   asset.Column
		text     string
	}{
		{"a path without its kind", string(orders), asset.Column{Path: "id"}, "x"},
		{"a kind without a path", string(orders), asset.Column{Kind: "DATASET_FIELD"}, "x"},
		{"a column of a chart", string(daily), asset.Column{Path: "id", Kind: "DATASET_FIELD"}, "x"},
		{"a column that is not in the schema", string(orders), asset.Column{Path: "nope", Kind: "DATASET_FIELD"}, "x"},
		{"a chart", string(daily), asset.Column{}, "x"},
		{"an entity that is not there", string(ghost), asset.Column{}, "x"},
		{"no URN", "orders", asset.Column{}, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wants(t, service(w.Edit).Describe(w.As(t, servicetest.Root), c.of, c.column, c.text), fault.Malformed)
		})
	}
	wants(t, service(w.Edit).Describe(w.As(t, servicetest.Root), string(orders), asset.Column{}, strings.Repeat("x", edit.MaxText+1)), fault.TooLarge)
}

func TestWhoMayRename(t *testing.T) {
	t.Parallel()
	w := world(t)
	for _, c := range []struct {
		name   string
		grants servicetest.Grants
		of     urn.URN
		kind   fault.Kind
	}{
		{"a dataset, by its properties", over(orders, auth.EditProperties), orders, fine},
		{"a dataset, by its documentation", over(orders, auth.EditDocs), orders, fault.Forbidden},
		{"a domain", platform(auth.ManageDomains), shop, fine},
		{"a domain, by everything about it", over(shop, auth.EditEntity), shop, fault.Forbidden},
		{"a group", platform(auth.ManageUsers), team, fine},
		{"a group, by everything about it", over(team, auth.EditEntity), team, fault.Forbidden},
		{"a term", over(income, auth.ManageGlossaryChildren), revenue, fine},
		{"a node at the root, by what is below it", over(finance, auth.ManageGlossaryBelow), finance, fault.Forbidden},
		{"a product, by its domain", over(shop, auth.ManageDataProducts), sales, fine},
		{"a product, by everything about it", over(sales, auth.EditEntity), sales, fine},
		{"a product, by its documentation", over(sales, auth.EditDocs), sales, fault.Forbidden},
		{"a product, by products of another domain", over("urn:li:domain:other", auth.ManageDataProducts), sales, fault.Forbidden},
		{"a product, by everything about its domain", over(shop, auth.EditEntity), sales, fault.Forbidden},
		{"a product, by another product", over(loose, auth.EditEntity), sales, fault.Forbidden},
		{"a product in no domain, by products of a domain", over(shop, auth.ManageDataProducts), loose, fault.Forbidden},
		{"a product in no domain", over(loose, auth.EditEntity), loose, fine},
		{"a business attribute", platform(auth.ManageBusinessAttribute), email, fine},
		{"a chart", over(daily, auth.EditEntity), daily, fault.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			wants(t, service(w.Granting(c.grants)).Rename(w.As(t, servicetest.Jo), string(c.of), "Named anew"), c.kind)
		})
	}
}

func TestNamesOfSiblings(t *testing.T) {
	t.Parallel()
	w := world(t)
	s := service(w.Edit)
	root := w.As(t, servicetest.Root)
	w.Put(t, "urn:li:glossaryTerm:profit", "glossaryTermInfo", `{"name":"Profit","definition":"","termSource":"INTERNAL","parentNode":"`+string(income)+`"}`)
	w.Put(t, "urn:li:glossaryTerm:apart", "glossaryTermInfo", `{"name":"Apart","definition":"","termSource":"INTERNAL"}`)
	w.Put(t, "urn:li:domain:web", "domainProperties", `{"name":"Web"}`)
	wants(t, s.Rename(root, string(revenue), "Profit"), fault.Malformed)
	wants(t, s.Rename(root, string(revenue), "Apart"), fine)
	wants(t, s.Rename(root, string(revenue), "Apart"), fine)
	wants(t, s.Rename(root, string(email), "Phone"), fault.Conflict)
	wants(t, s.Rename(root, string(email), "Mail"), fine)
	wants(t, s.Rename(root, "urn:li:domain:web", "Shop"), fault.Conflict)
	wants(t, s.Rename(root, string(orders), " "), fault.Malformed)
	wants(t, s.Rename(root, string(ghost), "x"), fault.Malformed)
}

func TestOneOfManyGetsAName(t *testing.T) {
	t.Parallel()
	w := world(t)
	const (
		other urn.URN = "urn:li:glossaryTerm:other"
		third urn.URN = "urn:li:glossaryTerm:third"
	)
	for _, u := range []urn.URN{other, third} {
		w.Put(t, u, "glossaryTermInfo", `{"name":"`+u.Key()+`","definition":"","termSource":"INTERNAL","parentNode":"`+string(income)+`"}`)
	}
	s, ctx := service(w.Edit), w.As(t, servicetest.Root)
	for name, list := range map[string][]urn.URN{"Only one": {revenue, other, third}, "Contact": {email, phone}} {
		var named atomic.Int64
		var group sync.WaitGroup
		for _, u := range list {
			group.Go(func() {
				if s.Rename(ctx, string(u), name) == nil {
					named.Add(1)
				}
			})
		}
		group.Wait()
		if named.Load() != 1 {
			t.Errorf("%d entities got the name %s", named.Load(), name)
		}
	}
}
