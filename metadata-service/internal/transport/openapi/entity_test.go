package openapi_test

import (
	"net/http"
	"strings"
	"testing"
)

const (
	tagA    = `{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}}`
	table   = "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"
	encoded = "urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Ahive%2Cdb.t%2CPROD%29"
)

func TestWritesEchoWhatIsStored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		request, body string
		status        int
		answer        string
	}{
		"a synchronous write is 200 with what the service added": {
			"POST /openapi/v3/entity/tag?async=false", "[" + tagA + "]",
			200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}]`,
		},
		"asynchronous writes of the older form give URNs alone": {
			"POST /openapi/v2/entity/tag", `[{"urn":"urn:li:tag:a","aspects":{"tagProperties":{"value":{"name":"a"}}}}]`, 202, `[{"urn":"urn:li:tag:a"}]`,
		},
		"an asynchronous write is 202 with what was sent, and the default": {
			"POST /openapi/v3/entity/tag", "[" + tagA + "]",
			202, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}}}]`,
		},
		"entity and aspect names are matched ignoring case": {
			"POST /openapi/v3/entity/TAG?async=false", `[{"urn":"urn:li:tag:a","TAGPROPERTIES":{"value":{"name":"a"}}}]`,
			200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}]`,
		},
		"of several entries for one URN and aspect the last counts": {
			"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"x"}}},{"tagProperties":{"value":{"name":"a"}},"urn":"urn:li:tag:a"}]`,
			200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}]`,
		},
		"an aspect that is null is none": {
			"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"status":null}]`,
			200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}]`,
		},
		"a body that is no array writes nothing":           {"POST /openapi/v3/entity/tag?async=false", tagA, 200, `[]`},
		"so it is for asynchronous writes":                 {"POST /openapi/v3/entity/tag", `"text"`, 202, `[]`},
		"an empty list is fine":                            {"POST /openapi/v3/entity/tag?async=false", `[]`, 200, `[]`},
		"an entity without aspects has nothing to write":   {"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a"}]`, 200, `[]`},
		"unknown members of an aspect value are dropped":   {"POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a","x":1}}}]`, 200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}]`},
		"the single aspect form answers with that aspect":  {"POST /openapi/v3/entity/tag/urn:li:tag:a/TagProperties", `{"value":{"name":"a"}}`, 200, tagA},
		"and with 202 when it is asynchronous":             {"POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?async=true", `{"value":{"name":"a"}}`, 202, tagA},
		"the path names the entity type of the older form": {"POST /openapi/v2/entity/tag?async=false", `[{"urn":"urn:li:tag:a","aspects":{"tagProperties":{"value":{"name":"a"}}}}]`, 200, `[{"urn":"urn:li:tag:a","aspects":{"tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}}]`},
		"the older single aspect form takes a bare value":  {"POST /openapi/v2/entity/tag/urn:li:tag:a/tagProperties", `{"name":"a"}`, 200, `{"urn":"urn:li:tag:a","aspects":{"tagProperties":{"value":{"name":"a"}}}}`},
		"several types are written at once": {
			"POST /openapi/v3/entity/generic?async=false", `{"Tag":[` + tagA + `],"domain":[{"urn":"urn:li:domain:d","domainProperties":{"value":{"name":"d"}}}],"chart":[]}`,
			200, `{"Tag":[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"tagKey":{"value":{"name":"a"}}}],"domain":[{"urn":"urn:li:domain:d","domainProperties":{"value":{"name":"d"}},"domainKey":{"value":{"id":"d"}}}],"chart":[]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newService(t, options{}).want(c.request, c.body, c.status, c.answer)
		})
	}
}

func TestEntitiesAreRead(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tag("a")
	const whole = `{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}},"tagProperties":{"value":{"name":"a"}}}`
	for name, c := range map[string]struct {
		request string
		status  int
		answer  string
	}{
		"all aspects by default":                      {"GET /openapi/v3/entity/tag/urn:li:tag:a", 200, whole},
		"a URN may be percent-encoded":                {"GET /openapi/v3/entity/tag/urn%3Ali%3Atag%3Aa", 200, whole},
		"the type in the path is not looked at":       {"GET /openapi/v3/entity/chart/urn:li:tag:a", 200, whole},
		"chosen aspects, ignoring case":               {"GET /openapi/v3/entity/tag/urn:li:tag:a?aspects=TAGPROPERTIES", 200, tagA},
		"chosen aspects under the other name":         {"GET /openapi/v3/entity/tag/urn:li:tag:a?aspectNames=tagProperties", 200, tagA},
		"both parameters add up":                      {"GET /openapi/v3/entity/tag/urn:li:tag:a?aspectNames=tagProperties,status&aspects=tagKey", 200, whole},
		"unknown aspects only leave the URN":          {"GET /openapi/v3/entity/tag/urn:li:tag:a?aspects=nonsense", 200, `{"urn":"urn:li:tag:a"}`},
		"an absent entity is 404 without a body":      {"GET /openapi/v3/entity/tag/urn:li:tag:b", 404, ""},
		"one aspect is its wrapper alone":             {"GET /openapi/v3/entity/tag/urn:li:tag:a/tagproperties", 200, `{"value":{"name":"a"}}`},
		"an absent aspect is 404":                     {"GET /openapi/v3/entity/tag/urn:li:tag:a/status", 404, ""},
		"an unknown aspect is 404":                    {"GET /openapi/v3/entity/tag/urn:li:tag:a/nonsense", 404, ""},
		"the older form nests the aspects":            {"GET /openapi/v2/entity/tag/urn:li:tag:a", 200, `{"urn":"urn:li:tag:a","aspects":{"tagKey":{"value":{"name":"a"}},"tagProperties":{"value":{"name":"a"}}}}`},
		"the older form answers for absent ones too":  {"GET /openapi/v2/entity/tag/urn:li:tag:b", 200, `{"urn":"urn:li:tag:b","aspects":{}}`},
		"presence is 204":                             {"HEAD /openapi/v3/entity/tag/urn:li:tag:a", 204, ""},
		"absence is 404":                              {"HEAD /openapi/v3/entity/tag/urn:li:tag:b", 404, ""},
		"presence of an aspect is 204":                {"HEAD /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", 204, ""},
		"absence of an aspect is 404":                 {"HEAD /openapi/v3/entity/tag/urn:li:tag:a/status", 404, ""},
		"absence of an entity is that of its aspects": {"HEAD /openapi/v3/entity/tag/urn:li:tag:b/tagProperties", 404, ""},
		"an unknown aspect is absent":                 {"HEAD /openapi/v3/entity/tag/urn:li:tag:a/nonsense", 404, ""},
		"below the other prefixes":                    {"GET /gms/openapi/v3/entity/tag/urn:li:tag:a", 200, whole},
		"below the prefix of the proxy":               {"GET /api/gms/openapi/v3/entity/tag/urn:li:tag:a", 200, whole},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.t = t
			s.want(c.request, "", c.status, c.answer)
		})
	}
}

func TestNotFoundTellsEntitiesFromRoutes(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	if got := s.do("GET /openapi/v3/entity/tag/urn:li:tag:b", "").Header().Get("Not-Found-Reason"); got != "ENTITY" {
		t.Errorf("an absent entity has the reason %q, want ENTITY", got)
	}
	rec := s.do("GET /openapi/nowhere", "")
	if got := rec.Header().Get("Not-Found-Reason"); got != "" {
		t.Errorf("an unknown path has the reason %q, want none", got)
	}
	if title, _ := errorOf(t, rec); rec.Code != 404 || title != "No endpoint GET /openapi/nowhere." {
		t.Errorf("an unknown path gives %d %q", rec.Code, title)
	}
}

func TestSystemMetadataIsShownWhenAskedFor(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"},"systemMetadata":{"runId":"r1","lastObserved":5,"properties":{"k":"v"}}}}]`)
	for _, request := range []string{
		"GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?systemMetadata=true",
		"GET /openapi/v2/entity/tag/urn:li:tag:a/tagProperties?systemMetadata=true",
	} {
		aspect := s.ok(request, "")
		wantAt(t, aspect, `"r1"`, "systemMetadata", "runId")
		wantAt(t, aspect, `"1"`, "systemMetadata", "version")
		wantAt(t, aspect, `"v"`, "systemMetadata", "properties", "k")
		wantAt(t, aspect, `{"actor":"urn:li:corpuser:tester","time":1754000000000}`, "auditStamp")
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a?systemMetadata=true", ""), `"1"`, "tagProperties", "systemMetadata", "version")
}

