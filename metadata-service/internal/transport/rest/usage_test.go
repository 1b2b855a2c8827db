package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const dayMillis = 86_400_000

// day is the beginning of a day in UTC, counted from the day of the clock.
func day(n int64) int64 { return noon - noon%dayMillis + n*dayMillis }

func millis(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

func (s *service) ingestUsage(at int64, rest string) {
	s.Helper()
	s.ingest(dataset, "datasetUsageStatistics", fmt.Sprintf(`{"timestampMillis":%d,"eventGranularity":{"unit":"DAY","multiple":1}%s}`, at, rest))
}

func TestUsageIsToldInBucketsWithoutGapsAndAltogether(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingestUsage(day(-4)+5, `,"uniqueUserCount":1,"totalSqlQueries":4,"topSqlQueries":["select 1"],"userCounts":[{"user":"urn:li:corpuser:mia","count":4,"userEmail":"mia@example.com"}],"fieldCounts":[{"fieldPath":"id","count":2}]`)
	s.ingestUsage(day(-1), `,"uniqueUserCount":7,"totalSqlQueries":9,"userCounts":[{"user":"urn:li:corpuser:jo","count":1}]`)
	s.ingestUsage(day(-1)+7, `,"uniqueUserCount":2,"totalSqlQueries":3,"userCounts":[{"user":"urn:li:corpuser:jo","count":2},{"user":"urn:li:corpuser:mia","count":1}],"fieldCounts":[{"fieldPath":"id","count":1},{"fieldPath":"price","count":1}]`)
	bucket := func(start int64, metrics string) string {
		return fmt.Sprintf(`{"bucket":%d,"duration":"DAY","resource":"%s","metrics":{%s}}`, start, dataset, metrics)
	}
	first, last := bucket(day(-4), `"uniqueUserCount":1,"totalSqlQueries":4,"topSqlQueries":["select 1"]`), bucket(day(-1), `"uniqueUserCount":2,"totalSqlQueries":3`)
	all := `"aggregations":{"uniqueUserCount":2,"totalSqlQueries":7,"users":[{"user":"urn:li:corpuser:mia","count":5,"userEmail":"mia@example.com"},{"user":"urn:li:corpuser:jo","count":3}],"fields":[{"fieldName":"id","count":3},{"fieldName":"price","count":1}]}`
	for _, prefix := range []string{"", "/gms", "/api/gms"} {
		s.post(prefix+"/usageStats?action=queryRange", `{"resource":"`+dataset+`","duration":"DAY","rangeFromEnd":"ALL"}`).is(http.StatusOK,
			`{"value":{"buckets":[`+first+`,`+bucket(day(-3), "")+`,`+bucket(day(-2), "")+`,`+last+`],`+all+`}}`)
	}
	query := func(members string) string { return `{"resource":"` + dataset + `","duration":"DAY"` + members + `}` }
	s.post("/usageStats?action=query", query(`,"maxBuckets":2`)).is(http.StatusOK, `{"value":{"buckets":[`+bucket(day(-2), "")+`,`+last+`],`+
		`"aggregations":{"uniqueUserCount":2,"totalSqlQueries":7,"users":[{"user":"urn:li:corpuser:mia","count":5,"userEmail":"mia@example.com"},{"user":"urn:li:corpuser:jo","count":3}],"fields":[{"fieldName":"id","count":3},{"fieldName":"price","count":1}]}}}`)
	// Both ends are included.
	s.post("/usageStats?action=query", query(fmt.Sprintf(`,"startTime":%d,"endTime":%d`, day(-4)+5, day(-4)+5))).is(http.StatusOK, `{"value":{"buckets":[`+first+`],`+
		`"aggregations":{"uniqueUserCount":1,"totalSqlQueries":4,"users":[{"user":"urn:li:corpuser:mia","count":4,"userEmail":"mia@example.com"}],"fields":[{"fieldName":"id","count":2}]}}}`)
	s.post("/usageStats?action=query", query(fmt.Sprintf(`,"startTime":%d,"endTime":%d`, day(-4)+6, day(-1)-1))).is(http.StatusOK,
		`{"value":{"buckets":[],"aggregations":{"uniqueUserCount":0,"users":[],"fields":[]}}}`)
}

func TestUsageOfHoursHasGapsAndATotalOnlyWhenSomebodyTold(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingestUsage(day(-1), ``)
	s.ingestUsage(day(-1)+5*3_600_000+1, `,"uniqueUserCount":3`)
	s.post("/usageStats?action=queryRange", `{"resource":"`+dataset+`","duration":"HOUR","rangeFromEnd":"WEEK"}`).is(http.StatusOK, fmt.Sprintf(
		`{"value":{"buckets":[{"bucket":%d,"duration":"HOUR","resource":"%s","metrics":{}},{"bucket":%d,"duration":"HOUR","resource":"%s","metrics":{"uniqueUserCount":3}}],
		"aggregations":{"uniqueUserCount":0,"users":[],"fields":[]}}}`, day(-1), dataset, day(-1)+5*3_600_000, dataset))
}

func TestUsageIsToldByTheCalendarOfAZone(t *testing.T) {
	t.Parallel()
	s := newService(t)
	at := func(text string) int64 { t.Helper(); return millis(t, text) }
	// In Berlin this is the first of April, in summer time, and a Tuesday.
	s.ingestUsage(at("2025-03-31T22:30:00Z"), `,"totalSqlQueries":1`)
	for _, c := range []struct{ duration, zone, begins string }{
		{"DAY", "", "2025-03-31T00:00:00Z"}, {"DAY", "Europe/Berlin", "2025-03-31T22:00:00Z"}, {"DAY", "+05:30", "2025-03-31T18:30:00Z"},
		{"WEEK", "", "2025-03-31T00:00:00Z"}, {"WEEK", "Europe/Berlin", "2025-03-30T22:00:00Z"},
		{"MONTH", "UTC", "2025-03-01T00:00:00Z"}, {"MONTH", "Europe/Berlin", "2025-03-31T22:00:00Z"},
		{"YEAR", "", "2025-01-01T00:00:00Z"}, {"YEAR", "Europe/Berlin", "2024-12-31T23:00:00Z"},
		{"HOUR", "Asia/Kolkata", "2025-03-31T22:30:00Z"},
	} {
		s.post("/usageStats?action=query", `{"resource":"`+dataset+`","duration":"`+c.duration+`","timeZone":"`+c.zone+`"}`).is(http.StatusOK, fmt.Sprintf(
			`{"value":{"buckets":[{"bucket":%d,"duration":"%s","resource":"%s","metrics":{"totalSqlQueries":1}}],"aggregations":{"uniqueUserCount":0,"totalSqlQueries":1,"users":[],"fields":[]}}}`,
			at(c.begins), c.duration, dataset))
	}
}

// TestUsageOfRangesBeginsOneUnitEarlier also checks that both ends of a range are included.
func TestUsageOfRangesBeginsOneUnitEarlier(t *testing.T) {
	t.Parallel()
	const hour = 3_600_000
	ranges := map[string]int64{"HOUR": noon - 2*hour, "DAY": noon - 2*dayMillis, "WEEK": noon - 8*dayMillis, "MONTH": noon - 31*dayMillis,
		"QUARTER": noon - 92*dayMillis, "HALF_YEAR": noon - 183*dayMillis, "YEAR": noon - 366*dayMillis, "ALL": 0}
	for name, begins := range ranges {
		s := newService(t)
		for i, at := range []int64{begins - 1, begins, noon, noon + 1} {
			s.ingestUsage(at, fmt.Sprintf(`,"fieldCounts":[{"fieldPath":"c","count":%d}]`, []int{1, 10, 100, 1000}[i]))
		}
		got := s.post("/usageStats?action=queryRange", `{"resource":"`+dataset+`","duration":"YEAR","rangeFromEnd":"`+name+`"}`)
		if want := `"fields":[{"count":110,"fieldName":"c"}]`; got.Code != http.StatusOK || !strings.Contains(canonical(t, got.Body.String()), want) {
			t.Errorf("%s: %d %s, want %s", name, got.Code, got.Body, want)
		}
	}
}

func TestUsageOfLongerBucketsHasNoGaps(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, at := range []string{"2023-11-15T00:00:00Z", "2025-01-20T12:00:00Z"} {
		s.ingestUsage(millis(t, at), `,"totalSqlQueries":2`)
	}
	for duration, begins := range map[string][]string{
		"YEAR":  {"2023-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"},
		"MONTH": {"2024-10-01T00:00:00Z", "2024-11-01T00:00:00Z", "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z"},
		"WEEK":  {"2024-12-30T00:00:00Z", "2025-01-06T00:00:00Z", "2025-01-13T00:00:00Z", "2025-01-20T00:00:00Z"},
	} {
		buckets := make([]string, len(begins))
		for i, begin := range begins {
			metrics := ""
			if i == len(begins)-1 || begin == "2023-01-01T00:00:00Z" {
				metrics = `"totalSqlQueries":2`
			}
			buckets[i] = fmt.Sprintf(`{"bucket":%d,"duration":"%s","resource":"%s","metrics":{%s}}`, millis(t, begin), duration, dataset, metrics)
		}
		s.post("/usageStats?action=query", fmt.Sprintf(`{"resource":"%s","duration":"%s","maxBuckets":%d}`, dataset, duration, len(begins))).is(http.StatusOK,
			`{"value":{"buckets":[`+strings.Join(buckets, ",")+`],"aggregations":{"uniqueUserCount":0,"totalSqlQueries":4,"users":[],"fields":[]}}}`)
	}
}

func TestUsageIsRefusedBeforeItCosts(t *testing.T) {
	t.Parallel()
	s := newService(t)
	s.ingestUsage(1, ``)
	s.ingestUsage(day(0), ``) // 20,300 days later
	const of = `{"resource":"` + dataset + `"`
	for body, want := range map[string]string{
		``:                                       "resource, duration",
		of + `,"duration":"DECADE"}`:             "duration",
		of + `,"duration":"QUARTER"}`:            "duration",
		of + `,"duration":"DAY","maxBuckets":0}`: "maxBuckets",
		of + `,"duration":"DAY","maxBuckets":1000000}`:                "maxBuckets",
		of + `,"duration":"DAY","startTime":2,"endTime":1}`:           "startTime: 2 is after endTime, 1",
		of + `,"duration":"DAY","startTime":-62167219200001}`:         "startTime",
		of + `,"duration":"DAY","endTime":253402300800000}`:           "endTime",
		of + `,"duration":"DAY","endTime":"soon"}`:                    "endTime",
		of + `,"duration":"DAY","timeZone":"Europe/Atlantis"}`:        "timeZone",
		of + `,"duration":"DAY","timeZone":"Local"}`:                  "timeZone",
		of + `,"duration":"DAY","timeZone":"../../etc/passwd"}`:       "timeZone",
		of + `,"duration":"DAY","timeZone":"+25:00"}`:                 "timeZone",
		`{"resource":"urn:li:dashboard:(looker,a)","duration":"DAY"}`: "resource",
		`{"resource":"orders","duration":"DAY"}`:                      "resource",
	} {
		s.post("/usageStats?action=query", body).fails(http.StatusBadRequest, want)
	}
	s.post("/usageStats?action=query", of+`,"duration":"DAY"}`).fails(http.StatusRequestEntityTooLarge, "duration")
	s.post("/usageStats?action=query", of+`,"duration":"DAY","startTime":-62167219200000,"endTime":253402300799999}`).fails(http.StatusRequestEntityTooLarge, "duration")
	if got := s.post("/usageStats?action=query", of+`,"duration":"DAY","maxBuckets":10000}`); got.Code != http.StatusOK {
		t.Errorf("the newest buckets: %d %s", got.Code, got.Body)
	}
	s.post("/usageStats?action=queryRange", of+`,"duration":"DAY","rangeFromEnd":"DECADE"}`).fails(http.StatusBadRequest, "rangeFromEnd")
	s.post("/usageStats?action=queryRange", of+`,"duration":"DAY"}`).fails(http.StatusBadRequest, "rangeFromEnd")
	s.post("/usageStats?action=guess", `{}`).fails(http.StatusBadRequest, "queryRange")
}

func TestUsageIsIngestedAsATimeSeries(t *testing.T) {
	t.Parallel()
	s := newService(t)
	const of = `"resource":"` + dataset + `"`
	s.post("/usageStats?action=batchIngest", fmt.Sprintf(`{"buckets":[{"bucket":%d,"duration":"DAY",`+of+`,"metrics":{"uniqueUserCount":2,
		"users":[{"user":"urn:li:corpuser:jo","count":3,"userEmail":"jo@example.com"}],"totalSqlQueries":4,"topSqlQueries":["select 1"],"fields":[{"fieldName":"c","count":1}]}}]}`, day(0))).is(http.StatusOK, "")
	s.post("/usageStats?action=queryRange", `{`+of+`,"duration":"DAY","rangeFromEnd":"DAY"}`).is(http.StatusOK, fmt.Sprintf(
		`{"value":{"buckets":[{"bucket":%d,"duration":"DAY",`+of+`,"metrics":{"uniqueUserCount":2,"totalSqlQueries":4,"topSqlQueries":["select 1"]}}],
		"aggregations":{"uniqueUserCount":1,"totalSqlQueries":4,"users":[{"user":"urn:li:corpuser:jo","count":3,"userEmail":"jo@example.com"}],"fields":[{"fieldName":"c","count":1}]}}}`, day(0)))
	s.post("/usageStats?action=batchIngest", `{"buckets":[]}`).is(http.StatusOK, "")

	good := fmt.Sprintf(`{"bucket":%d,"duration":"DAY",`+of+`,"metrics":{"totalSqlQueries":9}}`, day(-1))
	for bad, want := range map[string]string{
		`{"duration":"DAY",` + of + `,"metrics":{}}`:                           "buckets[1].bucket",
		`{"bucket":1,` + of + `,"metrics":{}}`:                                 "buckets[1].duration",
		`{"bucket":1,"duration":"DAY","metrics":{}}`:                           "buckets[1].resource",
		`{"bucket":1,"duration":"DAY",` + of + `}`:                             "buckets[1].metrics",
		`{"bucket":1,"duration":"DECADE",` + of + `,"metrics":{}}`:             "buckets[1].duration",
		`{"bucket":253402300800000,"duration":"DAY",` + of + `,"metrics":{}}`:  "buckets[1].bucket",
		`{"bucket":1,"duration":"DAY","resource":"urn:li:tag:a","metrics":{}}`: "buckets[1].resource",
	} {
		s.post("/usageStats?action=batchIngest", `{"buckets":[`+good+`,`+bad+`]}`).fails(http.StatusBadRequest, want)
	}
	s.post("/usageStats?action=batchIngest", `{"buckets":[`+good+`,{"bucket":1,"duration":"DAY",`+of+`,"metrics":{"users":[{"user":"jo","count":1}]}}]}`).fails(http.StatusUnprocessableEntity, "user")
	s.post("/usageStats?action=batchIngest", `{}`).fails(http.StatusBadRequest, "buckets")
	// Nothing of a refused batch is stored.
	s.post("/usageStats?action=query", fmt.Sprintf(`{`+of+`,"duration":"DAY","endTime":%d}`, day(-1))).is(http.StatusOK, `{"value":{"buckets":[],"aggregations":{"uniqueUserCount":0,"users":[],"fields":[]}}}`)
}
