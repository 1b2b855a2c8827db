package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

const other = "urn:li:dataset:(urn:li:dataPlatform:hive,sales.items,PROD)"

// stats requests a table of the usage of datasets.
func (s *service) stats(prefix, members string) reply {
	s.Helper()
	return s.post(prefix+"/analytics?action=getTimeseriesStats", `{"entityName":"dataset","aspectName":"datasetUsageStatistics",`+members+`}`)
}

// isTable compares the response, except for the parts that repeat the request.
func (r reply) isTable(request, names, types, rows string) {
	r.Helper()
	r.is(http.StatusOK, `{"value":{"entityName":"dataset","aspectName":"datasetUsageStatistics",`+request+`,"table":{"columnNames":[`+names+`],"columnTypes":[`+types+`],"rows":[`+rows+`]}}}`)
}

func withUsage(t *testing.T) *service {
	t.Helper()
	s := newService(t)
	s.ingestUsage(day(-4)+5, `,"uniqueUserCount":1,"totalSqlQueries":4,"topSqlQueries":["select 1"],"userCounts":[{"user":"urn:li:corpuser:mia","count":4}],"fieldCounts":[{"fieldPath":"id","count":9}]`)
	s.ingestUsage(day(-1), `,"uniqueUserCount":7,"totalSqlQueries":9,"userCounts":[{"user":"urn:li:corpuser:jo","count":1}]`)
	s.ingestUsage(day(-1)+7, `,"totalSqlQueries":3,"userCounts":[{"user":"urn:li:corpuser:jo","count":2},{"user":"urn:li:corpuser:mia","count":1}]`)
	s.ingest(other, "datasetUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"totalSqlQueries":5}`, day(-2)))
	return s
}

func TestAnalyticsAggregateByGroup(t *testing.T) {
	t.Parallel()
	s := withUsage(t)
	const (
		latest, total, users = `{"fieldPath":"uniqueUserCount","aggregationType":"LATEST"}`, `{"fieldPath":"totalSqlQueries","aggregationType":"SUM"}`, `{"fieldPath":"urn","aggregationType":"CARDINALITY"}`
		byDay                = `{"key":"timestampMillis","type":"DATE_GROUPING_BUCKET","timeWindowSize":{"unit":"DAY","multiple":1}}`
		byURN                = `{"key":"urn","type":"STRING_GROUPING_BUCKET"}`
		byUser               = `{"key":"userCounts.user","type":"STRING_GROUPING_BUCKET"}`
	)
	all := `"metrics":[` + latest + `,` + total + `,` + users + `]`
	told := `"aggregationSpecs":[` + latest + `,` + total + `,` + users + `]`
	names, types := `"latest_uniqueUserCount","sum_totalSqlQueries","cardinality_urn"`, `"int","double","long"`
	// The latest document of all contains no users, so there is no value.
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		s.stats(prefix, all).isTable(told+`,"groupingBuckets":[]`, names, types, `["NULL","21","2"]`)
	}
	s.stats("", all+`,"buckets":[`+byURN+`]`).isTable(told+`,"groupingBuckets":[`+byURN+`]`, `"urn",`+names, `"string",`+types,
		`["`+other+`","NULL","5","1"],["`+dataset+`","NULL","16","1"]`)
	cell := func(n int64, rest string) string { return fmt.Sprintf(`["%d",%s]`, day(n), rest) }
	s.stats("", all+`,"buckets":[`+byDay+`]`).isTable(told+`,"groupingBuckets":[`+byDay+`]`, `"timestampMillis",`+names, `"long",`+types,
		cell(-4, `"1","4","1"`)+`,`+cell(-3, `"NULL","NULL","0"`)+`,`+cell(-2, `"NULL","5","1"`)+`,`+cell(-1, `"NULL","12","1"`))
	// Each outer group is filled separately; an outer date is not.
	s.stats("", `"metrics":[`+total+`],"buckets":[`+byURN+`,`+byDay+`]`).isTable(`"aggregationSpecs":[`+total+`],"groupingBuckets":[`+byURN+`,`+byDay+`]`,
		`"urn","timestampMillis","sum_totalSqlQueries"`, `"string","long","double"`, fmt.Sprintf(`["%[1]s","%[2]d","5"],["%[3]s","%[4]d","4"],["%[3]s","%[5]d","NULL"],["%[3]s","%[6]d","NULL"],["%[3]s","%[7]d","12"]`,
			other, day(-2), dataset, day(-4), day(-3), day(-2), day(-1)))
	s.stats("", `"metrics":[`+total+`],"buckets":[`+byDay+`,`+byURN+`]`).isTable(`"aggregationSpecs":[`+total+`],"groupingBuckets":[`+byDay+`,`+byURN+`]`,
		`"timestampMillis","urn","sum_totalSqlQueries"`, `"long","string","double"`, fmt.Sprintf(`["%d","%s","4"],["%d","%s","5"],["%d","%s","12"]`, day(-4), dataset, day(-2), other, day(-1), dataset))
	// Elements of a list; those of another list are not included.
	count := `{"fieldPath":"userCounts.count","aggregationType":"SUM"}`
	last := `{"fieldPath":"userCounts.count","aggregationType":"LATEST"}`
	s.stats("", `"metrics":[`+count+`,`+last+`],"buckets":[`+byUser+`]`).isTable(`"aggregationSpecs":[`+count+`,`+last+`],"groupingBuckets":[`+byUser+`]`,
		`"userCounts.user","sum_userCounts.count","latest_userCounts.count"`, `"string","double","int"`, `["urn:li:corpuser:jo","3","2"],["urn:li:corpuser:mia","5","1"]`)
	s.stats("", `"metrics":[`+count+`]`).isTable(`"aggregationSpecs":[`+count+`],"groupingBuckets":[]`, `"sum_userCounts.count"`, `"double"`, `["8"]`)
	// There are no documents, so no group occurs.
	queries := `{"fieldPath":"topSqlQueries","aggregationType":"LATEST"}`
	s.stats("", fmt.Sprintf(`"metrics":[%s],"filter":{"or":[{"and":[{"field":"timestampMillis","condition":"GREATER_THAN","value":"%d","values":["%d"]}]}]}`, queries, day(0), day(0))).
		isTable(fmt.Sprintf(`"aggregationSpecs":[%s],"groupingBuckets":[],"filter":{"or":[{"and":[{"field":"timestampMillis","condition":"GREATER_THAN","value":"%d","values":["%d"],"negated":false}]}]}`, queries, day(0), day(0)),
			`"latest_topSqlQueries"`, `"string"`, ``)
	s.stats("", fmt.Sprintf(`"metrics":[%s],"filter":{"or":[{"and":[{"field":"timestampMillis","condition":"LESS_THAN","value":"%d"},{"field":"urn","condition":"EQUAL","values":["%s"]},{"field":"partitionSpec.partition","condition":"EXISTS","negated":true}]}]}`, queries, day(-3), dataset)).
		isTable(fmt.Sprintf(`"aggregationSpecs":[%s],"groupingBuckets":[],"filter":{"or":[{"and":[{"field":"timestampMillis","condition":"LESS_THAN","value":"%d","values":["%d"],"negated":false},{"field":"urn","condition":"EQUAL","value":"","values":["%s"],"negated":false},{"field":"partitionSpec.partition","condition":"EXISTS","value":"","values":[],"negated":true}]}]}`, queries, day(-3), day(-3), dataset),
			`"latest_topSqlQueries"`, `"string"`, `["[\"select 1\"]"]`)
}

