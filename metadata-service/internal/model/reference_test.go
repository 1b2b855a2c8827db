package model_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestRemoveReference(t *testing.T) {
	t.Parallel()
	const x = "urn:li:tag:x"
	for name, tt := range map[string]struct {
		aspect, value, target, want string
		removed                     int
		kept                        []string
	}{
		"an element of an array of objects": {
			"globalTags", `{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}`, x, `{"tags":[{"tag":"urn:li:tag:y"}]}`, 1, nil,
		},
		"every element that refers": {
			"globalTags", `{"tags":[{"tag":"urn:li:tag:x"},{"context":"c","tag":"urn:li:tag:x"}]}`, x, `{"tags":[]}`, 2, nil,
		},
		"an element of an array of URNs": {
			"domains", `{"domains":["urn:li:domain:a","urn:li:domain:b"]}`, "urn:li:domain:a", `{"domains":["urn:li:domain:b"]}`, 1, nil,
		},
		"nothing refers": {
			"globalTags", `{"tags":[{"tag":"urn:li:tag:y"}]}`, x, `{"tags":[{"tag":"urn:li:tag:y"}]}`, 0, nil,
		},
		"an optional field": {
			"domainProperties", `{"name":"n","parentDomain":"urn:li:domain:a"}`, "urn:li:domain:a", `{"name":"n"}`, 1, nil,
		},
		"a required field stays": {
			"container", `{"container":"urn:li:container:c"}`, "urn:li:container:c", `{"container":"urn:li:container:c"}`, 0, []string{"/container"},
		},
		"an optional field of an element, which stays": {
			"ownership", `{"lastModified":{"actor":"urn:li:corpuser:u","time":0},"owners":[{"owner":"urn:li:corpuser:u","type":"CUSTOM","typeUrn":"urn:li:ownershipType:t"}]}`,
			"urn:li:ownershipType:t", `{"lastModified":{"actor":"urn:li:corpuser:u","time":0},"owners":[{"owner":"urn:li:corpuser:u","type":"CUSTOM"}]}`, 1, nil,
		},
		"a relationship alone, no other mention": {
			"ownership", `{"lastModified":{"actor":"urn:li:corpuser:u","time":0},"owners":[{"owner":"urn:li:corpuser:u","type":"CUSTOM"}]}`,
			"urn:li:corpuser:u", `{"lastModified":{"actor":"urn:li:corpuser:u","time":0},"owners":[]}`, 1, nil,
		},
		"two levels of arrays": {
			"editableSchemaMetadata", `{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:x"},{"tag":"urn:li:tag:y"}]}},{"fieldPath":"b"}]}`,
			x, `{"editableSchemaFieldInfo":[{"fieldPath":"a","globalTags":{"tags":[{"tag":"urn:li:tag:y"}]}},{"fieldPath":"b"}]}`, 1, nil,
		},
		"a member of a union": {
			"chartInfo", `{"inputs":[{"string":"urn:li:dataset:a"},{"string":"urn:li:dataset:b"}]}`, "urn:li:dataset:a", `{"inputs":[{"string":"urn:li:dataset:b"}]}`, 1, nil,
		},
		"a column entry that loses its upstream side": {
			"upstreamLineage", `{"fineGrainedLineages":[{"downstreams":["urn:li:tag:d"],"upstreams":["urn:li:tag:x"]},{"downstreams":["urn:li:tag:d"],"upstreams":["urn:li:tag:x","urn:li:tag:y"]},{"downstreams":["urn:li:tag:d"]}]}`,
			x, `{"fineGrainedLineages":[{"downstreams":["urn:li:tag:d"],"upstreams":["urn:li:tag:y"]},{"downstreams":["urn:li:tag:d"]}]}`, 2, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value := tree(t, tt.value).(model.Object)
			got, removed, kept := aspect(t, tt.aspect).RemoveReference(value, urn.URN(tt.target))
			if text := string(jsontree.Encode(got)); text != tt.want || removed != tt.removed || !slices.Equal(kept, tt.kept) {
				t.Errorf("got %s, %d removed, kept %v\nwant %s, %d removed, kept %v", text, removed, kept, tt.want, tt.removed, tt.kept)
			}
			if text := string(jsontree.Encode(value)); text != tt.value {
				t.Errorf("the value has become %s", text)
			}
		})
	}
}

// Every destination that an aspect can name is removed, or reported if it stays. The rest is a
// canonical value of the aspect without references to it.
func TestRemoveReferenceFromEveryAspect(t *testing.T) {
	t.Parallel()
	r := registry(t)
	seen := 0
	for _, a := range r.Aspects() {
		if a.Timeseries || !a.MakesEdges() {
			continue
		}
		for variant := range variants {
			value := maximal(r, a, variant)
			for _, e := range a.Edges("urn:li:dataset:owner", value, model.AuditStamp{}) {
				seen++
				left, removed, kept := a.RemoveReference(value, e.Destination)
				if removed+len(kept) == 0 {
					t.Errorf("%s: nothing removed of %s", a.Name, e.Destination)
				}
				if a.Refers(left, e.Destination) != (len(kept) > 0) {
					t.Errorf("%s: refers to %s: %v, though kept are %v", a.Name, e.Destination, len(kept) == 0, kept)
				}
				text := jsontree.Encode(left)
				again, _, _, err := r.ConformText(a, text)
				if err != nil || string(again) != string(text) {
					t.Errorf("%s without %s is no canonical value: %v\n%s", a.Name, e.Destination, err, text)
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d references were tried", seen)
	}
}
