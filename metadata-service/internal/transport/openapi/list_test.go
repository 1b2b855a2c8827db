package openapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
)

// pages follows scrollId to the last page and returns the URNs of all pages.
func (s *service) pages(request, member, body string) []string {
	s.t.Helper()
	var urns []string
	next := ""
	for range 100 {
		target := request
		if next != "" {
			target += "&scrollId=" + url.QueryEscape(next)
		}
		page := s.ok(target, body)
		for _, e := range at(s.t, page, member).([]any) {
			urns = append(urns, at(s.t, e, "urn").(string))
		}
		next, _ = at(s.t, page, "scrollId").(string)
		if next == "" {
			return urns
		}
	}
	s.t.Fatal("the pages do not end")
	return nil
}

func (s *service) tags(n int) []string {
	s.t.Helper()
	var urns []string
	for i := range n {
		urns = append(urns, s.tag(fmt.Sprintf("t%02d", i)))
	}
	return urns
}

func TestListsHaveEachEntityOnce(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	want := s.tags(7)
	for _, count := range []int{1, 3, 7, 99999} {
		for request, member := range map[string]string{
			"GET /openapi/v3/entity/Tag?sort=urn&sortOrder=ASCENDING&query=*&": "entities",
			"GET /openapi/v3/entity/tag?query=/q%20*&sortCriteria=urn&":        "entities",
			"GET /openapi/v2/entity/tag?sort=urn&":                             "results",
		} {
			if got := s.pages(fmt.Sprintf("%scount=%d", request, count), member, ""); !slices.Equal(got, want) {
				t.Errorf("%s with pages of %d lists %v, want %v", request, count, got, want)
			}
		}
	}
}

func TestPagesHaveTheirExactForm(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tags(2)
	s.want("GET /openapi/v3/entity/tag?aspects=tagKey", "", 200,
		`{"scrollId":null,"entities":[{"urn":"urn:li:tag:t00","tagKey":{"value":{"name":"t00"}}},{"urn":"urn:li:tag:t01","tagKey":{"value":{"name":"t01"}}}],"facets":[{"aggregations":{"tag":2},"field":"entity"}],"totalCount":2}`)
	s.want("GET /openapi/v2/entity/tag?aspects=tagKey", "", 200,
		`{"results":[{"urn":"urn:li:tag:t00","aspects":{"tagKey":{"value":{"name":"t00"}}}},{"urn":"urn:li:tag:t01","aspects":{"tagKey":{"value":{"name":"t01"}}}}]}`)
	s.want("GET /openapi/v3/entity/tag?count=0", "", 200, `{"scrollId":null,"entities":[],"facets":[{"aggregations":{"tag":2},"field":"entity"}],"totalCount":2}`)
	s.want("GET /openapi/v3/entity/chart", "", 200, `{"scrollId":null,"entities":[],"facets":[{"aggregations":{},"field":"entity"}],"totalCount":0}`)
	s.want("POST /openapi/v3/entity/scroll", `{"entities":["tag"]}`, 200,
		`{"scrollId":null,"entities":[{"urn":"urn:li:tag:t00"},{"urn":"urn:li:tag:t01"}],"facets":[{"aggregations":{"tag":2},"field":"entity"}],"totalCount":2}`)
	s.want("POST /openapi/v3/entity/scroll", `{"entities":["tag"],"aspects":["TagKey"],"sortCriteria":[{"field":"urn","order":"ASCENDING"}]}`, 200,
		`{"scrollId":null,"entities":[{"urn":"urn:li:tag:t00","tagKey":{"value":{"name":"t00"}}},{"urn":"urn:li:tag:t01","tagKey":{"value":{"name":"t01"}}}],"facets":[{"aggregations":{"tag":2},"field":"entity"}],"totalCount":2}`)
	s.want("POST /openapi/v3/entity/scroll", `{"entities":["tag","chart"],"filter":{"and":[{"criteria":[{"field":"name","values":["t01"]}]}]}}`, 200,
		`{"scrollId":null,"entities":[{"urn":"urn:li:tag:t01"}],"facets":[{"aggregations":{"tag":1},"field":"entity"}],"totalCount":1}`)
	all := s.ok("POST /openapi/v3/entity/scroll", `{"entities":["tag"],"aspects":[]}`)
	wantAt(t, all, `{"tagKey":{"value":{"name":"t00"}},"tagProperties":{"value":{"name":"t00"}},"urn":"urn:li:tag:t00"}`, "entities", 0)
}

