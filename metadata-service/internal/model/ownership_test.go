package model_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestOwnershipType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		owner jsontree.Object
		want  urn.URN
	}{
		{"by URN", jsontree.Object{"owner": "urn:li:corpuser:jo", "type": "DATAOWNER", "typeUrn": "urn:li:ownershipType:steward"}, "urn:li:ownershipType:steward"},
		{"by the older word", jsontree.Object{"owner": "urn:li:corpuser:jo", "type": "DATA_STEWARD"}, "urn:li:ownershipType:__system__data_steward"},
		{"by neither", jsontree.Object{"owner": "urn:li:corpuser:jo"}, ""},
	} {
		if got := model.OwnershipType(c.owner); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
