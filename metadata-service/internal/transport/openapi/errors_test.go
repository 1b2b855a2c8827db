package openapi_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestBadInputIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	s.tag("a")
	const post, one, batch, scroll = "POST /openapi/v3/entity/tag?async=false", "POST /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?createIfNotExists=false",
		"POST /openapi/v3/entity/tag/batchGet", "POST /openapi/v3/entity/scroll"
	const (
		noJSON     = "Invalid JSON format"
		malformed  = "Malformed request body"
		validation = "Validation Error"
	)
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for name, c := range map[string]struct {
		request, body string
		status        int
		title         string // of the error; may be its beginning
		message       string // part of the message
	}{
		"an empty body":                               {post, "", 400, malformed, "empty"},
		"a body that is no JSON":                      {post, "[{", 400, noJSON, "too early"},
		"more than one value":                         {post, "[] []", 400, noJSON, "more text"},
		"half a pair in a URN":                        {post, `[{"urn":"urn:li:tag:\ud800","status":{"value":{}}}]`, 400, malformed, "the request body at byte 20: a \\u escape is half of a surrogate pair"},
		"a URN in another encoding":                   {post, "[{\"urn\":\"urn:li:tag:caf\xe9\",\"status\":{\"value\":{}}}]", 400, malformed, "the request body at byte 23: not valid UTF-8"},
		"half a pair in the value of an aspect":       {one, `{"value":{"name":"\udfff"}}`, 400, malformed, "half of a surrogate pair"},
		"half a pair in a patch":                      {"PATCH /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", `{"patch":[{"op":"add","path":"/name","value":"\ud800"}]}`, 400, malformed, "half of a surrogate pair"},
		"what is no URN in the path of an entity":     {"GET /openapi/v3/entity/tag/pii", "", 400, "Invalid urn!: pii", ""},
		"what is no URN in the path of an aspect":     {"GET /openapi/v3/entity/tag/pii/tagProperties", "", 400, "Invalid urn!: pii", ""},
		"a URN in the path with a broken escape":      {"GET /openapi/v3/entity/tag/%20urn%3Ali", "", 400, "Invalid urn!:", ""},
		"the older form with what is no URN":          {"GET /openapi/v2/entity/tag/pii", "", 400, "Invalid urn!: pii", ""},
		"a URN in a path in another encoding":         {"GET /openapi/v3/entity/tag/urn%3Ali%3Atag%3Acaf%E9", "", 400, "the path, percent-decoded, is not valid UTF-8", ""},
		"a parameter in another encoding":             {"GET /openapi/v3/entity/tag?query=caf%E9", "", 400, "query parameter query, percent-decoded, is not valid UTF-8", ""},
		"a parameter encoded twice":                   {"GET /openapi/relationships/v1/?urn=urn%253Ali%253Atag%253A%25FF&relationshipTypes=x&direction=INCOMING", "", 400, "Invalid urn!: urn:li:tag:", "not valid UTF-8"},
		"a logo that is a script":                     {"POST /openapi/v3/entity/dataPlatform?async=false", `[{"urn":"urn:li:dataPlatform:x","dataPlatformInfo":{"value":{"name":"x","type":"OTHERS","datasetNameDelimiter":".","logoUrl":"javascript:alert(1)"}}}]`, 400, validation, "/logoUrl :: must be an address of a scheme that runs no code"},
		"an element that is no object":                {post, `["x"]`, 400, malformed, "must be an object"},
		"an element without a URN":                    {post, `[{"status":{"value":{}}}]`, 400, malformed, "Missing 'urn' field"},
		"a URN that is no string":                     {post, `[{"urn":7}]`, 400, malformed, "Missing 'urn' field"},
		"an aspect that is no object":                 {post, `[{"urn":"urn:li:tag:a","status":true}]`, 400, malformed, "aspect status must be an object"},
		"an aspect without a value":                   {post, `[{"urn":"urn:li:tag:a","status":{}}]`, 400, malformed, "has no value"},
		"headers that are no strings":                 {post, `[{"urn":"urn:li:tag:a","status":{"value":{},"headers":{"If-Version-Match":1}}}]`, 400, malformed, "headers"},
		"system metadata of a wrong type":             {post, `[{"urn":"urn:li:tag:a","status":{"value":{},"systemMetadata":{"lastObserved":"x"}}}]`, 400, malformed, "systemMetadata.lastObserved must be a number"},
		"a URN of an unknown type":                    {post, `[{"urn":"urn:li:nothing:a","status":{"value":{}}}]`, 400, "Invalid urn!: urn:li:nothing:a", "unknown entity type"},
		"a URN with an upper-case type":               {post, `[{"urn":"urn:li:FOO:x","status":{"value":{}}}]`, 400, "Invalid urn!: urn:li:FOO:x", "entity type"},
		"the same, asynchronously":                    {"POST /openapi/v3/entity/tag", `[{"urn":"urn:li:FOO:x","status":{"value":{}}}]`, 400, "Invalid urn!: urn:li:FOO:x", ""},
		"a URN of another type than the path":         {post, `[{"urn":"urn:li:domain:a","domainProperties":{"value":{"name":"x"}}}]`, 400, "", ""},
		"an unknown fabric in a URN":                  {"POST /openapi/v3/entity/dataset", `[{"urn":"urn:li:dataset:(urn:li:dataPlatform:hive,t,MOON)","status":{"value":{"removed":false}}}]`, 400, "Invalid urn!: urn:li:dataset", "origin"},
		"an unknown aspect":                           {post, `[{"urn":"urn:li:tag:a","nonsense":{"value":{}}}]`, 400, validation, "nonsense"},
		"a missing field of an aspect":                {post, `[{"urn":"urn:li:tag:a","tagProperties":{"value":{}}}]`, 400, validation, "/name :: field is required"},
		"a wrong type in an aspect":                   {post, `[{"urn":"urn:li:tag:a","status":{"value":{"removed":"perhaps"}}}]`, 400, validation, "/removed"},
		"a value nested too deeply":                   {post, `[{"urn":"urn:li:tag:a","status":{"value":` + deep + `}}]`, 400, validation, "deeper"},
		"one bad item spoils the batch":               {post, `[{"urn":"urn:li:tag:new","status":{"value":{"removed":false}}},{"urn":"urn:li:tag:a","nonsense":{"value":{}}}]`, 400, validation, "nonsense"},
		"an entity that may not be written":           {post, `[{"urn":"urn:li:tag:forbidden","status":{"value":{"removed":false}}}]`, 403, "urn:li:corpuser:tester is unauthorized to write entities. [HttpStatus: 403 Urn: urn:li:tag:forbidden]", "EntityAspect:(urn:li:tag:forbidden,status) Exceptions: [it is forbidden]"},
		"forbidden wins over invalid only when known": {post, `[{"urn":"urn:li:tag:forbidden","status":{"value":{"removed":false}}},{"urn":"urn:li:tag:a","status":{"value":{"removed":false},"headers":{"If-Version-Match":"9"}}}]`, 403, "urn:li:corpuser:tester is unauthorized to write entities. [HttpStatus: 403 Urn: urn:li:tag:forbidden]", ""},
		"an entity that may not be read":              {"GET /openapi/v3/entity/tag/urn:li:tag:forbidden", "", 403, "urn:li:corpuser:tester is unauthorized to READ entities.", "it is forbidden"},
		"an unknown entity type in a path":            {"POST /openapi/v3/entity/nothing", "[]", 400, "Failed to find entity with name nothing", ""},
		"an unknown entity type in a list":            {"GET /openapi/v3/entity/nothing", "", 400, "Failed to find entity with name nothing", ""},
		"a boolean that is none":                      {"GET /openapi/v3/entity/tag/urn:li:tag:a?systemMetadata=1", "", 400, "query parameter systemMetadata must be true or false", ""},
		"async that is no boolean":                    {"POST /openapi/v3/entity/tag?async=maybe", "[]", 400, "query parameter async", ""},
		"a version that is no number":                 {"GET /openapi/v3/entity/tag/urn:li:tag:a/tagProperties?version=x", "", 400, "query parameter version must be a whole number", ""},
		"a negative count":                            {"GET /openapi/v3/entity/tag?count=-1", "", 400, "query parameter count must not be negative", ""},
		"a count out of range":                        {"GET /openapi/v3/entity/tag?count=99999999999999999999", "", 400, "query parameter count", ""},
		"too many list values":                        {"GET /openapi/v3/entity/tag/urn:li:tag:a?aspects=" + strings.Repeat("x,", 1001), "", 400, "query parameter aspects has", ""},
		"a URN in a path that does not parse":         {"GET /openapi/v3/entity/tag/urn:li:tag:", "", 400, "Invalid urn!: urn:li:tag:", "key is empty"},
		"a URN of an unknown type in a path":          {"HEAD /openapi/v3/entity/tag/urn:li:nothing:x", "", 400, "", ""},
		"a single aspect that is no object":           {one, `[1]`, 400, malformed, "must be an object"},
		"a single aspect without a value":             {one, `{}`, 400, malformed, "has no value"},
		"a single aspect with a null value":           {one, `{"value":null}`, 400, malformed, "has no value"},
		"a single aspect unknown to the type":         {"POST /openapi/v3/entity/tag/urn:li:tag:a/nonsense", `{"value":{}}`, 400, validation, "nonsense"},
		"a patch that is a text":                      {"PATCH /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", `"x"`, 400, malformed, "must be a patch"},
		"a patch without operations":                  {"PATCH /openapi/v3/entity/tag", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{}}}]`, 400, validation, "patch"},
		"a patch with an unknown operation":           {"PATCH /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", `{"patch":[{"op":"turn","path":"/x"}]}`, 400, validation, ""},
		"a patch whose result is not valid":           {"PATCH /openapi/v3/entity/tag/urn:li:tag:a/tagProperties", `{"patch":[{"op":"remove","path":"/name"}],"forceGenericPatch":true}`, 400, validation, "/name"},
		"types that are no object":                    {"POST /openapi/v3/entity/generic", `[]`, 400, malformed, "must be an object"},
		"a type that has no array":                    {"POST /openapi/v3/entity/generic", `{"tag":{}}`, 400, malformed, "member tag must be an array"},
		"a type that is not known":                    {"POST /openapi/v3/entity/generic", `{"nothing":[]}`, 400, "Failed to find entity", ""},
		"a batch read of no array":                    {batch, `{}`, 400, malformed, "must be an array"},
		"a batch read without a URN":                  {batch, `[{}]`, 400, malformed, "Missing 'urn' field"},
		"a batch read with a wrong version":           {batch, `[{"urn":"urn:li:tag:a","status":{"headers":{"If-Version-Match":"x"}}}]`, 400, "header If-Version-Match of aspect status", ""},
		"a batch read of a bad URN":                   {batch, `[{"urn":"urn:li:tag"}]`, 400, "Invalid urn!: urn:li:tag", ""},
		"a deletion of an unknown aspect":             {"DELETE /openapi/v3/entity/tag/urn:li:tag:a?aspects=nonsense", "", 400, "entity type tag has no aspect nonsense", ""},
		"a deletion of an unknown aspect by path":     {"DELETE /openapi/v3/entity/tag/urn:li:tag:a/nonsense", "", 400, "entity type tag has no aspect nonsense", ""},
		"a direction that is none":                    {"GET /openapi/v3/entity/tag?sortOrder=UP", "", 400, "sort order must be", ""},
		"a slice beyond the last":                     {"GET /openapi/v3/entity/tag?sliceId=2&sliceMax=2", "", 400, "sliceId must be", ""},
		"a cursor that is none":                       {"GET /openapi/v3/entity/tag?scrollId=abc", "", 400, "scrollId is not one of this query", ""},
		"a cursor that is no base64":                  {"GET /openapi/v3/entity/tag?scrollId=%25%25", "", 400, "scrollId is not one of this query", ""},
		"a scroll without a body":                     {scroll, "", 400, malformed, ""},
		"a scroll of a wrong shape":                   {scroll, `{"entities":"tag"}`, 400, malformed, "entities must be an array"},
		"a scroll of an unknown type":                 {scroll, `{"entities":["nothing"]}`, 400, "Failed to find entity", ""},
		"a criterion without a field":                 {scroll, `{"filter":{"and":[{"criteria":[{"values":["x"]}]}]}}`, 400, "a criterion of the filter has no field", ""},
		"a filter with an unknown condition":          {scroll, `{"filter":{"and":[{"criteria":[{"field":"urn","values":["x"],"condition":"LIKE"}]}]}}`, 400, "filter: condition \"LIKE\" of field urn", ""},
		"an expression that is not closed":            {"GET /openapi/v3/entity/tag?query=/q%20(a", "", 400, "query, at byte 3: a closing parenthesis", ""},
		"a search with a forged cursor":               {"GET /openapi/v3/entity/tag?query=a&scrollId=AAAA", "", 400, "scrollId", ""},
		"related entities of none":                    {"GET /openapi/relationships/v1", "", 400, "query parameter urn is missing", ""},
		"related entities in a third direction":       {"GET /openapi/relationships/v1?urn=urn:li:tag:a&direction=UP", "", 400, "query parameter direction must be", ""},
		"relationships with a forged cursor":          {"GET /openapi/v3/relationship/TaggedWith?scrollId=AAAA", "", 400, "scrollId", ""},
		"relationships of another type than the URN":  {"GET /openapi/v3/relationship/chart/urn:li:tag:a", "", 400, "the path says chart, but the URN is of entity type tag", ""},
		"a filter on edges by an unknown field":       {"POST /openapi/v3/relationship/scroll", `{"edgeFilter":{"and":[{"criteria":[{"field":"x","values":["x"]}]}]}}`, 400, "edgeFilter: field \"x\" is none of", ""},
		"a filter on edges by a beginning":            {"POST /openapi/v3/relationship/scroll", `{"edgeFilter":{"and":[{"criteria":[{"field":"via","values":["x"],"condition":"START_WITH"}]}]}}`, 400, "edgeFilter: condition START_WITH of field via", ""},
		"lineage in a third direction":                {"POST /openapi/v3/lineage/scroll?direction=UP", `{"urns":["urn:li:tag:a"]}`, 400, "query parameter direction must be", ""},
		"the older form without aspects":              {"POST /openapi/v2/entity/tag", `[{"urn":"urn:li:tag:a"}]`, 400, malformed, "Missing aspects field"},
		"the older batch read of a wrong shape":       {"POST /openapi/v2/entity/batch/tag", `{"urns":"x"}`, 400, malformed, "urns must be an array"},
		"the older batch read of a bad URN":           {"POST /openapi/v2/entity/batch/tag", `{"urns":["x"]}`, 400, "Invalid urn!: x", ""},
		"documents of a versioned aspect":             {"GET /openapi/v2/timeseries/dataset/status", "", 400, "entity type dataset has no time-series aspect status", ""},
		"documents with a forged cursor":              {"GET /openapi/v2/timeseries/dataset/datasetProfile?scrollId=AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "", 400, "scrollId is not", ""},
		"documents with a wrong bound":                {"GET /openapi/v2/timeseries/dataset/datasetProfile?startTimeMillis=now", "", 400, "query parameter startTimeMillis", ""},
		"the first form without URNs":                 {"GET /openapi/entities/v1/latest", "", 400, "query parameter urns is missing", ""},
		"the first form without a tag":                {"POST /openapi/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","aspect":{}}]`, 400, malformed, "__type"},
		"the first form without an aspect":            {"POST /openapi/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a"}]`, 400, malformed, "__type"},
		"the first form with an unknown record":       {"POST /openapi/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","aspect":{"__type":"Nonsense"}}]`, 422, validation, "Nonsense"},
		"the first form with a bad value":             {"POST /openapi/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","aspect":{"__type":"TagProperties"}}]`, 422, validation, "/name"},
		"the first form of an unknown type":           {"POST /openapi/entities/v1/", `[{"entityType":"x"}]`, 400, "Failed to find entity", ""},
		"a first form that is no array":               {"POST /openapi/entities/v1/", `{}`, 400, malformed, "must be an array"},
		"a deletion of the first form without URNs":   {"DELETE /openapi/entities/v1/", "", 400, "query parameter urns is missing", ""},
		"a proposal without an aspect name":           {"POST /openapi/v2/platform/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT"}]`, 0, "", ""},
		"a proposal with a bad value":                 {"POST /openapi/v2/platform/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"{"}}]`, 422, validation, "tagProperties"},
		"a proposal with an unknown change":           {"POST /openapi/v2/platform/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"TURN","aspectName":"status","aspect":{"value":"{}"}}]`, 0, "", ""},
		"a trace id that is none":                     {"POST /openapi/v1/trace/write/xyz", `{}`, 400, "trace id must be 32 hex digits", ""},
		"a trace of a bad URN":                        {"POST /openapi/v1/trace/write/" + strings.Repeat("0", 32), `{"x":[]}`, 400, "Invalid urn!: x", ""},
		"a trace of a wrong shape":                    {"POST /openapi/v1/trace/write/" + strings.Repeat("0", 32), `[]`, 400, malformed, "must be an object"},
		"specifications without the privilege":        {"GET /openapi/v1/registry/models/entity/specifications", "", 403, "no authorization: urn:li:corpuser:tester lacks the privilege MANAGE_SYSTEM_OPERATIONS.", ""},
		"figures of messaging without the privilege":  {"GET /openapi/operations/messaging/mcl/consumer/lag", "", 403, "no authorization: urn:li:corpuser:tester lacks the privilege VIEW_SYSTEM_STATUS.", ""},
		"a count of an unknown type":                  {"GET /openapi/v1/entities/nothing/count", "", 400, "Failed to find entity", ""},
		"an event without a type":                     {"POST /openapi/v1/tracking/track", `{}`, 400, "the event has no type", ""},
		"system information without the privilege":    {"GET /openapi/v1/system-info/properties", "", 403, "no authorization: urn:li:corpuser:tester lacks the privilege MANAGE_SYSTEM_OPERATIONS.", ""},
		"an unknown document":                         {"GET /openapi/v3/api-docs/nothing", "", 404, "No endpoint GET /openapi/v3/api-docs/nothing.", ""},
		"an unknown file of the page":                 {"GET /openapi/swagger-ui/swagger-ui.js.map", "", 404, "No endpoint", ""},
		"a path out of the page":                      {"GET /openapi/swagger-ui/..%2f..%2fgo.mod", "", 404, "No endpoint", ""},
	} {
		t.Run(name, func(t *testing.T) {
			rec := s.do(c.request, c.body)
			if c.status == 0 && (rec.Code < 400 || rec.Code > 422) || c.status != 0 && rec.Code != c.status {
				t.Fatalf("%s gives %d, want %d: %s", c.request, rec.Code, c.status, rec.Body)
			}
			if strings.HasPrefix(c.request, http.MethodHead) {
				return
			}
			title, message := errorOf(t, rec)
			if !strings.HasPrefix(title, c.title) || title == "" || !strings.Contains(message, c.message) {
				t.Errorf("%s gives the error %q, %q\nwant %q, %q", c.request, title, message, c.title, c.message)
			}
		})
	}
	s.want("HEAD /openapi/v3/entity/tag/urn:li:tag:new", "", 404, "")
}

func TestBadInputOfWhoManagesTheSystemIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	s := newService(t, options{open: true})
	for name, c := range map[string]struct {
		request, body  string
		status         int
		title, message string
	}{
		"a page of specifications beyond the end": {"GET /openapi/v1/registry/models/entity/specifications?start=5000", "", 400, "query parameter start", ""},
		"a page before the beginning":             {"GET /openapi/v1/registry/models/aspect/specifications?start=-1", "", 400, "query parameter start", ""},
		"an edge direction that is none":          {"GET /openapi/v1/registry/lineage/edges/dataset/SIDEWAYS", "", 400, "direction must be UPSTREAM or DOWNSTREAM", ""},
		"a webhook that is a list":                {"POST /openapi/v1/webhooks", `[]`, 400, "Malformed request body", "must be an object, is array"},
		"a webhook whose name is a number":        {"POST /openapi/v1/webhooks", `{"name":7}`, 400, "Malformed request body", "name must be a string, is number"},
		"a webhook whose filter is a text":        {"POST /openapi/v1/webhooks", `{"name":"x","filter":"x"}`, 400, "Malformed request body", "filter must be an object, is string"},
		"a webhook to a file":                     {"POST /openapi/v1/webhooks", `{"name":"x","url":"file:///etc/passwd","secret":"a secret that is long enough"}`, 400, "url: must be an address as https://hooks.example.com/path", ""},
		"a trace that is none":                    {"POST /openapi/v1/trace/write/xyz", `{}`, 400, "trace id must be 32 hex digits or a traceparent, is ", ""},
		"a trace of a list":                       {"POST /openapi/v1/trace/write/" + strings.Repeat("1", 32), `[]`, 400, "Malformed request body", "must be an object, is array"},
		"a trace of aspects that are a number":    {"POST /openapi/v1/trace/write/" + strings.Repeat("1", 32), `{"urn:li:tag:a":7}`, 400, "Malformed request body", "must be an array, is number"},
		"a trace of what is no URN":               {"POST /openapi/v1/trace/write/" + strings.Repeat("1", 32), `{"tag":[]}`, 400, "Invalid urn!: tag", ""},
		"proposals that are no list":              {"POST /openapi/v2/platform/entities/v1/", `{}`, 400, "Malformed request body", "must be an array, is object"},
		"a proposal that is a number":             {"POST /openapi/v2/platform/entities/v1/", `[7]`, 400, "Malformed request body", "must be an object, is number"},
		"a proposal whose value is a number":      {"POST /openapi/v2/platform/entities/v1/", `[{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"UPSERT","aspectName":"status","aspect":7}]`, 400, "Malformed request body", "aspect must be an object, is number"},
		"raw documents of no list":                {"POST /openapi/operations/elasticSearch/entity/raw", `{}`, 400, "Malformed request body", "must be an array, is object"},
		"raw documents of what is no URN":         {"POST /openapi/operations/elasticSearch/entity/raw", `["x"]`, 400, "Invalid urn!: x", ""},
		"a run event that is a list":              {"POST /openapi/openlineage/api/v1/lineage", `[]`, 400, "the body is no OpenLineage event: json: cannot unmarshal array into Go value of type openlineage.event", ""},
		"an unknown stream":                       {"GET /openapi/operations/messaging/mail/consumer/lag", "", 404, "No endpoint GET /openapi/operations/messaging/mail/consumer/lag.", ""},
	} {
		rec := s.do(c.request, c.body)
		if title, message := errorOf(t, rec); rec.Code != c.status || !strings.HasPrefix(title, c.title) || !strings.Contains(message, c.message) {
			t.Errorf("%s: %s gives %d %q %q, want %d %q %q", name, c.request, rec.Code, title, message, c.status, c.title, c.message)
		}
	}
	s.want("PATCH /openapi/v1/webhooks/none", `{"name":"x"}`, 404, "")
	s.want("POST /openapi/v1/webhooks/none/dead-letters/none/replay", "", 404, "")
}

func TestRefusalsTellProgramsWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	const tag = `[{"urn":"urn:li:tag:forbidden","status":{"value":{"removed":false}}},{"urn":"urn:li:tag:forbidden","tagProperties":{"value":{"name":"x"}}}]`
	for request, c := range map[string]struct{ body, want string }{
		"GET /openapi/v3/entity/tag/urn:li:tag:forbidden": {"", `{"error":"urn:li:corpuser:tester is unauthorized to READ entities.","message":"it is forbidden","code":"FORBIDDEN",` +
			`"actor":"urn:li:corpuser:tester","operation":"READ","missing":[{"privileges":["VIEW_ENTITY_PAGE","GET_ENTITY_PRIVILEGE","EDIT_ENTITY","DELETE_ENTITY"],"resource":"urn:li:tag:forbidden"}]}`},
		"DELETE /openapi/v3/entity/tag/urn:li:tag:forbidden": {"", `{"error":"urn:li:corpuser:tester is unauthorized to DELETE entities.","message":"it is forbidden","code":"FORBIDDEN",` +
			`"actor":"urn:li:corpuser:tester","operation":"DELETE","missing":[{"privileges":["DELETE_ENTITY"],"resource":"urn:li:tag:forbidden"}]}`},
		"GET /openapi/v1/system-info/properties": {"", `{"error":"no authorization: urn:li:corpuser:tester lacks the privilege MANAGE_SYSTEM_OPERATIONS.","code":"FORBIDDEN",` +
			`"actor":"urn:li:corpuser:tester","missing":[{"privileges":["MANAGE_SYSTEM_OPERATIONS"]}]}`},
		"POST /openapi/v3/entity/tag?async=false": {tag, `{"error":"urn:li:corpuser:tester is unauthorized to write entities. [HttpStatus: 403 Urn: urn:li:tag:forbidden]",` +
			`"message":"Failed to validate MCP due to: ValidationExceptionCollection{EntityAspect:(urn:li:tag:forbidden,status) Exceptions: [it is forbidden]; EntityAspect:(urn:li:tag:forbidden,tagProperties) Exceptions: [it is forbidden]}",` +
			`"code":"FORBIDDEN","actor":"urn:li:corpuser:tester","operation":"CREATE","missing":[{"privileges":["EDIT_ENTITY","CREATE_ENTITY"],"resource":"urn:li:tag:forbidden"}]}`},
	} {
		if rec := s.do(request, c.body); rec.Code != http.StatusForbidden || strings.TrimSpace(rec.Body.String()) != c.want {
			t.Errorf("%s gives %d %s\nwant %s", request, rec.Code, rec.Body, c.want)
		}
	}
}