func TestURNsWithSlashesAndParentheses(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const u = "urn:li:dataset:(urn:li:dataPlatform:s3,bucket/a//b.csv,PROD)"
	s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+u+`","status":{"value":{"removed":false}}}]`)
	const full = "urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3As3%2Cbucket%2Fa%2F%2Fb.csv%2CPROD%29"
	for _, path := range []string{u, full, strings.ReplaceAll(u, "/", "%2F")} {
		wantAt(t, s.ok("GET /openapi/v3/entity/dataset/"+path, ""), `"`+u+`"`, "urn")
		s.want("GET /openapi/v3/entity/dataset/"+path+"/status", "", 200, `{"value":{"removed":false}}`)
	}
	s.want("DELETE /openapi/v3/entity/dataset/"+u, "[]", 200, "[]")
	s.want("GET /openapi/v3/entity/dataset/"+full, "", 404, "")
}

func TestConditionalWrites(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	write := func(name, header, value string) string {
		return `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"` + name + `"},"headers":{"` + header + `":"` + value + `"}}}]`
	}
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"absent has version -1", write("one", "If-Version-Match", "-1"), 200},
		{"the stored version is 1", write("two", "If-Version-Match", "1"), 200},
		{"another version fails", write("three", "If-Version-Match", "1"), 412},
		{"not modified since a later time", write("four", "If-Unmodified-Since", "2100-01-01T00:00:00Z"), 200},
		{"modified since an earlier time", write("five", "If-Unmodified-Since", "2001-01-01T00:00:00Z"), 412},
	} {
		rec := s.do("POST /openapi/v3/entity/tag?async=false", c.body)
		if rec.Code != c.status {
			t.Errorf("%s: got %d, want %d: %s", c.name, rec.Code, c.status, rec.Body)
		}
		if c.status == 412 {
			if title, message := errorOf(t, rec); title != "Precondition Error" || message == "" {
				t.Errorf("%s: the error is %q, %q", c.name, title, message)
			}
		}
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", ""), `"four"`, "value", "name")
}

