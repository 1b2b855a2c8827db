package openapi_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/system"
)

func newAPI(t testing.TB) *openapi.API {
	t.Helper()
	reg, err := registry()
	if err != nil {
		t.Fatal(err)
	}
	return openapi.New(openapi.Config{Config: system.Config{Registry: reg, Now: time.Now}})
}

func TestPathsAreCutAtTheRightSlash(t *testing.T) {
	t.Parallel()
	api := newAPI(t)
	const one, aspect = "/openapi/v3/entity/{type}/{urn}", "/openapi/v3/entity/{type}/{urn}/{aspect}"
	const s3 = "urn:li:dataset:(urn:li:dataPlatform:s3,a/b//c,PROD)"
	for path, want := range map[string]struct {
		pattern string
		params  map[string]string
	}{
		"v3/entity/tag":                           {"/openapi/v3/entity/{type}", map[string]string{"type": "tag"}},
		"v3/entity/tag/":                          {"/openapi/v3/entity/{type}", map[string]string{"type": "tag"}},
		"v3/entity/generic":                       {"/openapi/v3/entity/generic", map[string]string{}},
		"v3/entity/scroll":                        {"/openapi/v3/entity/scroll", map[string]string{}},
		"v3/entity/generic/batchGet":              {"/openapi/v3/entity/generic/batchGet", map[string]string{}},
		"v3/entity/tag/batchGet":                  {"/openapi/v3/entity/{type}/batchGet", map[string]string{"type": "tag"}},
		"v3/entity/tag/urn:li:tag:a":              {one, map[string]string{"type": "tag", "urn": "urn:li:tag:a"}},
		"v3/entity/tag/urn:li:tag:batchGet":       {one, map[string]string{"type": "tag", "urn": "urn:li:tag:batchGet"}},
		"v3/entity/generic/urn:li:tag:a":          {one, map[string]string{"type": "generic", "urn": "urn:li:tag:a"}},
		"v3/entity/tag/urn%3Ali%3Atag%3Aa%2Fb":    {one, map[string]string{"type": "tag", "urn": "urn:li:tag:a/b"}},
		"v3/entity/tag/urn%3ali%3atag%3aa%2fb/x":  {aspect, map[string]string{"type": "tag", "urn": "urn:li:tag:a/b", "aspect": "x"}},
		"v3/entity/tag/urn:li:tag:a%252Fb":        {one, map[string]string{"type": "tag", "urn": "urn:li:tag:a%2Fb"}},
		"v3/entity/tag/urn:li:tag:a/status":       {aspect, map[string]string{"type": "tag", "urn": "urn:li:tag:a", "aspect": "status"}},
		"v3/entity/tag/urn:li:tag:a/b/status":     {aspect, map[string]string{"type": "tag", "urn": "urn:li:tag:a/b", "aspect": "status"}},
		"v3/entity/dataset/" + s3:                 {one, map[string]string{"type": "dataset", "urn": s3}},
		"v3/entity/dataset/" + s3 + "/status":     {aspect, map[string]string{"type": "dataset", "urn": s3, "aspect": "status"}},
		"v3/entity/dataset/" + url.PathEscape(s3): {one, map[string]string{"type": "dataset", "urn": s3}},
		"v3/entity/tag/tagProperties":             {"", nil},
		"v3/entity":                               {"", nil},
		"v3/entity/":                              {"", nil},
		"":                                        {"", nil},
		"v9/entity/tag":                           {"", nil},
		"v3/logical/urn:li:tag:a/relationship/physicalInstanceOf": {"/openapi/v3/logical/{childUrn}/relationship/physicalInstanceOf", map[string]string{"childUrn": "urn:li:tag:a"}},
		"v3/logical/" + s3 + "/relationship/physicalInstanceOf/urn:li:tag:b/c": {"/openapi/v3/logical/{childUrn}/relationship/physicalInstanceOf/{parentUrn}",
			map[string]string{"childUrn": s3, "parentUrn": "urn:li:tag:b/c"}},
		"v3/logical/relationship/physicalInstanceOf/urn:li:tag:b": {"", nil},
		"v3/logical/urn:li:tag:a/relationship/urn:li:tag:b":       {"", nil},
		"v2/entity/batch/tag":                        {"/openapi/v2/entity/batch/{type}", map[string]string{"type": "tag"}},
		"entities/v1":                                {"/openapi/entities/v1", map[string]string{}},
		"entities/v1/latest/":                        {"/openapi/entities/v1/latest", map[string]string{}},
		"v1/entities/counts":                         {"/openapi/v1/entities/counts", map[string]string{}},
		"v1/entities/counts/count":                   {"/openapi/v1/entities/{type}/count", map[string]string{"type": "counts"}},
		"operations/dev/featureFlags/a%2Fb":          {"/openapi/operations/dev/featureFlags/{name}", map[string]string{"name": "a/b"}},
		"v1/registry/lineage/edges/dataset/UPSTREAM": {"/openapi/v1/registry/lineage/edges/{name}/{direction}", map[string]string{"name": "dataset", "direction": "UPSTREAM"}},
	} {
		pattern, params, err := api.Match("/" + path)
		if err != nil || pattern != want.pattern || !maps.Equal(params, want.params) {
			t.Errorf("%s matches %q with %v (%v), want %q with %v", path, pattern, params, err, want.pattern, want.params)
		}
	}
}