func TestAnalyticsFillWindowsOfADayAndLonger(t *testing.T) {
	t.Parallel()
	s := newService(t)
	const total = `{"fieldPath":"totalSqlQueries","aggregationType":"SUM"}`
	// In Berlin the second time is on the first of April.
	for _, at := range []string{"2025-01-31T10:00:00Z", "2025-03-31T22:30:00Z"} {
		s.ingestUsage(millis(t, at), `,"totalSqlQueries":2`)
	}
	for _, c := range []struct {
		window, zone string
		begins       []string
	}{
		{"HOUR", "", []string{"2025-01-31T10:00:00Z", "2025-03-31T22:00:00Z"}},
		{"MONTH", "", []string{"2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z"}},
		{"MONTH", "Europe/Berlin", []string{"2024-12-31T23:00:00Z", "2025-01-31T23:00:00Z", "2025-02-28T23:00:00Z", "2025-03-31T22:00:00Z"}},
		{"YEAR", "", []string{"2025-01-01T00:00:00Z"}},
	} {
		zone := ""
		if c.zone != "" {
			zone = `,"timeZone":"` + c.zone + `"`
		}
		rows := make([]string, len(c.begins))
		for i, begin := range c.begins {
			sum := "NULL"
			switch {
			case len(c.begins) == 1:
				sum = "4"
			case i == 0 || i == len(c.begins)-1:
				sum = "2"
			}
			rows[i] = fmt.Sprintf(`["%d","%s"]`, millis(t, begin), sum)
		}
		bucket := `{"key":"timestampMillis","type":"DATE_GROUPING_BUCKET","timeWindowSize":{"unit":"` + c.window + `","multiple":1}` + zone + `}`
		s.stats("", `"metrics":[`+total+`],"buckets":[`+bucket+`]`).isTable(`"aggregationSpecs":[`+total+`],"groupingBuckets":[`+bucket+`]`,
			`"timestampMillis","sum_totalSqlQueries"`, `"long","double"`, strings.Join(rows, ","))
	}
}

