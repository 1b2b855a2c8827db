package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestGetAspect(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(dataset, "status", `{"removed":true}`)
	s.ingest(dataset, "status", `{"removed":false}`)
	slashed := "urn:li:dataset:(urn:li:dataPlatform:s3,//bucket/./a/../b,PROD)"
	s.ingest(slashed, "status", `{"removed":false}`)

	want := func(version int, removed bool) string {
		return fmt.Sprintf(`{"version":%d,"aspect":{"com.linkedin.common.Status":{"removed":%v}}}`, version, removed)
	}
	r := s.get("/aspects/" + encode(dataset) + "?aspect=status&version=0")
	r.is(http.StatusOK, want(0, false))
	if got := r.Header().Get("X-RestLi-Protocol-Version"); got != "2.0.0" {
		t.Errorf("protocol version %q", got)
	}
	s.get("/aspects/"+dataset+"?aspect=status").is(http.StatusOK, want(0, false))
	s.get("/gms/aspects/"+encode(dataset)+"?aspect=status").is(http.StatusOK, want(0, false))
	s.get("/api/gms/aspects/"+encode(dataset)+"?aspect=status&version=1").is(http.StatusOK, want(1, true))
	s.get("/aspects/"+encode(slashed)+"?aspect=status").is(http.StatusOK, want(0, false))
	s.get("/aspects/"+slashed+"?aspect=status").is(http.StatusOK, want(0, false))
	s.get("/aspects/"+encode(dataset)+"?aspect=datasetKey&version=0").is(http.StatusOK,
		`{"version":0,"aspect":{"com.linkedin.metadata.key.DatasetKey":{"platform":"urn:li:dataPlatform:hive","name":"sales.orders","origin":"PROD"}}}`)
}

func TestBlanksAroundAURNInThePathAreIgnored(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(dataset, "status", `{"removed":false}`)
	for _, path := range []string{"/aspects/%s?aspect=status", "/entities/%s?aspects=List(status)", "/entitiesV2/%s?aspects=List(status)"} {
		plain := s.get(fmt.Sprintf(path, encode(dataset)))
		if plain.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, plain.Code, plain.Body)
		}
		for name, text := range map[string]string{
			"one behind": encode(dataset) + "%20", "many behind": encode(dataset) + strings.Repeat("%20", 40), "in front": "%20" + encode(dataset),
			"others": "%09" + encode(dataset) + "%0D%0A", "a no-break space": encode(dataset) + "%C2%A0", "behind a plain one": dataset + "%20",
		} {
			r := s.get(fmt.Sprintf(path, text))
			if r.Code != http.StatusOK || r.Body.String() != plain.Body.String() {
				t.Errorf("%s, %s: got %d %s, want %s", path, name, r.Code, r.Body, plain.Body)
			}
		}
		s.get(fmt.Sprintf(path, "urn%20%3Ali%3Atag%3Aa")).fails(http.StatusBadRequest, "urn:li:")
		s.get(fmt.Sprintf(path, "%20%20")).fails(http.StatusBadRequest, "urn")
		s.get(fmt.Sprintf(path, encode(dataset)+"%00")).fails(http.StatusBadRequest, "")
	}
}

func TestGetAspectRefusals(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingest(dataset, "status", `{"removed":false}`)
	absent := `{"status":404,"exceptionClass":"com.linkedin.restli.server.RestLiServiceException"}`
	s.get("/aspects/"+encode(dataset)+"?aspect=ownership").is(http.StatusNotFound, absent)
	s.get("/aspects/"+encode(dataset)+"?aspect=status&version=7").is(http.StatusNotFound, absent)
	s.get("/aspects/urn%3Ali%3Atag%3Anone?aspect=tagKey&version=0").is(http.StatusNotFound, absent)
	s.get("/aspects/urn%3Ali%3Atelemetry%3AclientId?aspect=telemetryClientId&version=0").is(http.StatusNotFound, absent)
	for path, want := range map[string]string{
		"/aspects/" + encode(dataset):                                     "query parameter aspect is required",
		"/aspects/" + encode(dataset) + "?aspect=status&version=new":      "version must be a whole number",
		"/aspects/urn%3Ali%3Aspaceship%3Aa?aspect=status":                 "unknown entity type spaceship",
		"/aspects/urn%3Ali%3Adataset%3Aorders?aspect=status":              "key has 1 parts",
		"/aspects/orders?aspect=status":                                   "must start with urn:li:",
		"/aspects/urn%3Ali%3Adataset%3A%28a%2Cb?aspect=status":            "parentheses do not balance",
		"/aspects/" + encode("urn:li:dataset:(a,b,c)") + "?aspect=status": "Invalid urn",
		"/aspects/?aspect=status&x=1":                                     "",
	} {
		r := s.get(path)
		if strings.HasPrefix(path, "/aspects/?") {
			r.fails(http.StatusMethodNotAllowed, "")
			continue
		}
		r.fails(http.StatusBadRequest, want)
	}
}