func FuzzPathsKeepTheirURN(f *testing.F) {
	for _, seed := range []string{"a", "a/b", "(urn:li:dataPlatform:s3,a//b,PROD)", "%2F", "a b?c#d", "((", "\x00", "ü"} {
		f.Add(seed, "status")
	}
	api := newAPI(f)
	f.Fuzz(func(t *testing.T, key, aspect string) {
		u := "urn:li:dataset:" + key
		// Encoded, every text must be matched completely.
		escaped := url.PathEscape(u)
		pattern, params, err := api.Match("/v3/entity/dataset/" + escaped)
		if err != nil || params["urn"] != u || !strings.HasSuffix(pattern, "/{urn}") {
			t.Errorf("%q matches %q with %v: %v", escaped, pattern, params, err)
		}
		if aspect != "" && strings.Count(u, "(") <= strings.Count(u, ")") {
			pattern, params, err = api.Match("/v3/entity/dataset/" + escaped + "/" + url.PathEscape(aspect))
			if err != nil || params["urn"] != u || params["aspect"] != aspect {
				t.Errorf("%q with aspect %q matches %q with %v: %v", escaped, aspect, pattern, params, err)
			}
		}
		// Raw, it must not lose any part.
		_, params, err = api.Match("/v3/entity/dataset/" + u)
		if err == nil && params != nil && params["aspect"] == "" && !strings.Contains(key, "%") && !strings.HasSuffix(key, "/") && params["urn"] != u {
			t.Errorf("raw %q becomes %q", u, params["urn"])
		}
	})
}

func FuzzCursors(f *testing.F) {
	f.Add("list\x01tag", "urn:li:tag:a", "AAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("", "", "")
	f.Fuzz(func(t *testing.T, query, position, forged string) {
		cursor := openapi.EncodeCursor(query, position)
		got, err := openapi.DecodeCursor(query, cursor)
		if position != "" && (err != nil || got != position) {
			t.Errorf("the cursor of %q gives %q: %v", position, got, err)
		}
		if _, err := openapi.DecodeCursor(query+"x", cursor); err == nil {
			t.Errorf("a cursor of %q opens another query", query)
		}
		if got, err := openapi.DecodeCursor(query, forged); err == nil && openapi.EncodeCursor(query, got) != forged {
			t.Errorf("the cursor %q opens although it was never encoded", forged)
		}
	})
}