func TestScrollsGoThroughSeveralTypes(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	tags := s.tags(3)
	s.ok("POST /openapi/v3/entity/domain?async=false", `[{"urn":"urn:li:domain:d","domainProperties":{"value":{"name":"d"}}}]`)
	domain := []string{"urn:li:domain:d"}
	everything := append(domain, tags...)
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"named types":                        {`{"entities":["Tag","domain"]}`, everything},
		"all types":                          {`{}`, everything},
		"no type means all":                  {`{"entities":[]}`, everything},
		"a filter on the type":               {`{"filter":{"and":[{"criteria":[{"field":"_entityType","values":["TAG"],"condition":"EQUAL"}]}]}}`, tags},
		"alternatives of types":              {`{"filter":{"and":[{"criteria":[{"field":"_entityType","value":"tag"}]},{"criteria":[{"field":"_entityType","values":["DOMAIN"]}]}]}}`, everything},
		"types that exclude each other":      {`{"entities":["tag"],"filter":{"and":[{"criteria":[{"field":"_entityType","values":["DOMAIN"]}]}]}}`, nil},
		"a filter on URNs":                   {`{"filter":{"and":[{"criteria":[{"field":"urn","values":["urn:li:tag:t02","urn:li:tag:t00","urn:li:tag:absent"],"condition":"IN"}]}]}}`, []string{tags[0], tags[2]}},
		"alternatives of URNs":               {`{"filter":{"and":[{"criteria":[{"field":"urn","values":["urn:li:tag:t02"]}]},{"criteria":[{"field":"urn","values":["urn:li:domain:d"]}]}]}}`, []string{domain[0], tags[2]}},
		"URNs of another type than asked":    {`{"entities":["domain"],"filter":{"and":[{"criteria":[{"field":"urn","values":["urn:li:tag:t02"]}]}]}}`, nil},
		"criteria that must both hold":       {`{"filter":{"and":[{"criteria":[{"field":"urn","values":["urn:li:tag:t02","urn:li:domain:d"]},{"field":"_entityType","values":["tag"]}]}]}}`, tags[2:]},
		"two criteria on URNs have to agree": {`{"filter":{"and":[{"criteria":[{"field":"urn","values":["urn:li:tag:t02","urn:li:tag:t01"]},{"field":"urn","values":["urn:li:tag:t01"]}]}]}}`, tags[1:2]},
		"an empty filter":                    {`{"filter":{"and":[]}}`, everything},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.t = t
			for _, count := range []string{"1", "2", "100"} {
				if got := s.pages("POST /openapi/v3/entity/scroll?count="+count, "entities", c.body); !slices.Equal(got, c.want) {
					t.Errorf("pages of %s list %v, want %v", count, got, c.want)
				}
			}
			wantAt(t, s.ok("POST /openapi/v3/entity/scroll", c.body), fmt.Sprint(len(c.want)), "totalCount")
		})
	}
}

func TestSlicesTogetherHaveEachEntityOnce(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	want := s.tags(5)
	var got []string
	for slice := range 3 {
		got = append(got, s.pages(fmt.Sprintf("GET /openapi/v3/entity/tag?count=2&sliceMax=3&sliceId=%d", slice), "entities", "")...)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the slices list %v, want %v", got, want)
	}
}

func TestEachEntityCanCarryACursor(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	want := s.tags(4)
	const request, body = "POST /openapi/v3/entity/scroll?scrollIdPerEntity=true", `{"entities":["tag"]}`
	page := s.ok(request, body)
	cursor := at(t, page, "entities", 1, "scrollId").(string)
	if got := s.pages(request+"&scrollId="+cursor, "entities", body); !slices.Equal(got, want[2:]) {
		t.Errorf("behind the second entity come %v, want %v", got, want[2:])
	}
}

func TestCursorsAreBoundToTheirQuery(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tags(3)
	s.ok("POST /openapi/v3/entity/domain?async=false", `[{"urn":"urn:li:domain:d","domainProperties":{"value":{"name":"d"}}}]`)
	cursor := at(t, s.ok("GET /openapi/v3/entity/tag?count=1", ""), "scrollId").(string)
	altered := []byte(cursor)
	altered[len(altered)-1] ^= 1
	for name, request := range map[string]string{
		"another type":         "GET /openapi/v3/entity/domain?scrollId=" + cursor,
		"soft-deleted as well": "GET /openapi/v3/entity/tag?includeSoftDelete=true&scrollId=" + cursor,
		"altered":              "GET /openapi/v3/entity/tag?scrollId=" + url.QueryEscape(string(altered)),
		"cut":                  "GET /openapi/v3/entity/tag?scrollId=" + cursor[:len(cursor)-4],
		"documents":            "GET /openapi/v2/timeseries/dataset/datasetProfile?scrollId=" + cursor,
	} {
		rec := s.do(request, "")
		if title, _ := errorOf(t, rec); rec.Code != 400 || !strings.HasPrefix(title, "scrollId is not one of this query") {
			t.Errorf("%s: gives %d, %q", name, rec.Code, title)
		}
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag?count=2&scrollId="+cursor, ""), `"urn:li:tag:t01"`, "entities", 0, "urn")
}

func TestCounts(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	s.tags(3)
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:t00","status":{"value":{"removed":true}}}]`)
	s.want("GET /openapi/v1/entities/counts?types=Tag,domain,TAG&includeTotal=true", "", 200,
		`{"counts":[{"entityType":"tag","count":2},{"entityType":"domain","count":0}],"total":2}`)
	s.want("GET /openapi/v1/entities/TAG/count", "", 200, `{"entityType":"tag","count":2}`)
	all := at(t, s.ok("GET /openapi/v1/entities/counts", ""), "counts").([]any)
	if !strings.Contains(string(jsontree.Encode(all)), `{"count":2,"entityType":"tag"}`) {
		t.Errorf("without types the counts are %s", jsontree.Encode(all))
	}
}

func TestAScrollOfTooManyAlternativesIsRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	filter := func(n int) string {
		return `{"filter":{"and":[` + strings.Repeat(`{"criteria":[{"field":"name","value":"x"}]},`, n-1) + `{"criteria":[{"field":"name","value":"x"}]}]}}`
	}
	if got := s.do("POST /openapi/v3/entity/scroll", filter(1000)); got.Code != 200 {
		t.Errorf("1000 alternatives: %d %.200s", got.Code, got.Body)
	}
	got := s.do("POST /openapi/v3/entity/scroll", filter(10_001))
	if got.Code != 400 || !strings.Contains(got.Body.String(), "10001 alternatives, those of a view included, at most 10000") {
		t.Errorf("10001 alternatives: %d %.200s", got.Code, got.Body)
	}
}
