package graphql_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
)

// Every POST receives status 400 with the problem, or status 200 with JSON that has the keys of a
// response in their order.
func FuzzEnvelope(f *testing.F) {
	engine, world := newEngine(f)
	seed(f, world)
	e := echo.New()
	engine.Mount(e, "")
	for _, body := range []string{
		me, "", "{", "null", "[]", `{"query":null}`, `{"query":"{__typename}","variables":[]}`, `{"query":"{__typename}","variables":{"a":1e999}}`,
		`{"query":"query a{__typename} query b{__typename}","operationName":"b","more":{}}`, `{"query":"{__schema{queryType{name}}}"}}`,
		`{"query":"query($u:String!){entity(urn:$u){urn}}","variables":{"u":"urn:li:tag:pii"}}`, `{"query":"query($u:String!){entity(urn:$u){urn}}","variables":{"u":null}}`,
		`{"query":"{search(input:{type:DATASET,query:\"\\u0000\",start:-1}){total}}"}`, `{"query":"{entities(urns:[\"urn:li:dataset:(\"]){urn}}"}`, "\ufeff" + me,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/api/graphql", strings.NewReader(body))
		w := httptest.NewRecorder()
		e.ServeHTTP(w, r.WithContext(auth.WithActor(t.Context(), auth.Actor{URN: servicetest.Jo})))
		switch w.Code {
		case http.StatusBadRequest:
			if !json.Valid(w.Body.Bytes()) || !strings.HasPrefix(w.Body.String(), `{"error":"`) {
				t.Errorf("400 with %s", w.Body)
			}
		case http.StatusOK:
			text := w.Body.String()
			if !json.Valid(w.Body.Bytes()) || !strings.HasPrefix(text, `{"errors":[{"message":`) && !strings.HasPrefix(text, `{"data":{`) || !strings.HasSuffix(text, `,"extensions":{}}`) {
				t.Errorf("got %s", text)
			}
			if strings.Contains(text, `"code":500`) {
				t.Errorf("a defect: %s", text)
			}
		default:
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	})
}