func TestCreateModesOfTheSingleAspectForm(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const path = "POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties"
	s.want(path, `{"value":{"name":"a"}}`, 200, tagA)
	for query, status := range map[string]int{
		"": 400, "?createIfNotExists=true": 400, "?createIfNotExists=false": 200, "?createIfEntityNotExists=true": 400,
		"?createIfEntityNotExists=true&createIfNotExists=false": 400,
	} {
		if rec := s.do(path+query, `{"value":{"name":"a"}}`); rec.Code != status {
			t.Errorf("with %q it gives %d, want %d: %s", query, rec.Code, status, rec.Body)
		}
	}
	s.want(path, `{"value":{"name":"b"},"headers":{"If-None-Match":"*"}}`, 200, `{"urn":"urn:li:tag:a"}`)
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", "", 200, `{"value":{"name":"a"}}`)
}

func TestPatches(t *testing.T) {
	t.Parallel()
	const add = `{"patch":[{"op":"add","path":"/tags/urn:li:tag:a","value":{"tag":"urn:li:tag:a"}}]}`
	const defaults = `"datasetKey":{"value":{"name":"db.t","origin":"PROD","platform":"urn:li:dataPlatform:hive"}},"browsePathsV2":{"value":{"path":[{"id":"db"}]}},"dataPlatformInstance":{"value":{"platform":"urn:li:dataPlatform:hive"}}`
	const generic = `{"patch":[{"op":"add","path":"/tags/urn:li:tag:b","value":{"tag":"urn:li:tag:b"}}],"arrayPrimaryKeys":{"tags":["tag"]}}`
	for name, c := range map[string]struct {
		request, body string
		status        int
		answer        string
	}{
		"an asynchronous list is 202 without a body": {
			"PATCH /openapi/v3/entity/dataset", `[{"urn":"` + table + `","globalTags":{"value":` + add + `}}]`, 202, ``,
		},
		"a synchronous one shows all that it wrote": {
			"PATCH /openapi/v3/entity/dataset?async=false", `[ {"urn": "` + table + `", "globaltags": {"value": ` + generic + ` }}]`,
			200, `[{"urn":"` + table + `","globalTags":{"value":{"tags":[{"tag":"urn:li:tag:b"}]}},` + defaults + `}]`,
		},
		"the single aspect form takes the bare patch and shows what came of it": {
			"PATCH /openapi/v3/entity/dataset/" + encoded + "/globalTags", add,
			200, `{"urn":"` + table + `","globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"}]}}}`,
		},
		"so does the older form": {
			"PATCH /openapi/v2/entity/dataset/" + encoded + "/globalTags", add,
			200, `{"urn":"` + table + `","aspects":{"globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"}]}}}}`,
		},
		"several types": {
			"PATCH /openapi/v3/entity/generic?async=false", `{"dataset":[{"urn":"` + table + `","globalTags":{"value":` + add + `}}]}`,
			200, `{"dataset":[{"urn":"` + table + `","globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"}]}},` + defaults + `}]}`,
		},
		"several types, asynchronously": {
			"PATCH /openapi/v3/entity/generic", `{"dataset":[{"urn":"` + table + `","globalTags":{"value":` + add + `}}]}`, 202, ``,
		},
		"lists of the older form": {
			"PATCH /openapi/v2/entity/dataset?async=false", `[{"urn":"` + table + `","aspects":{"globalTags":{"value":` + add + `}}}]`,
			200, `[{"urn":"` + table + `","aspects":{"globalTags":{"value":{"tags":[{"tag":"urn:li:tag:a"}]}},` + defaults + `}}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, contentType := range []string{"application/json", "application/json-patch+json"} {
				s := newService(t, options{})
				s.tag("a")
				s.tag("b")
				rec := s.do(c.request, c.body, "Content-Type", contentType)
				if got := strings.TrimSpace(rec.Body.String()); rec.Code != c.status || got != c.answer {
					t.Errorf("as %s gives %d\n%s\nwant %d\n%s", contentType, rec.Code, got, c.status, c.answer)
				}
				stored := s.ok("GET /openapi/v3/entity/dataset/"+encoded+"/globalTags", "")
				if n := len(at(t, stored, "value", "tags").([]any)); n != 1 {
					t.Errorf("as %s leaves %d tags, want 1", contentType, n)
				}
			}
		})
	}
}

// Clients read the result from the response, including members that the template adds.
func TestPatchesAnswerWithWhatCameOfThem(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const note = `{"patch":[{"op":"add","path":"/customProperties/a","value":"b"}]}`
	s.want("PATCH /openapi/v3/entity/dataset/"+encoded+"/datasetProperties", note,
		200, `{"urn":"`+table+`","datasetProperties":{"value":{"customProperties":{"a":"b"},"tags":[]}}}`)
	const more = `{"patch":[{"op":"add","path":"/customProperties/c","value":"d"}]}`
	s.want("PATCH /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","datasetProperties":{"value":`+more+`}}]`,
		200, `[{"urn":"`+table+`","datasetProperties":{"value":{"customProperties":{"a":"b","c":"d"},"tags":[]}}}]`) // and no other aspects, because the entity existed before
}

func TestDoublesAreAnsweredWithAFraction(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	const property = "urn:li:structuredProperty:retention"
	s.ok("POST /openapi/v3/entity/dataType?async=false", `[{"urn":"urn:li:dataType:datahub.number","dataTypeInfo":{"value":{"qualifiedName":"datahub.number"}}}]`)
	s.ok("POST /openapi/v3/entity/entityType?async=false", `[{"urn":"urn:li:entityType:datahub.dataset","entityTypeInfo":{"value":{"qualifiedName":"datahub.dataset"}}}]`)
	s.ok("POST /openapi/v3/entity/structuredProperty?async=false", `[{"urn":"`+property+`","propertyDefinition":{"value":{"qualifiedName":"retention","valueType":"urn:li:dataType:datahub.number",
		"entityTypes":["urn:li:entityType:datahub.dataset"],"allowedValues":[{"value":{"double":30}},{"value":{"double":2.5}}]}}}]`)
	wantAt(t, s.ok("GET /openapi/v3/entity/structuredProperty/"+property+"/propertyDefinition", ""), `[{"value":{"double":30.0}},{"value":{"double":2.5}}]`, "value", "allowedValues")
	written := s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","structuredProperties":{"value":{"properties":[{"propertyUrn":"`+property+`","values":[{"double":30}]}]}}}]`)
	wantAt(t, written, `[{"double":30.0}]`, 0, "structuredProperties", "value", "properties", 0, "values")
	wantAt(t, s.ok("GET /openapi/v3/entity/dataset/"+encoded+"/structuredProperties", ""), `[{"double":30.0}]`, "value", "properties", 0, "values")

	const assertion = "urn:li:assertion:rows" // its result contains a float
	s.ok("POST /openapi/v3/entity/assertion?async=false", `[{"urn":"`+assertion+`","assertionRunEvent":{"value":{"timestampMillis":5,"runId":"r","asserteeUrn":"`+table+`","assertionUrn":"`+assertion+`",
		"status":"COMPLETE","result":{"type":"SUCCESS","actualAggValue":7}}}}]`)
	wantAt(t, s.ok("GET /openapi/v3/entity/assertion/"+assertion+"/assertionRunEvent", ""), `7.0`, "value", "result", "actualAggValue")
}

func TestDeletes(t *testing.T) {
	t.Parallel()
	const write = `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a"}},"status":{"value":{"removed":false}}}]`
	for name, c := range map[string]struct{ request, left string }{
		"the whole entity":             {"DELETE /openapi/v3/entity/tag/urn:li:tag:a", ""},
		"an aspect by path":            {"DELETE /openapi/v3/entity/tag/urn:li:tag:a/Status", `{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}},"tagProperties":{"value":{"name":"a"}}}`},
		"aspects by parameter":         {"DELETE /openapi/v3/entity/tag/urn:li:tag:a?aspects=status,TAGPROPERTIES", `{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}}}`},
		"the key takes everything":     {"DELETE /openapi/v3/entity/tag/urn:li:tag:a?aspects=tagKey", ""},
		"all but the key":              {"DELETE /openapi/v3/entity/tag/urn:li:tag:a?clear=true", `{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}}}`},
		"an aspect that is absent":     {"DELETE /openapi/v3/entity/tag/urn:li:tag:a/deprecation", `{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}},"tagProperties":{"value":{"name":"a"}},"status":{"value":{"removed":false}}}`},
		"in the older form of the API": {"DELETE /openapi/v2/entity/tag/urn:li:tag:a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, options{})
			s.ok("POST /openapi/v3/entity/tag?async=false", write)
			for range 2 { // a repeated delete succeeds
				s.want(c.request, "", 200, "[]")
			}
			status := 200
			if c.left == "" {
				status = 404
			}
			s.want("GET /openapi/v3/entity/tag/urn:li:tag:a", "", status, c.left)
		})
	}
}