func TestWrongMethodsAreToldTheRightOnes(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for request, allow := range map[string]string{
		"PUT /openapi/v3/entity/tag":                  "GET, PATCH, POST",
		"GET /openapi/v3/entity/scroll":               "POST",
		"GET /openapi/v3/entity/generic":              "PATCH, POST",
		"OPTIONS /openapi/v3/entity/tag/urn:li:tag:a": "DELETE, GET, HEAD",
		"POST /openapi/operations/identity/user/urn":  "GET",
	} {
		rec := s.do(request, "")
		if rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != allow {
			t.Errorf("%s gives %d, Allow %q; want 405, %q", request, rec.Code, rec.Header().Get("Allow"), allow)
		}
		if title, _ := errorOf(t, rec); !strings.Contains(title, allow) {
			t.Errorf("%s gives the error %q", request, title)
		}
	}
}

func TestBodiesHaveLimits(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	for request, limit := range map[string]int{"POST /openapi/v3/entity/tag/batchGet": 16 << 20, "POST /openapi/v1/tracking/track": 16 << 20} {
		rec := s.do(request, strings.Repeat(" ", limit+1))
		if title, _ := errorOf(t, rec); rec.Code != http.StatusRequestEntityTooLarge || !strings.Contains(title, "16 MiB") {
			t.Errorf("%s with %d bytes gives %d: %s", request, limit+1, rec.Code, title)
		}
	}
	many := "[" + strings.Repeat(`{"urn":"urn:li:tag:a","status":{"value":{}}},`, 20_000) + `{"urn":"urn:li:tag:a","status":{"value":{}}}]`
	if title, _ := errorOf(t, s.do("POST /openapi/v3/entity/tag", many)); !strings.Contains(title, "at most 20000 aspects") {
		t.Errorf("too many aspects give %q", title)
	}
}

