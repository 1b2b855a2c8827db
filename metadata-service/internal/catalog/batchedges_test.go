package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// All other writers wait for a batch, so it may write no more relationships than one aspect may,
// whether its values remain or the batch itself overwrites them.
func TestABatchMakesNotTooManyRelationships(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.OnDisk(t).WithPolicies(t, policy.Config{}))
	f.Grant(model.RootUser)
	f.Put(jo, "corpUserInfo", `{"active":true}`)
	// lineage returns a lineage with n relationships for each of m columns.
	lineage := func(of urn.URN, round, n, m int) catalog.Proposal {
		names := func(table urn.URN, prefix string, n int) string {
			out := make([]string, n)
			for i := range out {
				out[i] = fmt.Sprintf(`"%s"`, urn.Make("schemaField", string(table), fmt.Sprintf("%s%d_%d", prefix, round, i)))
			}
			return strings.Join(out, ",")
		}
		return catalogtest.Proposal(of, "upstreamLineage", `{"upstreams":[],"fineGrainedLineages":[{"upstreamType":"FIELD_SET","downstreamType":"FIELD_SET","confidenceScore":1.0,"upstreams":[`+
			names("urn:li:dataset:(urn:li:dataPlatform:hive,up,PROD)", "u", n)+`],"downstreams":[`+names(of, "d", m)+`]}]}`)
	}
	platforms := func(round, n int) catalog.Proposal {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`"urn:li:dataPlatform:p%d_%d"`, round, i)
		}
		return catalogtest.Proposal(jo, "corpUserEditableInfo", `{"platforms":[`+strings.Join(list, ",")+`]}`)
	}
	f.Refuse(fault.Invalid, "the batch makes more than 200000 relationships", lineage(dataset, 1, 300, 400), lineage(dataset, 2, 300, 300))
	f.Refuse(fault.Invalid, "the batch makes more than 200000 relationships", lineage(dataset, 1, 300, 400), lineage(catalogtest.Table("other"), 2, 300, 400))
	f.Must(lineage(dataset, 1, 200, 200), lineage(dataset, 2, 200, 200))
	f.RefuseAs(f.As(jo), fault.Invalid, "the batch makes more than 20000 relationships", platforms(1, 5_000), platforms(2, 5_000), platforms(3, 5_000), platforms(4, 5_001))
	if _, err := f.Write(f.As(jo), []catalog.Proposal{platforms(1, 5_000), platforms(2, 5_000)}, catalog.WriteOptions{}); err != nil {
		t.Error(err)
	}
}