func TestSoftDeletedEntities(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tag("a")
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","status":{"value":{"removed":true}}}]`)
	for request, status := range map[string]int{
		"GET /openapi/v3/entity/tag/urn:li:tag:a":                                       200,
		"HEAD /openapi/v3/entity/tag/urn:li:tag:a":                                      404,
		"HEAD /openapi/v3/entity/tag/urn:li:tag:a/tagProperties":                        404,
		"HEAD /openapi/v3/entity/tag/urn:li:tag:a?includeSoftDelete=true":               204,
		"HEAD /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?includeSoftDelete=true": 204,
	} {
		if rec := s.do(request, ""); rec.Code != status {
			t.Errorf("%s gives %d, want %d", request, rec.Code, status)
		}
	}
	wantAt(t, s.ok("GET /openapi/v3/entity/tag", ""), `0`, "totalCount")
	wantAt(t, s.ok("GET /openapi/v3/entity/tag?includeSoftDelete=true", ""), `1`, "totalCount")
}

func TestVersions(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for _, name := range []string{"one", "two", "three"} {
		s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"`+name+`"}}}]`)
	}
	for version, name := range map[string]string{"": "three", "?version=0": "three", "?version=1": "one", "?version=2": "two", "?version=3": "three"} {
		s.want("GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties"+version, "", 200, `{"value":{"name":"`+name+`"}}`)
	}
	s.want("GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?version=9", "", 404, "")
	wish := func(version string) string {
		return `[{"urn":"urn:li:tag:a","tagProperties":{"headers":{"if-version-match":"` + version + `"}}}]`
	}
	const batch = "POST /openapi/v3/entity/tag/batchGet"
	s.want(batch, wish("0"), 200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"three"}}}]`)
	s.want(batch, wish("2"), 200, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"two"}}}]`)
	s.want(batch, wish("7"), 200, `[{"urn":"urn:li:tag:a"}]`)
}

func TestBatchReads(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for _, id := range []string{"a", "b", "c"} {
		s.tag(id)
	}
	s.want("POST /openapi/v3/entity/tag/batchGet", `[{"urn":"urn:li:tag:c","TagProperties":{}},{"urn":"urn:li:tag:x"},{"urn":"urn:li:tag:a"}]`, 200,
		`[{"urn":"urn:li:tag:c","tagProperties":{"value":{"name":"c"}}},{"urn":"urn:li:tag:a","tagKey":{"value":{"name":"a"}},"tagProperties":{"value":{"name":"a"}}}]`)
	s.want("POST /openapi/v3/entity/generic/batchGet", `{"tag":[{"urn":"urn:li:tag:b","tagKey":null}],"chart":[]}`, 200,
		`{"tag":[{"urn":"urn:li:tag:b","tagKey":{"value":{"name":"b"}}}],"chart":[]}`)
	s.want("POST /openapi/v2/entity/batch/tag", `{"urns":["urn:li:tag:b","urn:li:tag:x"],"aspectNames":["tagproperties"]}`, 200,
		`{"entities":[{"urn":"urn:li:tag:b","aspects":{"tagProperties":{"value":{"name":"b"}}}},{"urn":"urn:li:tag:x","aspects":{}}]}`)
	wantAt(t, s.ok("POST /openapi/v2/entity/batch/tag", `{"urns":["urn:li:tag:b"],"withSystemMetadata":true}`), `"1"`, "entities", 0, "aspects", "tagKey", "systemMetadata", "version")
}

func TestTimeseriesAspects(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	for _, at := range []string{"1000", "2000", "3000"} {
		s.ok("POST /openapi/v3/entity/dataset?async=false", `[{"urn":"`+table+`","datasetProfile":{"value":{"timestampMillis":`+at+`,"rowCount":`+at+`}}}]`)
	}
	const path = "GET /openapi/v3/entity/dataset/" + encoded
	wantAt(t, s.ok(path, ""), "3000", "datasetProfile", "value", "rowCount")
	wantAt(t, s.ok(path+"/datasetProfile", ""), "3000", "value", "rowCount")
	wantAt(t, s.ok(path+"/datasetProfile?version=2500&systemMetadata=true", ""), "2000", "value", "rowCount")
	s.want(path+"/datasetProfile?version=10", "", 404, "")

	first := s.ok("GET /openapi/v2/timeseries/Dataset/datasetprofile?count=2&systemMetadata=true", "")
	wantAt(t, first, "3000", "results", 0, "timestampMillis")
	wantAt(t, first, `"`+table+`"`, "results", 0, "urn")
	wantAt(t, first, "3000", "results", 0, "event", "rowCount")
	wantAt(t, first, "2000", "results", 1, "timestampMillis")
	scroll, ok := at(t, first, "scrollId").(string)
	if !ok {
		t.Fatal("the first page has no scrollId")
	}
	second := s.ok("GET /openapi/v2/timeseries/dataset/datasetProfile?count=2&scrollId="+scroll, "")
	wantAt(t, second, "1000", "results", 0, "timestampMillis")
	if _, more := second.(map[string]any)["scrollId"]; more {
		t.Error("the last page has a scrollId")
	}
	within := s.ok("GET /openapi/v2/timeseries/dataset/datasetProfile?startTimeMillis=1500&endTimeMillis=2500", "")
	if n := len(at(t, within, "results").([]any)); n != 1 {
		t.Errorf("%d documents within the bounds, want 1", n)
	}

	s.want("DELETE /openapi/v3/entity/dataset/"+encoded+"/datasetProfile", "", 200, "[]")
	wantAt(t, s.ok(path+"/datasetProfile", ""), "2000", "value", "rowCount")
}

func TestSecretsAreNeitherReadNorWritten(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.ok("POST /openapi/v3/entity/corpuser?async=false", `[{"urn":"urn:li:corpuser:jo","corpUserInfo":{"value":{"active":true}}}]`)
	err := s.catalog.Managed("corpUserCredentials").Write(s.context(), credentials("urn:li:corpuser:jo"))
	if err != nil {
		t.Fatal(err)
	}
	for _, request := range []string{
		"GET /openapi/v3/entity/corpuser/urn:li:corpuser:jo",
		"GET /openapi/v3/entity/corpuser/urn:li:corpuser:jo?aspects=corpUserCredentials",
		"GET /openapi/v2/entity/corpuser/urn:li:corpuser:jo",
		"GET /openapi/v3/entity/corpuser/urn:li:corpuser:jo/corpUserCredentials",
		"GET /openapi/v3/entity/corpuser",
		"GET /openapi/entities/v1/latest?urns=urn:li:corpuser:jo",
	} {
		if rec := s.do(request, ""); strings.Contains(rec.Body.String(), "pepper") {
			t.Errorf("%s shows the secret: %s", request, rec.Body)
		}
	}
	s.want("GET /openapi/v3/entity/corpuser/urn:li:corpuser:jo/corpUserCredentials", "", 404, "")
	s.want("HEAD /openapi/v3/entity/corpuser/urn:li:corpuser:jo/corpUserCredentials", "", 404, "")
	for request, body := range map[string]string{
		"POST /openapi/v3/entity/corpuser?async=false":                                      `[{"urn":"urn:li:corpuser:jo","corpUserCredentials":{"value":{"salt":"x","hashedPassword":"y"}}}]`,
		"PATCH /openapi/v3/entity/corpuser?async=false":                                     `[{"urn":"urn:li:corpuser:jo","corpUserCredentials":{"value":{"patch":[{"op":"replace","path":"/salt","value":"x"}]}}}]`,
		"POST /openapi/v3/entity/corpuser/urn:li:corpuser:jo/corpUserCredentials":           `{"value":{"salt":"x","hashedPassword":"y"}}`,
		"DELETE /openapi/v3/entity/corpuser/urn:li:corpuser:jo/corpUserCredentials":         "",
		"DELETE /openapi/v3/entity/corpuser/urn:li:corpuser:jo?aspects=corpUserCredentials": "",
	} {
		if rec := s.do(request, body); rec.Code < 400 || rec.Code > 403 {
			t.Errorf("%s gives %d, want a refusal: %s", request, rec.Code, rec.Body)
		}
	}
	rec, err := s.catalog.Managed("corpUserCredentials").Get(s.context(), "urn:li:corpuser:jo", "corpUserCredentials")
	if err != nil || rec == nil || !strings.Contains(string(rec.Value), "pepper") {
		t.Errorf("the secret is %v (%v), want it untouched", rec, err)
	}
}

func TestAnswersCarryATraceID(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for _, request := range []string{"GET /openapi/v3/entity/tag/urn:li:tag:x", "GET /openapi/nowhere", "PUT /openapi/v3/entity/tag", "HEAD /openapi/v3/entity/tag/urn:li:x"} {
		rec := s.do(request, "", "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
		parts := strings.Split(rec.Header().Get("traceparent"), "-")
		if len(parts) != 4 || parts[0] != "00" || len(parts[1]) != 32 || len(parts[2]) != 16 || parts[3] != "01" {
			t.Errorf("%s has the traceparent %v", request, parts)
			continue
		}
		// 1754000000000000 microseconds
		if parts[1][:16] != "00063b40f2efa000" {
			t.Errorf("%s has the time %s in its trace id", request, parts[1][:16])
		}
	}
}

func TestAnonymousRequestsAreRefused(t *testing.T) {
	t.Parallel()
	s := newService(t, options{anonymous: true})
	for _, request := range []string{"GET /openapi/v3/entity/tag", "GET /openapi/operations/identity/user/urn"} {
		if rec := s.do(request, ""); rec.Code != http.StatusUnauthorized {
			t.Errorf("%s gives %d, want 401", request, rec.Code)
		}
	}
	s.want("GET /openapi/operations/dev/featureFlags", "", 200, `{"readOnly":false,"showBrowseV2":true}`)
}

func TestPhysicalInstancesOfLogicalAssets(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const logical = "urn:li:dataset:(urn:li:dataPlatform:logical,orders/all,PROD)"
	const path = "/openapi/v3/logical/" + table + "/relationship/physicalInstanceOf"
	s.want("POST "+path+"/"+logical, "", 200, `{"urn":"`+table+`","logicalParent":{"value":{"parent":{"created":{"actor":"urn:li:corpuser:tester","time":1754000000000},`+
		`"destinationUrn":"`+logical+`","lastModified":{"actor":"urn:li:corpuser:tester","time":1754000000000}}}}}`)
	wantAt(t, s.ok("GET /openapi/v3/entity/dataset/"+encoded+"/logicalParent", ""), `"`+logical+`"`, "value", "parent", "destinationUrn")
	s.want("DELETE "+path, "", 200, "[]")
	s.want("GET /openapi/v3/entity/dataset/"+encoded+"/logicalParent", "", 404, "")
	for target, title := range map[string]string{
		"urn:li:tag:a":     "Validation Error",
		"urn:li:nothing:a": "Invalid urn!: urn:li:nothing:a",
	} {
		rec := s.do("POST "+path+"/"+target, "")
		if got, _ := errorOf(t, rec); rec.Code != 400 || got != title {
			t.Errorf("the parent %s gives %d, %q, want 400, %q", target, rec.Code, got, title)
		}
	}
}
