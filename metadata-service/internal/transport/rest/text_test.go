package rest_test

import (
	"net/http"
	"testing"
)

func TestTextThatIsNotWellFormedUnicodeIsRefusedBeforeItBecomesAnotherName(t *testing.T) {
	t.Parallel()
	s := newService(t)
	proposal := func(urn, value string) string {
		return `{"entityType":"tag","entityUrn":"` + urn + `","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"` + value + `"}}`
	}
	const named = `{\"name\":\"x\"}`
	good := proposal("urn:li:tag:good", named)
	for _, tt := range []struct{ name, target, body, part string }{
		{"half a pair in a URN", "/aspects?action=ingestProposal", `{"proposal":` + proposal(`urn:li:tag:\ud800`, named) + `}`, "half of a surrogate pair"},
		{"a byte that is no UTF-8 in a URN", "/aspects?action=ingestProposal", `{"proposal":` + proposal("urn:li:tag:\xff", named) + `}`, "not valid UTF-8"},
		{"the second of a batch", "/aspects?action=ingestProposalBatch", `{"proposals":[` + good + `,` + proposal(`urn:li:tag:\udfff`, named) + `]}`, "half of a surrogate pair"},
		{"half a pair in the aspect inside of the text", "/aspects?action=ingestProposal", `{"proposal":` + proposal("urn:li:tag:a", `{\"name\":\"\\ud800\"}`) + `}`, "half of a surrogate pair"},
		{"half a pair in a patch", "/aspects?action=ingestProposal", `{"proposal":{"entityType":"tag","entityUrn":"urn:li:tag:a","changeType":"PATCH","aspectName":"tagProperties","aspect":{"contentType":"application/json","value":"[{\"op\":\"add\",\"path\":\"/name\",\"value\":\"\\ud800\"}]"}}}`, "half of a surrogate pair"},
		{"half a pair as the client escapes it in single proposals", "/aspects?action=ingestProposal", `{"proposal":` + proposal(`urn:li:tag:\\ud800`, named) + `}`, "half of a surrogate pair"},
		{"half a pair in the system metadata as text", "/aspects?action=ingestProposal", `{"proposal":` + good[:len(good)-1] + `,"systemMetadata":"{\"runId\":\"\\ud800\"}"}}`, "half of a surrogate pair"},
		{"half a pair in a snapshot", "/entities?action=ingest", `{"entity":{"value":{"com.linkedin.metadata.snapshot.TagSnapshot":{"urn":"urn:li:tag:\ud800","aspects":[]}}}}`, "half of a surrogate pair"},
		{"a byte that is no UTF-8 in a search", "/entities?action=search", "{\"entity\":\"tag\",\"input\":\"\xff\",\"start\":0,\"count\":1}", "not valid UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &service{TB: t, handler: s.handler}
			s.post(tt.target, tt.body).fails(http.StatusBadRequest, tt.part)
		})
	}
	for _, urn := range []string{"urn:li:tag:good", "urn:li:tag:a", "urn:li:tag:\ufffd"} {
		s.post("/entities?action=exists", `{"urn":"`+urn+`"}`).is(http.StatusOK, `{"value":false}`)
	}
	s.ingest("urn:li:tag:\ufffd", "tagProperties", `{"name":"sent as such"}`)
	s.post("/entities?action=exists", `{"urn":"urn:li:tag:\ufffd"}`).is(http.StatusOK, `{"value":true}`)
}

func TestAddressesThatAreNotUTF8AreRefused(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for target, part := range map[string]string{
		"/entitiesV2/urn%3Ali%3Atag%3A%FF":                          "the path",
		"/aspects/urn%3Ali%3Atag%3A%ED%A0%80?aspect=status":         "the path",
		"/entitiesV2?ids=List(urn%3Ali%3Atag%3A%C3)":                "query parameter ids",
		"/entitiesV2?ids=List%28urn%253Ali%253Atag%253A%25FF%29":    "query parameter ids",
		"/entitiesV2/urn%3Ali%3Atag%3Aa?aspects=List(%25FF,%FF)":    "query parameter aspects",
		"/relationships?direction=INCOMING&urn=urn:li:tag:%E9":      "query parameter urn",
		"/aspects/urn%3Ali%3Atag%3Aa?aspect=st%E9&version=0":        "query parameter aspect",
		"/entitiesVersionedV2?ids=List((urn:urn%3Ali%3Atag%3A%FF))": "query parameter ids",
	} {
		t.Run(target, func(t *testing.T) {
			s := &service{TB: t, handler: s.handler}
			s.get(target).fails(http.StatusBadRequest, part)
		})
	}
}

func TestALogoThatIsAScriptIsRefused(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for what, part := range map[string]string{
		`"changeType":"UPSERT","aspect":{"contentType":"application/json","value":"{\"name\":\"x\",\"type\":\"OTHERS\",\"datasetNameDelimiter\":\".\",\"logoUrl\":\"javascript:alert(1)\"}"}`: "/logoUrl :: must be an address of a scheme that runs no code",
		`"changeType":"UPSERT","aspect":{"contentType":"application/json","value":"{\"name\":\"x\",\"type\":\"OTHERS\",\"datasetNameDelimiter\":\".\",\"logoUrl\":\"\\tjava\\nscript:x\"}"}`:  "/logoUrl :: must be an address without control characters",
	} {
		s.post("/aspects?action=ingestProposal", `{"proposal":`+envelope(t, `{"entityType":"dataPlatform","entityUrn":"urn:li:dataPlatform:x","aspectName":"dataPlatformInfo",`+what+`}`)+`}`).fails(http.StatusUnprocessableEntity, part)
	}
}
