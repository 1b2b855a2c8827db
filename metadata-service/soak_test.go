package main_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

const soakWriters = 8

// soakWriter writes two aspects of one dataset and a document of its time series in every batch,
// with the same growing number in all three, and changes the target of a relationship.
type soakWriter struct {
	urn          string
	sent         int // number of the last batch sent
	acknowledged int // number of the last batch with the response 200
}

func soakURN(n int) string {
	return fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,soak.w%d,PROD)", n)
}

// TestServiceKilledAtAnyMoment kills the whole service under concurrent writes and checks the
// remaining data through its API: all acknowledged batches, and every batch completely or not at
// all. After some kills, and at the end, it compares search index and graph with the store.
// CARTULARY_SOAK sets the number of rounds.
func TestServiceKilledAtAnyMoment(t *testing.T) {
	rounds := 2
	if asked := os.Getenv("CARTULARY_SOAK"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 1 {
			t.Fatalf("CARTULARY_SOAK is %q, want a positive number", asked)
		}
		rounds = n
	}
	service := buildProgram(t)
	writers := make([]soakWriter, soakWriters)
	for i := range writers {
		writers[i].urn = soakURN(i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		service.start(t)
		checkWriters(t, service, writers)
		if t.Failed() {
			service.kill()
			t.Fatalf("round %d: the service lost or tore something", round)
		}
		writeUntilKilled(service, writers, time.Duration(50+random.IntN(400))*time.Millisecond)
		// verify saves the index, so in other rounds the service itself has to catch up.
		if random.IntN(2) == 0 {
			service.wantVerified(t)
		}
	}
	service.start(t)
	checkWriters(t, service, writers)
	service.stop(t)
	service.wantVerified(t)
	total := 0
	for _, w := range writers {
		total += w.acknowledged
	}
	if total == 0 {
		t.Error("no write was ever acknowledged")
	}
	t.Logf("%d batches were acknowledged in %d rounds", total, rounds)
}

func writeUntilKilled(service *program, writers []soakWriter, after time.Duration) {
	timer := time.AfterFunc(after, func() { _ = service.running.Process.Kill() })
	defer timer.Stop()
	var all sync.WaitGroup
	client := connections(soakWriters)
	for i := range writers {
		w := &writers[i]
		all.Go(func() {
			for {
				w.sent++
				status, _, err := service.call(client, http.MethodPost, "/aspects?action=ingestProposalBatch", w.batch(w.sent))
				if err != nil || status != http.StatusOK {
					return
				}
				w.acknowledged = w.sent
			}
		})
	}
	all.Wait()
	_ = service.running.Wait()
}

func (w *soakWriter) batch(n int) []byte {
	text := strconv.Itoa(n)
	return batch(
		change(w.urn, "datasetProperties", map[string]any{"description": text}),
		change(w.urn, "editableDatasetProperties", map[string]any{"description": text}),
		change(w.urn, "upstreamLineage", map[string]any{"upstreams": []any{
			map[string]any{"dataset": soakURN(n % soakWriters), "type": "TRANSFORMED"},
		}}),
		change(w.urn, "datasetProfile", map[string]any{"timestampMillis": 1754000000000 + n, "rowCount": n}),
	)
}

func checkWriters(t *testing.T, service *program, writers []soakWriter) {
	t.Helper()
	for i := range writers {
		w := &writers[i]
		if w.acknowledged == 0 && w.sent == 0 {
			continue
		}
		first := description(t, service, w.urn, "datasetProperties")
		second := description(t, service, w.urn, "editableDatasetProperties")
		newest := newestProfile(t, service, w.urn)
		if first != second || first != newest {
			t.Errorf("%s: a batch was torn: aspects at %d and %d, time series at %d", w.urn, first, second, newest)
		}
		if first < w.acknowledged || first > w.sent {
			t.Errorf("%s: stored %d, acknowledged %d, sent %d", w.urn, first, w.acknowledged, w.sent)
		}
	}
}

// description reads the number that a writer put into an aspect, 0 if the aspect is absent.
func description(t *testing.T, service *program, urn, aspect string) int {
	t.Helper()
	status, body, err := service.call(http.DefaultClient, http.MethodGet, "/aspects/"+url.QueryEscape(urn)+"?version=0&aspect="+aspect, nil)
	if err != nil || (status != http.StatusOK && status != http.StatusNotFound) {
		t.Fatalf("%s of %s: %d %v %s", aspect, urn, status, err, body)
	}
	if status == http.StatusNotFound {
		return 0
	}
	var answer struct {
		Aspect map[string]struct {
			Description string `json:"description"`
		} `json:"aspect"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	for _, value := range answer.Aspect {
		n, err := strconv.Atoi(value.Description)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return 0
}

func newestProfile(t *testing.T, service *program, urn string) int {
	t.Helper()
	ask, err := json.Marshal(map[string]any{"urn": urn, "entity": "dataset", "aspect": "datasetProfile", "limit": 1})
	if err != nil {
		t.Fatal(err)
	}
	status, body, err := service.call(http.DefaultClient, http.MethodPost, "/aspects?action=getTimeseriesAspectValues", ask)
	if err != nil || status != http.StatusOK {
		t.Fatalf("profiles of %s: %d %v %s", urn, status, err, body)
	}
	var answer struct {
		Value struct {
			Values []struct {
				Aspect struct {
					Value string `json:"value"`
				} `json:"aspect"`
			} `json:"values"`
		} `json:"value"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Value.Values) == 0 {
		return 0
	}
	var profile struct {
		RowCount int `json:"rowCount"`
	}
	if err := json.Unmarshal([]byte(answer.Value.Values[0].Aspect.Value), &profile); err != nil {
		t.Fatal(err)
	}
	return profile.RowCount
}

// batch returns the body of an ingestProposalBatch.
func batch(changes ...map[string]any) []byte {
	text, err := json.Marshal(map[string]any{"proposals": changes, "async": "true"})
	if err != nil {
		panic(err) // plain values only
	}
	return text
}

// change returns a proposal, with its value as JSON in a string.
func change(urn, aspect string, value any) map[string]any {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // plain values only
	}
	return map[string]any{
		"entityType": "dataset", "entityUrn": urn, "changeType": "UPSERT", "aspectName": aspect,
		"aspect":         map[string]any{"value": string(text), "contentType": "application/json"},
		"systemMetadata": map[string]any{"lastObserved": 1765000000000, "runId": "soak"},
	}
}