func TestSecretAndManagedAspectsStayInside(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, spec := range s.catalog.Registry.Aspects() {
		if !spec.Secret && !spec.Managed {
			continue
		}
		entity, _ := s.catalog.Registry.Entity(spec.Entities[0])
		u := entity.Example
		if u == "" || spec.IsKey {
			u = "urn:li:" + entity.Name + ":a"
		}
		if _, _, err := s.catalog.Registry.Resolve(u); err != nil {
			t.Fatalf("%s: no URN to try: %v", spec.Name, err)
		}
		change := fmt.Sprintf(`{"entityType":%q,"entityUrn":%q,"aspectName":%q,"aspect":{"value":"{}"}}`, entity.Name, u, spec.Name)
		r := s.post("/aspects?action=ingestProposal", `{"proposal":`+envelope(t, change)+`}`)
		if r.Code < 400 || r.Code >= 500 {
			t.Errorf("%s was written: %d %s", spec.Name, r.Code, r.Body)
		}
		if !spec.Secret {
			continue
		}
		if r := s.get("/aspects/" + encode(u) + "?aspect=" + spec.Name); r.Code < 400 || r.Code >= 500 {
			t.Errorf("%s was served: %d %s", spec.Name, r.Code, r.Body)
		}
		if r := s.get("/entitiesV2/" + encode(u)); strings.Contains(r.Body.String(), `"`+spec.Name+`":{`) {
			t.Errorf("%s was served: %s", spec.Name, r.Body)
		}
	}
}

func TestIngestBatch(t *testing.T) {
	t.Parallel()
	s := newService(t)
	item := func(u, removed string) string {
		return envelope(t, `{"entityUrn":"`+u+`","aspect":{"contentType":"application/json","value":"{\"removed\":`+removed+`,\"notKnown\":1}"}}`)
	}
	s.post("/aspects?action=ingestProposalBatch", `{"proposals":[`+item("urn:li:tag:a", "true")+`,`+item("urn:li:tag:b", "true")+`,`+item("urn:li:tag:a", "false")+`],"async":"true"}`).
		is(http.StatusOK, `{"value":"success"}`)
	s.get("/aspects/urn:li:tag:a?aspect=status").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.common.Status":{"removed":false}}}`)
	s.get("/aspects/urn:li:tag:b?aspect=status").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.common.Status":{"removed":true}}}`)
	s.post("/aspects/?action=ingestProposalBatch", `{"proposals":[]}`).is(http.StatusOK, `{"value":"success"}`)
}

func TestBatchWithOneBadItemWritesNothing(t *testing.T) {
	t.Parallel()
	s := newService(t)
	long := strings.Repeat("x", 600)
	for name, c := range map[string]struct {
		changes, want string
		status        int
	}{
		"required field is missing": {`{"aspectName":"tagProperties","aspect":{"value":"{\"description\":\"d\"}"}}`, "/name :: field is required", 422},
		"field has the wrong type":  {`{"aspect":{"value":"{\"removed\":\"perhaps\"}"}}`, "/removed :: must be a boolean", 422},
		"aspect is not JSON":        {`{"aspect":{"value":"{removed"}}`, "status", 422},
		"aspect is nested too deep": {`{"aspect":{"value":"` + strings.Repeat("[", 300) + `"}}`, "nested deeper than 200", 422},
		"aspect is not known":       {`{"aspectName":"statuses"}`, "statuses", 422},
		"aspect of another entity":  {`{"aspectName":"schemaMetadata"}`, "Unknown aspect schemaMetadata", 422},
		"condition does not hold":   {`{"headers":{"If-Version-Match":"3"}}`, "", 422},
		"entity type is not known":  {`{"entityType":"spaceship","entityUrn":"urn:li:spaceship:a"}`, "unknown entity type spaceship", 400},
		"entity type is another":    {`{"entityType":"dataset"}`, "entityType", 400},
		"URN is too long":           {`{"entityUrn":"urn:li:tag:` + long + `"}`, "longer than 512", 400},
		"URN has a reserved sign":   {`{"entityUrn":"urn:li:tag:a\u241fb"}`, "U+241F", 400},
		"URN does not balance":      {`{"entityUrn":"urn:li:tag:a(b"}`, "do not balance", 400},
		"change type is not known":  {`{"changeType":"MERGE"}`, "changeType", 400},
		"envelope has more members": {`{"asynchronous":1}`, "unrecognized field found but not allowed", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			good := "urn:li:tag:" + strings.ReplaceAll(name, " ", "-")
			body := `{"proposals":[` + envelope(t, `{"entityUrn":"`+good+`"}`) + `,` + envelope(t, c.changes) + `],"async":"true"}`
			s.post("/aspects?action=ingestProposalBatch", body).fails(c.status, c.want)
			s.post("/entities?action=exists", `{"urn":"`+good+`"}`).is(http.StatusOK, `{"value":false}`)
		})
	}
}

