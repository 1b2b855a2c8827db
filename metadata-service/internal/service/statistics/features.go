package statistics

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspects of datasets that summarize their time series, so that search results, sorting and
// metadata tests need not read these.
const (
	UsageFeatures   = "usageFeatures"
	StorageFeatures = "storageFeatures"
)

// FeatureDays is the number of days that UsageFeatures covers.
const FeatureDays = 30

// maxTopUsers is the maximum number of users in UsageFeatures.
const maxTopUsers = 10

// Activity is the use of a dataset in a period.
type Activity struct {
	Queries, Users int64
	TopUsers       []string // most active first
	// Known reports that there was at least one document.
	Known bool
}

// MaxUsers is the maximum number of counted users of one dataset; further users are ignored.
const MaxUsers = 100_000

// Counting adds up documents of datasetUsageStatistics to an Activity. The zero value is empty.
type Counting struct {
	queries, most int64
	users         map[string]int64 // number of queries by user
	known         bool
}

// Add adds one document.
func (c *Counting) Add(value jsontree.Object) {
	c.known = true
	c.queries += jsontree.Int(value, "totalSqlQueries")
	c.most = max(c.most, jsontree.Int(value, "uniqueUserCount"))
	for _, u := range jsontree.Children(value, "userCounts") {
		c.addUser(jsontree.Text(u, "user"), jsontree.Int(u, "count"))
	}
}

func (c *Counting) addUser(name string, queries int64) {
	if c.users == nil {
		c.users = map[string]int64{}
	}
	if _, seen := c.users[name]; name != "" && (seen || len(c.users) < MaxUsers) {
		c.users[name] += queries
	}
}

// Activity returns the sum. Negative counts become 0. The number of users is computed as in
// Usage.UniqueUsers.
func (c *Counting) Activity() Activity {
	a := Activity{Queries: max(c.queries, 0), Users: max(int64(len(c.users)), c.most), Known: c.known}
	ranked := slices.SortedFunc(maps.Keys(c.users), func(x, y string) int {
		return cmp.Or(cmp.Compare(c.users[y], c.users[x]), cmp.Compare(x, y))
	})
	for _, name := range ranked {
		if len(a.TopUsers) == maxTopUsers {
			break
		}
		if u, err := urn.Parse(name); err == nil && u.Type() == "corpuser" {
			a.TopUsers = append(a.TopUsers, name)
		}
	}
	return a
}

// Ranking compares datasets with the others of their data platform. Platforms count queries
// differently, so datasets of different platforms are not compared.
type Ranking struct{ platforms map[string]*platformCounts }

// platformCounts are the non-zero counts of the datasets of a platform.
type platformCounts struct {
	queries, users []int64
	sorted         bool
}

// Add adds a dataset. All datasets must be added before the first call of Percentiles.
func (r *Ranking) Add(dataset urn.URN, a Activity) {
	if r.platforms == nil {
		r.platforms = map[string]*platformCounts{}
	}
	name := platformOf(dataset)
	s := r.platforms[name]
	if s == nil {
		s = &platformCounts{}
		r.platforms[name] = s
	}
	if a.Queries > 0 {
		s.queries = append(s.queries, a.Queries)
	}
	if a.Users > 0 {
		s.users = append(s.users, a.Users)
	}
}

// Percentiles returns the shares, in percent, of the queried datasets of the platform with at most
// as many queries, and of those with users with at most as many users. The most used dataset has
// 100, an unused one has 0.
func (r *Ranking) Percentiles(dataset urn.URN, a Activity) (queries, users int) {
	s := r.platforms[platformOf(dataset)]
	if s == nil {
		s = &platformCounts{}
	}
	if !s.sorted {
		slices.Sort(s.queries)
		slices.Sort(s.users)
		s.sorted = true
	}
	return percentile(s.queries, a.Queries), percentile(s.users, a.Users)
}

func percentile(sorted []int64, n int64) int {
	if n <= 0 {
		return 0
	}
	upTo, _ := slices.BinarySearch(sorted, n+1)
	if upTo == len(sorted) {
		return 100 // also if it was used after the counts were taken
	}
	return max(1, 100*upTo/len(sorted))
}

// platformOf returns the data platform in the URN of a dataset.
func platformOf(dataset urn.URN) string {
	parts := dataset.Parts()
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

// rankingMultiplier returns the factor for the score of a search hit: from 1 for the least used to
// 1.5 for the most used datasets, in steps of 0.1, for which the search fields of the model have
// weights. So popular datasets rank first among equal matches, and use never outweighs a name.
func rankingMultiplier(queries, users int) float64 {
	return 1 + math.Round(float64(queries+users)/2/20)/10
}

// UsageFeaturesOf returns the aspect UsageFeatures of a dataset, or nil without data. lastOperation
// is the time of its last change in epoch ms, 0 if unknown.
func UsageFeaturesOf(dataset urn.URN, a Activity, r *Ranking, lastOperation int64) jsontree.Object {
	out := jsontree.Object{}
	if a.Known && (a.Queries > 0 || a.Users > 0) {
		queries, users := r.Percentiles(dataset, a)
		out["queryCountLast30Days"], out["uniqueUserCountLast30Days"] = a.Queries, a.Users
		out["queryCountPercentileLast30Days"], out["uniqueUserPercentileLast30Days"] = queries, users
		out["combinedSearchRankingMultiplier"] = rankingMultiplier(queries, users)
		if len(a.TopUsers) > 0 {
			out["topUsersLast30Days"] = jsontree.List(a.TopUsers)
		}
	}
	if lastOperation > 0 {
		out["lastOperationTimestampMs"] = lastOperation
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// StorageFeaturesOf returns the aspect StorageFeatures from a document of datasetProfile. It
// returns nil if the document has neither count, or covers only a part of the dataset.
func StorageFeaturesOf(profile jsontree.Object) jsontree.Object {
	if !coversWholeTable(profile) {
		return nil
	}
	out := jsontree.Object{}
	for _, name := range []string{"rowCount", "columnCount"} {
		if n := jsontree.Int(profile, name); profile[name] != nil && n >= 0 {
			out[name] = n
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// coversWholeTable reports whether a profile covers a whole table. A profile without a partition
// does.
func coversWholeTable(profile jsontree.Object) bool {
	spec := jsontree.Child(profile, "partitionSpec")
	if spec == nil {
		return true
	}
	if kind := jsontree.Text(spec, "type"); kind != "" {
		return kind == "FULL_TABLE"
	}
	return jsontree.Text(spec, "partition") == "FULL_TABLE_SNAPSHOT"
}