func TestAnalyticsAreOfWhatTheFilterLeaves(t *testing.T) {
	t.Parallel()
	s := withUsage(t)
	s.ingest(other, "datasetUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"totalSqlQueries":40,"partitionSpec":{"type":"PARTITION","partition":"p1"}}`, day(-2)))
	for criteria, sum := range map[string]string{
		`{"and":[{"field":"urn","condition":"EQUAL","values":["` + dataset + `"]}]}`:                                                                               "16",
		`{"and":[{"field":"timestampMillis","condition":"GREATER_THAN_OR_EQUAL_TO","values":["` + fmt.Sprint(day(-1)) + `"]}]}`:                                    "12",
		`{"and":[{"field":"partitionSpec.partition","condition":"EQUAL","values":["p1"]}]}`:                                                                        "40",
		`{"and":[{"field":"totalSqlQueries","condition":"EQUAL","values":["9"]}]}`:                                                                                 "9",
		`{"and":[{"field":"totalSqlQueries","condition":"EQUAL","values":["4"]}]},{"and":[{"field":"totalSqlQueries","condition":"EQUAL","values":["9"]}]}`:        "13",
		`{"and":[{"field":"totalSqlQueries","condition":"EQUAL","values":["4"]},{"field":"urn","condition":"EQUAL","values":["` + dataset + `"],"negated":true}]}`: "",
	} {
		got := s.stats("", `"metrics":[{"fieldPath":"totalSqlQueries","aggregationType":"SUM"}],"filter":{"or":[`+criteria+`]}`)
		rows := `"rows":[]`
		if sum != "" {
			rows = `"rows":[["` + sum + `"]]`
		}
		if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), rows) {
			t.Errorf("%s: %d %s, want %s", criteria, got.Code, got.Body, rows)
		}
	}
}