func TestIngestProposalForms(t *testing.T) {
	t.Parallel()
	s := newService(t)
	send := func(changes, rest string) reply {
		return s.post("/aspects/?action=ingestProposal", `{"proposal":`+envelope(t, changes)+rest+`}`)
	}
	send(`{"systemMetadata":"{\"lastObserved\": 0, \"runId\": \"cli-run\", \"lastRunId\": \"no-run-id-provided\"}"}`, `,"async":"false"`).is(http.StatusOK, `{"value":"success"}`)
	s.post("/runs?action=list", "{}").is(http.StatusOK, `{"value":[{"runId":"cli-run","timestamp":1754000000000,"rows":2}]}`)

	send(`{"entityUrn":"urn:li:tag:b\\u00fcc"}`, `,"async":false`).is(http.StatusOK, `{"value":"success"}`)
	s.get("/aspects/"+encode("urn:li:tag:büc")+"?aspect=status").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.common.Status":{"removed":false}}}`)

	send(`{"entityUrn":null,"entityKeyAspect":{"contentType":"application/json","value":"{\"name\":\"keyed\"}"}}`, "").is(http.StatusOK, `{"value":"success"}`)
	s.get("/aspects/urn:li:tag:keyed?aspect=tagKey").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.metadata.key.TagKey":{"name":"keyed"}}}`)

	s.ingest(dataset, "globalTags", `{"tags":[]}`)
	for _, contentType := range []string{"application/json-patch+json", "application/json"} {
		send(`{"entityType":"dataset","entityUrn":"`+dataset+`","changeType":"PATCH","aspectName":"globalTags","aspect":{"contentType":"`+contentType+`",
			"value":"[{\"op\":\"add\",\"path\":\"/tags/urn:li:tag:a\",\"value\":{\"tag\":\"urn:li:tag:a\"}}]"}}`, "").is(http.StatusOK, `{"value":"success"}`)
	}
	s.get("/aspects/"+encode(dataset)+"?aspect=globalTags").is(http.StatusOK, `{"version":0,"aspect":{"com.linkedin.common.GlobalTags":{"tags":[{"tag":"urn:li:tag:a"}]}}}`)

	send(`{"changeType":"CREATE"}`, "").fails(http.StatusUnprocessableEntity, "urn:li:tag:a")
	send(`{"changeType":"CREATE","headers":{"If-None-Match":"*"}}`, "").is(http.StatusOK, `{"value":"success"}`)
	send(`{"changeType":"UPSERT","headers":{"If-Version-Match":"9"}}`, "").fails(http.StatusUnprocessableEntity, "")
}

