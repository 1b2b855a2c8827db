package main_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func sizedURN(n int) string {
	return fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,sized.t%d,PROD)", n)
}

// fill writes datasets with a name and a relationship to the previous one, in chains of ten, and a
// profile of each tenth.
func fill(t *testing.T, service *program, entities int) {
	t.Helper()
	const step = 200
	for from := 0; from < entities; from += step {
		var proposals []map[string]any
		for n := from; n < min(from+step, entities); n++ {
			proposals = append(proposals,
				change(sizedURN(n), "datasetProperties", map[string]any{"name": "sized" + strconv.Itoa(n), "description": "a table of numbers " + strconv.Itoa(n%97)}),
				change(sizedURN(n), "upstreamLineage", map[string]any{"upstreams": []any{map[string]any{"dataset": sizedURN(max(n-n%10, n-1)), "type": "TRANSFORMED"}}}))
			if n%10 == 0 {
				proposals = append(proposals, change(sizedURN(n), "datasetProfile", map[string]any{"timestampMillis": 1754000000000 + n, "rowCount": n}))
			}
		}
		if err := service.post(http.DefaultClient, batch(proposals...)); err != nil {
			t.Fatal(err)
		}
	}
}

// measure writes one entity at a time until stop is closed, and returns the durations.
func measure(t *testing.T, service *program, stop <-chan struct{}) (took []time.Duration) {
	w := soakWriter{urn: "urn:li:dataset:(urn:li:dataPlatform:hive,beside,PROD)"}
	for n := 1; ; n++ {
		began := time.Now()
		if err := service.post(http.DefaultClient, w.batch(n)); err != nil {
			t.Error(err)
			return took
		}
		took = append(took, time.Since(began))
		select {
		case <-stop:
			return took
		default:
		}
	}
}

func p99(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[len(took)*99/100]
}

// sample runs typical client requests for some entities.
func sample(t *testing.T, service *program, entities int) (answers []string) {
	t.Helper()
	ask := func(method, path, body string) {
		status, answer, err := service.call(http.DefaultClient, method, path, []byte(body))
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s %v", path, status, answer, err)
		}
		answers = append(answers, string(answer))
	}
	for i := range 20 {
		n := i * (entities - 1) / 19
		n += 1 - min(1, n%10) // not the beginning of a chain
		ask(http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(sizedURN(n)), "")
		ask(http.MethodPost, "/api/graphql", fmt.Sprintf(`{"query":"{ search(input: {type: DATASET, query: \"sized%d\", start: 0, count: 5}) { total searchResults { entity { urn } } } }"}`, n))
		ask(http.MethodPost, "/api/graphql", fmt.Sprintf(`{"query":"{ searchAcrossLineage(input: {urn: \"%s\", direction: UPSTREAM, query: \"*\", start: 0, count: 10}) { total searchResults { degree entity { urn } } } }"}`, sizedURN(n)))
		for _, answer := range answers[len(answers)-2:] {
			if !strings.Contains(answer, "sized.t") {
				t.Errorf("entity %d: search and lineage find nothing: %s", n, answer)
			}
		}
		ask(http.MethodPost, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":"dataset","aspect":"datasetProfile","limit":10}`, sizedURN(n-n%10)))
	}
	return answers
}

// BACKUP_ENTITIES sets the number of entities; the printed figures are meaningful for large
// numbers.
func TestARestoredBackupAnswersAsTheServiceThatWasWrittenTo(t *testing.T) {
	entities := 300
	if asked := os.Getenv("BACKUP_ENTITIES"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 20 {
			t.Fatalf("BACKUP_ENTITIES is %q, want 20 or more", asked)
		}
		entities = n
	}
	service := buildProgram(t)
	service.start(t)
	began := time.Now()
	fill(t, service, entities)
	t.Logf("%d entities written in %s", entities, time.Since(began).Round(time.Millisecond))

	during := func(do func()) []time.Duration {
		stop, ended := make(chan struct{}), make(chan []time.Duration)
		go func() { ended <- measure(t, service, stop) }()
		do()
		close(stop)
		return <-ended
	}
	alone := during(func() { sample(t, service, entities) })
	file := filepath.Join(t.TempDir(), "backup")
	began = time.Now()
	meanwhile := during(func() { service.run(t, []string{"backup", "--out", file}) })
	took := time.Since(began)
	stored, packed := folderBytes(t, service.data), int64(0)
	if info, err := os.Stat(file); err == nil {
		packed = info.Size()
	}
	t.Logf("backup of %.1f MiB in %s, %.1f MiB/s, packed %.1f MiB; p99 of %d writes %s, of %d beside searches %s",
		float64(stored)/(1<<20), took.Round(time.Millisecond), float64(stored)/(1<<20)/took.Seconds(), float64(packed)/(1<<20),
		len(meanwhile), p99(meanwhile), len(alone), p99(alone))

	restored := *service
	restored.data = filepath.Join(t.TempDir(), "restored")
	began = time.Now()
	command := exec.Command(service.binary, "restore", file, "--into", restored.data)
	if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "restored to") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("restored in %s", time.Since(began).Round(time.Millisecond))
	want := sample(t, service, entities)
	service.stop(t)
	restored.wantVerified(t)
	t.Logf("started in %s", restored.start(t).Round(time.Millisecond))
	for i, answer := range sample(t, &restored, entities) {
		if answer != want[i] {
			t.Errorf("answer %d was\n%s\nand is\n%s", i, want[i], answer)
		}
	}
	restored.stop(t)
}

// folderBytes returns the size of the files of a data folder that a backup copies.
func folderBytes(t *testing.T, dir string) (sum int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "timeseries", "*.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"catalog.db", "audit.db", "tasks.db"} {
		files = append(files, filepath.Join(dir, name))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
