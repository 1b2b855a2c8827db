package model_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/model/modeltest"
)

func TestStrictURNRules(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, urn, want string }{
		{"plain", "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)", ""},
		{"raw parentheses in a part", "urn:li:dataset:(urn:li:dataPlatform:hive,f(x),PROD)", "raw parentheses or commas"},
		{"raw comma in parentheses of a part", "urn:li:dataset:(urn:li:dataPlatform:hive,f(x,y),PROD)", "raw parentheses or commas"},
		{"percent-encoded parentheses", "urn:li:dataset:(urn:li:dataPlatform:hive,f%28x%29,PROD)", ""},
		{"part with an encoded parenthesis is not looked at", "urn:li:dataset:(urn:li:dataPlatform:hive,f%28(x),PROD)", ""},
		{"other entity type", "urn:li:chart:(looker,1)", "must be a URN of one of the entity types dataset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			value := model.Object{
				"timestampMillis": "1", "runId": "r", "status": "COMPLETE",
				"asserteeUrn": tt.urn, "assertionUrn": "urn:li:assertion:a",
			}
			_, _, err := registry(t).Conform(aspect(t, "assertionRunEvent"), value)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), "/asserteeUrn :: "+tt.want) && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestOtherFieldsTakeRawParentheses(t *testing.T) {
	t.Parallel()
	_, _, _, err := registry(t).ConformText(aspect(t, "upstreamLineage"),
		[]byte(`{"upstreams":[{"auditStamp":`+stamp+`,"dataset":"urn:li:dataset:(urn:li:dataPlatform:hive,f(x,y),PROD)","type":"VIEW"}]}`))
	if err != nil {
		t.Error(err)
	}
}

func TestStrictOnePartKeysTakeNoComma(t *testing.T) {
	t.Parallel()
	_, _, _, err := registry(t).ConformText(aspect(t, "propertyDefinition"),
		[]byte(`{"qualifiedName":"a","valueType":"urn:li:dataType:a,b","entityTypes":[]}`))
	if err == nil || !strings.Contains(err.Error(), "/valueType :: must not have raw parentheses or commas") {
		t.Errorf("got %v", err)
	}
}

func TestReferencesThatMustExistAreHandedOut(t *testing.T) {
	t.Parallel()
	_, references, err := registry(t).Conform(aspect(t, "propertyDefinition"), tree(t, `{
		"qualifiedName": "io.demo.level", "valueType": "urn:li:dataType:datahub.string",
		"entityTypes": ["urn:li:entityType:datahub.dataset", "urn:li:entityType:datahub.chart"],
		"typeQualifier": {"allowedTypes": ["urn:li:entityType:datahub.tag"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, ref := range references {
		got[ref.Path] = string(ref.URN)
	}
	want := map[string]string{
		"/valueType":     "urn:li:dataType:datahub.string",
		"/entityTypes/0": "urn:li:entityType:datahub.dataset",
		"/entityTypes/1": "urn:li:entityType:datahub.chart",
	}
	for path, u := range want {
		if got[path] != u {
			t.Errorf("%s: got %q, want %q", path, got[path], u)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
}

func TestPathsThatMakeSeveralRelationshipsTakeTheTargetsOfAll(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, a := range r.Aspects() {
		byPath := map[string]int{}
		for _, rel := range a.Relationships {
			byPath[rel.Path]++
		}
		for path, n := range byPath {
			if n < 2 || strings.Contains(path, "$key") {
				continue
			}
			for variant := range len(modeltest.AllowedTypes(a, path)) {
				if _, _, err := r.Conform(a, maximal(r, a, variant)); err != nil {
					t.Errorf("%s%s: %v", a.Name, path, err)
				}
			}
		}
	}
}

// One typeref names a type that is not an entity type, so its URNs cannot be bound.
func TestDatasetFieldURNsAreNotBound(t *testing.T) {
	t.Parallel()
	typ := namedType(t, "com.linkedin.common.DatasetFieldUrn")
	if _, err := registry(t).ConformType(typ, "field", "urn:li:datasetField:(urn:li:dataset:(urn:li:dataPlatform:hive,t,PROD),a)"); err != nil {
		t.Error(err)
	}
	if _, err := registry(t).ConformType(typ, "field", "urn:li:tag:a"); err == nil {
		t.Error("a tag passes as a dataset field")
	}
}