func TestTimeseriesValues(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for i := range 3 {
		s.ingest(dataset, "datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, noon+i, i), `,"systemMetadata":{"lastObserved":1,"runId":"r1"}`)
	}
	ask := func(more string) reply {
		return s.post("/aspects?action=getTimeseriesAspectValues", `{"urn":"`+dataset+`","entity":"dataset","aspect":"datasetProfile"`+more+`}`)
	}
	value := func(i int) string {
		return fmt.Sprintf(`"value":"{\"rowCount\":%d,\"timestampMillis\":%d}"`, i, noon+i)
	}
	newest := ask(`,"latestValue":true`)
	if newest.Code != http.StatusOK || strings.Count(newest.Body.String(), `"aspect":`) != 1 || !strings.Contains(newest.Body.String(), value(2)) ||
		!strings.Contains(newest.Body.String(), `"limit":1`) || !strings.Contains(newest.Body.String(), `"runId":"r1"`) {
		t.Errorf("latest value: got %d %s", newest.Code, newest.Body)
	}
	for name, c := range map[string]struct {
		more string
		want []int
	}{
		"all, newest first":    {``, []int{2, 1, 0}},
		"oldest first":         {`,"sort":{"field":"timestampMillis","order":"ASCENDING"}`, []int{0, 1, 2}},
		"limit":                {`,"limit":2`, []int{2, 1}},
		"limit as text":        {`,"limit":"1"`, []int{2}},
		"range is inclusive":   {fmt.Sprintf(`,"startTimeMillis":%d,"endTimeMillis":%d`, noon, noon+1), []int{1, 0}},
		"empty filter":         {`,"filter":{}`, []int{2, 1, 0}},
		"empty clause":         {`,"filter":{"or":[{"and":[]}]}`, []int{2, 1, 0}},
		"filter":               {`,"filter":{"or":[{"and":[{"field":"rowCount","values":["1"],"condition":"EQUAL"}]},{"and":[{"field":"rowCount","values":["0"]}]}]}`, []int{1, 0}},
		"negated":              {`,"filter":{"or":[{"and":[{"field":"rowCount","values":["1"],"condition":"EQUAL","negated":true}]}]}`, []int{2, 0}},
		"older form of filter": {`,"filter":{"criteria":[{"field":"rowCount","value":"2","condition":"EQUAL"}]}`, []int{2}},
		"nothing matches":      {`,"filter":{"or":[{"and":[{"field":"runId","values":["other"]}]}]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := ask(c.more)
			body := r.Body.String()
			at := -1
			for _, i := range c.want {
				next := strings.Index(body, value(i))
				if next <= at {
					t.Fatalf("got %s, want %v in this order", body, c.want)
				}
				at = next
			}
			if got := strings.Count(body, `"contentType"`); r.Code != http.StatusOK || got != len(c.want) {
				t.Errorf("got %d with %d values, want %d: %s", r.Code, got, len(c.want), body)
			}
		})
	}
	for more, want := range map[string]string{
		`,"filter":{"or":[{"and":[{"field":"rowCount","condition":"NEAR"}]}]}`: `condition "NEAR" of field "rowCount" is not known`,
		`,"filter":{"or":[{"and":[{"values":["1"]}]}]}`:                        "a criterion has no field",
		`,"filter":[]`:                 "filter must be an object",
		`,"sort":{"field":"rowCount"}`: "sort.field must be timestampMillis",
		`,"sort":{"field":"timestampMillis","order":"SIDEWAYS"}`: "sort.order must be ASCENDING or DESCENDING",
		`,"limit":0`:                "limit must be at least 1",
		`,"entity":"chart"`:         `entity is "chart", but urn is of entity type dataset`,
		`,"urn":"urn:li:dataset:a"`: "Invalid urn",
		`,"aspect":"status"`:        "status",
		`,"aspect":"none"`:          "none",
	} {
		ask(more).fails(http.StatusBadRequest, want)
	}
	s.get("/aspects/"+encode(dataset)+"?aspect=datasetProfile").fails(http.StatusNotFound, "")
}

func TestCountAspect(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, u := range []string{dataset, "urn:li:tag:a", "urn:li:tag:b"} {
		s.ingest(u, "status", `{"removed":false}`)
	}
	s.post("/aspects?action=getCount", `{"aspect":"status","urnLike":"urn:li:tag:%"}`).is(http.StatusOK, `{"value":2}`)
	s.post("/aspects?action=getCount", `{"aspect":"status"}`).is(http.StatusOK, `{"value":3}`)
	s.post("/aspects?action=getCount", `{}`).fails(http.StatusBadRequest, "aspect")
	s.post("/aspects?action=getCount", `{"aspect":"none"}`).fails(http.StatusBadRequest, "none")
}

func BenchmarkGetAspect(b *testing.B) {
	s := newService(b)
	s.ingest(dataset, "status", `{"removed":false}`)
	target := "/aspects/" + encode(dataset) + "?aspect=status&version=0"
	b.ReportAllocs()
	for b.Loop() {
		if r := s.get(target); r.Code != http.StatusOK {
			b.Fatal(r.Body)
		}
	}
}

func BenchmarkIngestBatchOf100(b *testing.B) {
	s := newService(b)
	body := batchBody(100)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if r := s.post("/aspects?action=ingestProposalBatch", body); r.Code != http.StatusOK {
			b.Fatal(r.Body)
		}
	}
}
