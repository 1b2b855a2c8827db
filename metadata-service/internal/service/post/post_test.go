package post_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/post"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)"

func text(s string) *string { return &s }

func with(w *servicetest.World, p ...auth.Privilege) *post.Service {
	return post.New(w.Granting(servicetest.Grants{Platform: p}))
}

func TestPostIsKeptAndChanged(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	u, err := with(w, auth.CreateAnnouncements).Create(w.As(t, servicetest.Jo), post.Draft{Kind: post.OnHomePage, Content: post.Content{
		Kind: "LINK", Title: "Read", Link: text("https://example.org"), Media: &post.Media{Kind: "IMAGE", Location: "https://example.org/x.png"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.Pass(time.Second)
	posts, mia := with(w, auth.ManageAnnouncements), w.As(t, servicetest.Mia)
	if err := posts.Update(mia, u, post.OnHomePage, post.Content{Kind: "TEXT", Title: "Never mind", Description: text("Later.")}); err != nil {
		t.Fatal(err)
	}
	want := `{"auditStamp":{"actor":"urn:li:corpuser:mia","time":1772445601000},"content":{"description":"Later.","title":"Never mind","type":"TEXT"},` +
		`"created":1772445600000,"lastModified":1772445601000,"type":"HOME_PAGE_ANNOUNCEMENT"}`
	if got := w.Get(t, u, "postInfo"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for range 2 {
		if err := posts.Delete(mia, u); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	if got := w.Get(t, u, "postInfo"); got != "" {
		t.Errorf("still there: %s", got)
	}
}

func TestPostsNeedPrivileges(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	jo, c := w.As(t, servicetest.Jo), post.Content{Kind: "TEXT", Title: "x"}
	u, err := with(w, auth.ManageAnnouncements).Create(jo, post.Draft{Kind: post.OnHomePage, Content: c})
	if err != nil {
		t.Fatalf("managing is not enough to create: %v", err)
	}
	if _, err := with(w).Create(jo, post.Draft{Kind: post.OnHomePage, Content: c}); !errors.Is(err, fault.Forbidden) {
		t.Errorf("create: %v", err)
	}
	if err := with(w, auth.CreateAnnouncements).Update(jo, u, post.OnHomePage, c); !errors.Is(err, fault.Forbidden) {
		t.Errorf("update: %v", err)
	}
	if err := with(w, auth.CreateAnnouncements).Delete(jo, u); !errors.Is(err, fault.Forbidden) {
		t.Errorf("delete: %v", err)
	}
}

func TestPostOnAColumnNamesIt(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, orders, "schemaMetadata", `{"schemaName":"orders","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},`+
		`"fields":[{"fieldPath":"id","nativeDataType":"bigint","type":{"type":{"com.linkedin.schema.NumberType":{}}}}]}`)
	posts, root := post.New(w.Edit), w.As(t, servicetest.Root)
	d := post.Draft{Kind: post.OnAsset, Content: post.Content{Kind: "TEXT", Title: "Careful"}, Asset: string(orders), Column: "id"}
	u, err := posts.Create(root, d)
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Discover.Search(root, discover.SearchQuery{
		Types: []string{post.EntityType}, Size: 10, Filter: search.Filter{{{Field: "target", Values: []string{"urn:li:schemaField:(" + string(orders) + ",id)"}}}},
	})
	if err != nil || found.Total != 1 || found.Hits[0].URN != u {
		t.Errorf("found %v, %v; want %s", found.Hits, err, u)
	}
	if err := posts.Update(root, u, post.OnHomePage, d.Content); !errors.Is(err, fault.Malformed) {
		t.Errorf("moved to the home page: %v", err)
	}
	d.Column = "gone"
	if _, err := posts.Create(root, d); !errors.Is(err, fault.Malformed) {
		t.Errorf("a column that is not there: %v", err)
	}
}

func TestPostThatIsRefused(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	posts, root := post.New(w.Edit), w.As(t, servicetest.Root)
	good := post.Content{Kind: "TEXT", Title: "x"}
	for name, c := range map[string]struct {
		d    post.Draft
		want fault.Kind
	}{
		"no title":                         {post.Draft{Kind: post.OnHomePage, Content: post.Content{Kind: "TEXT"}}, fault.Malformed},
		"a link to nowhere":                {post.Draft{Kind: post.OnHomePage, Content: post.Content{Kind: "LINK", Title: "x", Link: text("")}}, fault.Malformed},
		"a link that is a script":          {post.Draft{Kind: post.OnHomePage, Content: post.Content{Kind: "LINK", Title: "x", Link: text("javascript:x")}}, fault.Invalid},
		"a picture that is a script":       {post.Draft{Kind: post.OnHomePage, Content: post.Content{Kind: "TEXT", Title: "x", Media: &post.Media{Kind: "IMAGE", Location: "javascript:x"}}}, fault.Invalid},
		"a picture from nowhere":           {post.Draft{Kind: post.OnHomePage, Content: post.Content{Kind: "TEXT", Title: "x", Media: &post.Media{Kind: "IMAGE"}}}, fault.Malformed},
		"on no asset":                      {post.Draft{Kind: post.OnAsset, Content: good}, fault.Malformed},
		"on a column of no asset":          {post.Draft{Kind: post.OnHomePage, Content: good, Column: "id"}, fault.Malformed},
		"on an asset and the home page":    {post.Draft{Kind: post.OnHomePage, Content: good, Asset: string(orders)}, fault.Malformed},
		"on an asset that is not there":    {post.Draft{Kind: post.OnAsset, Content: good, Asset: string(orders)}, fault.Malformed},
		"of a kind the model knows not of": {post.Draft{Kind: "RUMOUR", Content: good}, fault.Invalid},
	} {
		if u, err := posts.Create(root, c.d); fault.KindOf(err) != c.want {
			t.Errorf("%s: %s, %v", name, u, err)
		}
	}
	if err := posts.Update(root, "urn:li:post:gone", post.OnHomePage, good); !errors.Is(err, fault.Malformed) {
		t.Errorf("one that is not there: %v", err)
	}
}
