package statistics_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/statistics"
	"github.com/cartulary/cartulary/pkg/urn"
)

func on(platform, name string) urn.URN {
	return urn.URN(fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:%s,%s,PROD)", platform, name))
}

func TestDatasetsAreComparedWithTheUsedOnesOfTheirPlatform(t *testing.T) {
	t.Parallel()
	var r statistics.Ranking
	r.Add(on("hive", "unused"), statistics.Activity{})
	for i := range 1000 {
		r.Add(on("hive", fmt.Sprint(i)), statistics.Activity{Queries: int64(i/2 + 1)})
	}
	r.Add(on("mysql", "lone"), statistics.Activity{Queries: 1, Users: 2})
	for _, one := range []struct {
		name           string
		platform       string
		of             statistics.Activity
		queries, users int
	}{
		{"the most used", "hive", statistics.Activity{Queries: 500}, 100, 0},
		{"the second", "hive", statistics.Activity{Queries: 499}, 99, 0},
		{"the middle", "hive", statistics.Activity{Queries: 250}, 50, 0},
		{"the least used", "hive", statistics.Activity{Queries: 1}, 1, 0},
		{"one that is not used", "hive", statistics.Activity{}, 0, 0},
		{"one that was used more since", "hive", statistics.Activity{Queries: 501, Users: 1}, 100, 100},
		{"the only one of its platform", "mysql", statistics.Activity{Queries: 1, Users: 2}, 100, 100},
		{"one of a platform that nobody saw", "other", statistics.Activity{Queries: 1}, 100, 0},
	} {
		queries, users := r.Percentiles(on(one.platform, "x"), one.of)
		if queries != one.queries || users != one.users {
			t.Errorf("%s: %d and %d, want %d and %d", one.name, queries, users, one.queries, one.users)
		}
	}
}

func counted(t *testing.T, events ...string) statistics.Activity {
	t.Helper()
	var c statistics.Counting
	for _, text := range events {
		c.Add(event(t, 1, text).Value)
	}
	return c.Activity()
}

func TestUsageFeaturesTellWhatWasCounted(t *testing.T) {
	t.Parallel()
	many := `{"userCounts":[`
	for i := range 12 {
		many += fmt.Sprintf(`{"user":"urn:li:corpuser:u%02d","count":%d},`, i, i+1)
	}
	many += `{"user":"no urn","count":99},{"user":"urn:li:corpGroup:g","count":98}]}`
	for name, one := range map[string]struct {
		events        []string
		lastOperation int64
		want          string
	}{
		"nothing":                            {nil, 0, ""},
		"nothing but an operation":           {nil, 5, `{"lastOperationTimestampMs":5}`},
		"documents that tell of no use":      {[]string{`{"totalSqlQueries":0,"uniqueUserCount":0}`}, 0, ""},
		"counts below zero":                  {[]string{`{"totalSqlQueries":-5,"uniqueUserCount":-1}`}, -1, ""},
		"users without names":                {[]string{`{"uniqueUserCount":3}`, `{"uniqueUserCount":2}`}, 0, `{"combinedSearchRankingMultiplier":1.3,"queryCountLast30Days":0,"queryCountPercentileLast30Days":0,"uniqueUserCountLast30Days":3,"uniqueUserPercentileLast30Days":100}`},
		"users who are more than are named":  {[]string{many}, 0, `{"combinedSearchRankingMultiplier":1.3,"queryCountLast30Days":0,"queryCountPercentileLast30Days":0,"topUsersLast30Days":["urn:li:corpuser:u11","urn:li:corpuser:u10","urn:li:corpuser:u09","urn:li:corpuser:u08","urn:li:corpuser:u07","urn:li:corpuser:u06","urn:li:corpuser:u05","urn:li:corpuser:u04","urn:li:corpuser:u03","urn:li:corpuser:u02"],"uniqueUserCountLast30Days":14,"uniqueUserPercentileLast30Days":100}`},
		"queries of two documents, no users": {[]string{`{"totalSqlQueries":2}`, `{"totalSqlQueries":3}`}, 0, `{"combinedSearchRankingMultiplier":1.3,"queryCountLast30Days":5,"queryCountPercentileLast30Days":100,"uniqueUserCountLast30Days":0,"uniqueUserPercentileLast30Days":0}`},
	} {
		a := counted(t, one.events...)
		var r statistics.Ranking
		r.Add(dataset, a)
		got := ""
		if value := statistics.UsageFeaturesOf(dataset, a, &r, one.lastOperation); value != nil {
			got = string(jsontree.Encode(value))
		}
		if got != one.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, one.want)
		}
	}
}

func TestStorageFeaturesAreOfWholeDatasets(t *testing.T) {
	t.Parallel()
	for profile, want := range map[string]string{
		`{"rowCount":0,"columnCount":2}`: `{"columnCount":2,"rowCount":0}`,
		`{"rowCount":1,"partitionSpec":{"partition":"FULL_TABLE_SNAPSHOT","type":"FULL_TABLE"}}`:   `{"rowCount":1}`,
		`{"rowCount":1,"partitionSpec":{"partition":"FULL_TABLE_SNAPSHOT"}}`:                       `{"rowCount":1}`,
		`{"rowCount":1,"partitionSpec":{"partition":"FULL_TABLE_SNAPSHOT","type":"PARTITION"}}`:    ``,
		`{"rowCount":1,"partitionSpec":{"partition":"day=1"}}`:                                     ``,
		`{"rowCount":1,"partitionSpec":{"partition":"SAMPLE (10000 rows / 0.1%)","type":"QUERY"}}`: ``,
		`{"rowCount":-1}`:   ``,
		`{"sizeInBytes":1}`: ``,
	} {
		got := ""
		if value := statistics.StorageFeaturesOf(event(t, 1, profile).Value); value != nil {
			got = string(jsontree.Encode(value))
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", profile, got, want)
		}
	}
}

func TestUsersAreToldApartUpToALimit(t *testing.T) {
	t.Parallel()
	var c statistics.Counting
	add := func(from, to int) {
		users := make([]any, 0, to-from)
		for i := from; i < to; i++ {
			users = append(users, jsontree.Object{"user": fmt.Sprintf("urn:li:corpuser:u%d", i), "count": jsontree.Number(1)})
		}
		c.Add(jsontree.Object{"userCounts": users})
	}
	add(0, statistics.MaxUsers)
	add(statistics.MaxUsers-1, statistics.MaxUsers+10)
	if a := c.Activity(); a.Users != statistics.MaxUsers || a.TopUsers[0] != fmt.Sprintf("urn:li:corpuser:u%d", statistics.MaxUsers-1) {
		t.Errorf("%d users, most active %q", a.Users, a.TopUsers[0])
	}
}
