package statistics

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Aspects of datasets that sum up their time series, so that search results, sorting and
// metadata tests need not read these.
const (
	UsageFeatures   = "usageFeatures"
	StorageFeatures = "storageFeatures"
)

// FeatureDays is how many days the use in UsageFeatures is of.
const FeatureDays = 30

// maxTopUsers is how many users UsageFeatures names.
const maxTopUsers = 10

// Activity is how much a dataset was used in a stretch of time.
type Activity struct {
	Queries, Users int64
	TopUsers       []string // most active first
	// Known tells that somebody counted.
	Known bool
}

// MaxUsers is how many users of one dataset are told apart; further ones are left out.
const MaxUsers = 100_000

// Counting is an Activity that documents of datasetUsageStatistics add up to. The zero value
// has none.
type Counting struct {
	queries, most int64
	users         map[string]int64 // how often each has queried
	known         bool
}

// Add takes one document up.
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

// Activity is the sum. Counts below zero are none. Users are as many as Usage.UniqueUsers tells.
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

// Ranking compares datasets with the others of their data platform. What one platform counts
// as a query another one does not, so the platforms are not compared with each other.
type Ranking struct{ platforms map[string]*standings }

// standings are the counts of the datasets of a platform, those that are not zero.
type standings struct {
	queries, users []int64
	sorted         bool
}

// Add takes a dataset up. All are added before the first is asked about.
func (r *Ranking) Add(dataset urn.URN, a Activity) {
	if r.platforms == nil {
		r.platforms = map[string]*standings{}
	}
	name := platformOf(dataset)
	s := r.platforms[name]
	if s == nil {
		s = &standings{}
		r.platforms[name] = s
	}
	if a.Queries > 0 {
		s.queries = append(s.queries, a.Queries)
	}
	if a.Users > 0 {
		s.users = append(s.users, a.Users)
	}
}

// Percentiles are the shares, in per cent, of the datasets of the platform that were queried,
// and that had users, not more than this one. The most used one has 100, one that was not
// used has 0.
func (r *Ranking) Percentiles(dataset urn.URN, a Activity) (queries, users int) {
	s := r.platforms[platformOf(dataset)]
	if s == nil {
		s = &standings{}
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
		return 100 // also when it was used since the others were looked at
	}
	return max(1, 100*upTo/len(sorted))
}

// platformOf is the data platform in the URN of a dataset.
func platformOf(dataset urn.URN) string {
	parts := dataset.Parts()
	if len(parts) == 0 {
		return ""
	}
	return parts[0]
}

// rankingMultiplier is what the score of a search hit is multiplied with: from 1 for what is
// used least to 1.5 in steps of a tenth, for which the search fields of the model have weights.
// So popular datasets come first among such that fit alike, and no use outweighs a name.
func rankingMultiplier(queries, users int) float64 {
	return 1 + math.Round(float64(queries+users)/2/20)/10
}

// UsageFeaturesOf is the aspect of a dataset, nil when there is nothing to tell. lastOperation
// is when it was changed last, epoch ms, 0 when nobody told.
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

// StorageFeaturesOf is the aspect of a dataset by a document of datasetProfile, nil when that
// tells neither count, or is about a part of the dataset alone.
func StorageFeaturesOf(profile jsontree.Object) jsontree.Object {
	if !isWhole(profile) {
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

// isWhole tells whether a profile is of all of a table, as one is that names no partition.
func isWhole(profile jsontree.Object) bool {
	spec := jsontree.Child(profile, "partitionSpec")
	if spec == nil {
		return true
	}
	if kind := jsontree.Text(spec, "type"); kind != "" {
		return kind == "FULL_TABLE"
	}
	return jsontree.Text(spec, "partition") == "FULL_TABLE_SNAPSHOT"
}
