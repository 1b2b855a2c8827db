package apptest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
)

// Clients that add a term to a column know neither whether its list of terms is new, nor the
// required stamp.
func TestAPatchThatMakesAListOfTermsStampsItAsTheSystem(t *testing.T) {
	t.Parallel()
	s := apptest.New(t)
	const dataset, term = "urn:li:dataset:(urn:li:dataPlatform:hive,patched,PROD)", "urn:li:glossaryTerm:order"
	s.JSON(http.MethodPost, "/openapi/v3/entity/glossaryTerm?async=false", `[{"urn":"`+term+`","glossaryTermInfo":{"value":{"definition":"d","termSource":"INTERNAL"}}}]`, nil)
	s.JSON(http.MethodPost, "/openapi/v3/entity/dataset?async=false", `[{"urn":"`+dataset+`","editableSchemaMetadata":{"value":{"editableSchemaFieldInfo":[
		{"fieldPath":"known","description":"d"},{"fieldPath":"stored","description":"d"}]}}}]`, nil)
	apis := map[string]func(aspect, operations string){
		"Rest.li": func(aspect, operations string) {
			value, _ := json.Marshal(operations) // encodes a text
			s.JSON(http.MethodPost, "/aspects?action=ingestProposal", `{"proposal":{"entityType":"dataset","entityUrn":"`+dataset+`","changeType":"PATCH","aspectName":"`+aspect+`",
				"aspect":{"contentType":"application/json-patch+json","value":`+string(value)+`}}}`, nil)
		},
		"OpenAPI": func(aspect, operations string) {
			s.JSON(http.MethodPatch, "/openapi/v3/entity/dataset/"+url.PathEscape(dataset)+"/"+aspect, `{"patch":`+operations+`}`, nil)
		},
	}
	type terms struct {
		Terms []struct{ URN string }
		Stamp struct {
			Actor string
			Time  int64
		} `json:"auditStamp"`
	}
	began := time.Now().UnixMilli()
	stamped := func(where string, got terms) {
		t.Helper()
		if now := time.Now().UnixMilli(); len(got.Terms) != 1 || got.Terms[0].URN != term || got.Stamp.Actor != "urn:li:corpuser:__datahub_system" || got.Stamp.Time < began || got.Stamp.Time > now {
			t.Errorf("%s: %+v", where, got)
		}
	}
	columns := map[string]string{"Rest.li": "known", "OpenAPI": "stored"}
	for name, patch := range apis {
		add := `{"op":"add","path":"/%sterms/` + term + `","value":{"urn":"` + term + `"}}`
		for _, column := range []string{columns[name], "new for " + name} {
			patch("editableSchemaMetadata", fmt.Sprintf("["+add+"]", "editableSchemaFieldInfo/"+column+"/glossaryTerms/"))
			var got struct {
				Value struct {
					Fields []struct {
						FieldPath     string
						GlossaryTerms *terms
					} `json:"editableSchemaFieldInfo"`
				}
			}
			s.JSON(http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(dataset)+"/editableSchemaMetadata", "", &got)
			found := false
			for _, f := range got.Value.Fields {
				if f.FieldPath == column && f.GlossaryTerms != nil {
					stamped(name+", "+column, *f.GlossaryTerms)
					found = true
				}
			}
			if !found {
				t.Errorf("%s: the column %s has no terms: %+v", name, column, got)
			}
		}
		patch("glossaryTerms", fmt.Sprintf("["+add+"]", ""))
		var got struct{ Value terms }
		s.JSON(http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(dataset)+"/glossaryTerms", "", &got)
		stamped(name+", the dataset", got.Value)
		s.JSON(http.MethodDelete, "/openapi/v3/entity/dataset/"+url.PathEscape(dataset)+"/glossaryTerms", "", nil)
	}
}