func TestAnalyticsAddUpNumbersWithFractions(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for i, cost := range []string{"0.5", "1.25", "3"} {
		s.ingest("urn:li:query:q", "queryUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"queryCost":%s}`, i, cost))
	}
	sum, last := `{"fieldPath":"queryCost","aggregationType":"SUM"}`, `{"fieldPath":"queryCost","aggregationType":"LATEST"}`
	s.post("/analytics?action=getTimeseriesStats", `{"entityName":"QUERY","aspectName":"queryusagestatistics","metrics":[`+sum+`,`+last+`]}`).is(http.StatusOK,
		`{"value":{"entityName":"query","aspectName":"queryUsageStatistics","aggregationSpecs":[`+sum+`,`+last+`],"groupingBuckets":[],
		"table":{"columnNames":["sum_queryCost","latest_queryCost"],"columnTypes":["double","double"],"rows":[["4.75","3"]]}}}`)
}

func TestAnalyticsAreRefusedBeforeTheyCost(t *testing.T) {
	t.Parallel()
	s := withUsage(t)
	const metrics = `"metrics":[{"fieldPath":"totalSqlQueries","aggregationType":"SUM"}]`
	date := func(window string) string {
		return metrics + `,"buckets":[{"key":"timestampMillis","type":"DATE_GROUPING_BUCKET"` + window + `}]`
	}
	for members, want := range map[string]string{
		`"metrics":[]`: "metrics",
		`"metrics":[{"fieldPath":"rowCount","aggregationType":"SUM"}]`:                                       `metrics[0].fieldPath: datasetUsageStatistics has no time-series field "rowCount"`,
		`"metrics":[{"fieldPath":"totalSqlQueries","aggregationType":"AVG"}]`:                                "metrics[0].aggregationType",
		`"metrics":[{"fieldPath":"topSqlQueries","aggregationType":"SUM"}]`:                                  "metrics[0]",
		`"metrics":[{"fieldPath":"timestampMillis","aggregationType":"SUM"}]`:                                "metrics[0]",
		metrics + `,"buckets":[{"key":"nothing","type":"STRING_GROUPING_BUCKET"}]`:                           "buckets[0].key",
		metrics + `,"buckets":[{"key":"urn","type":"RANGE"}]`:                                                "buckets[0].type",
		metrics + `,"buckets":[{"key":"urn","type":"DATE_GROUPING_BUCKET","timeWindowSize":{"unit":"DAY"}}]`: "buckets[0].key",
		metrics + `,"buckets":[{"key":"userCounts.user","type":"STRING_GROUPING_BUCKET"}]`:                   "userCounts.user",
		metrics + `,"filter":{"or":[{"and":[{"field":"nothing","values":["1"]}]}]}`:                          "filter",
		metrics + `,"filter":{"or":[{"and":[{"field":"fieldCounts.count","values":["1"]}]}]}`:                "fieldCounts.count",
		metrics + `,"filter":{"or":[{"and":[{"field":"urn","condition":"LIKE"}]}]}`:                          "filter",
		date(``): "buckets[0].timeWindowSize",
		date(`,"timeWindowSize":{"unit":"DECADE"}`):                           "buckets[0].timeWindowSize",
		date(`,"timeWindowSize":{"unit":"DAY","multiple":0}`):                 "multiple",
		date(`,"timeWindowSize":{"unit":"DAY","multiple":-3}`):                "multiple",
		date(`,"timeWindowSize":{"unit":"DAY","multiple":1000000}`):           "multiple",
		date(`,"timeWindowSize":{"unit":"DAY"},"timeZone":"Europe/Atlantis"`): "timeZone",
	} {
		s.stats("", members).fails(http.StatusBadRequest, want)
	}
	for body, want := range map[string]string{
		``: "entityName, aspectName, metrics",
		`{"entityName":"table","aspectName":"datasetProfile",` + metrics + `}`: "entityName",
		`{"entityName":"dataset","aspectName":"status",` + metrics + `}`:       "aspectName",
		`{"entityName":"dataset","aspectName":"datasetProfile","metrics":7}`:   "metrics",
	} {
		s.post("/analytics?action=getTimeseriesStats", body).fails(http.StatusBadRequest, want)
	}
	s.ingestUsage(0, ``) // 20,301 days before
	s.stats("", date(`,"timeWindowSize":{"unit":"DAY"}`)).fails(http.StatusRequestEntityTooLarge, "longer windows")
	if got := s.stats("", date(`,"timeWindowSize":{"unit":"DAY","multiple":30}`)); got.Code != http.StatusOK {
		t.Errorf("windows of 30 days: %d %s", got.Code, got.Body)
	}
	denied := newService(t, denying("GET_TIMESERIES_ASPECT_PRIVILEGE"))
	denied.stats("", metrics).fails(http.StatusUnauthorized, "GET_TIMESERIES_ASPECT_PRIVILEGE")
}