func TestAnswersHaveALimit(t *testing.T) {
	t.Parallel()
	s := newService(t, options{limit: 2 << 20})
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:a","tagProperties":{"value":{"name":"a","description":"`+strings.Repeat("x", 20<<10)+`"}}}]`)
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:b","tagProperties":{"value":{"name":"b","description":"`+strings.Repeat("x", 20<<10)+`"}}}]`)
	s.ok("POST /openapi/v3/entity/tag?async=false", `[{"urn":"urn:li:tag:b","tagProperties":{"value":{"name":"b"}}}]`)
	old := `{"urn":"urn:li:tag:b","tagProperties":{"headers":{"If-Version-Match":"1"}}},`
	wish := `{"urn":"urn:li:tag:a"},`
	urns := `"urn:li:tag:a",`
	half := "[" + strings.TrimSuffix(strings.Repeat(wish, 70), ",") + "]"
	for request, body := range map[string]string{
		"POST /openapi/v3/entity/tag/batchGet":     "[" + strings.TrimSuffix(strings.Repeat(wish, 130), ",") + "]",
		"POST /openapi/v3/entity/Tag/batchGet":     "[" + strings.TrimSuffix(strings.Repeat(old, 130), ",") + "]",
		"POST /openapi/v3/entity/generic/batchGet": `{"tag":` + half + `,"Tag":` + half + `}`,
		"POST /openapi/v2/entity/batch/tag":        `{"urns":[` + strings.TrimSuffix(strings.Repeat(urns, 130), ",") + `]}`,
	} {
		rec := s.do(request, body)
		if title, _ := errorOf(t, rec); rec.Code != http.StatusRequestEntityTooLarge || !strings.Contains(title, "larger than 2 MiB") {
			t.Errorf("%s gives %d: %s", request, rec.Code, title)
		}
	}
}

func TestListsOfNamesHaveALimit(t *testing.T) {
	t.Parallel()
	s := newService(t, options{})
	names := strings.TrimSuffix(strings.Repeat(`"x",`, 1001), ",")
	var aspects []string
	for i := range 1001 {
		aspects = append(aspects, `"x`+itoa(i)+`":{}`)
	}
	for request, body := range map[string]string{
		"POST /openapi/v3/entity/scroll":                                `{"aspects":[` + names + `]}`,
		"POST /openapi/v2/entity/batch/tag":                             `{"urns":["urn:li:tag:a"],"aspectNames":[` + names + `]}`,
		"POST /openapi/v3/entity/tag/batchGet":                          `[{"urn":"urn:li:tag:a",` + strings.Join(aspects, ",") + `}]`,
		"POST /openapi/v1/trace/write/00063b40f2efa0001eca40cb746277be": `{"urn:li:tag:a":[` + strings.Repeat(`"x",`, 20_000) + `"x"]}`,
	} {
		rec := s.do(request, body)
		if title, _ := errorOf(t, rec); rec.Code != http.StatusBadRequest || !strings.Contains(title, "at most") {
			t.Errorf("%s gives %d: %s", request, rec.Code, title)
		}
	}
}
