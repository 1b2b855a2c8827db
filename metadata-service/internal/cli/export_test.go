package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/pkg/command"
)

// shortDir returns a directory for sockets, whose paths must be short.
func shortDir(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "c")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// running starts a service that contains a dataset with a profile.
func running(t *testing.T, dir string) *apptest.Service {
	t.Helper()
	s := apptest.Start(t, dir)
	const dataset = "urn:li:dataset:(urn:li:dataPlatform:hive,exported,PROD)"
	change := func(aspect, value string) string {
		return fmt.Sprintf(`{"entityType":"dataset","entityUrn":%q,"changeType":"UPSERT","aspectName":%q,"aspect":{"contentType":"application/json","value":%q}}`, dataset, aspect, value)
	}
	body := `{"proposals":[` + change("datasetProperties", `{"name":"exported"}`) + "," + change("datasetProfile", `{"timestampMillis":1754000000000,"rowCount":5}`) + `]}`
	if status, answer := s.Call(http.MethodPost, "/aspects?action=ingestProposalBatch", body); status != http.StatusOK {
		t.Fatalf("%d %s", status, answer)
	}
	return s
}

func exported(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Errorf("%s is no JSON", file)
	}
	return string(text)
}

// Not parallel, since TMPDIR applies to the whole process.
func TestARunningAndAStoppedServiceAndABackupExportTheSame(t *testing.T) {
	folder := shortDir(t)
	t.Setenv("TMPDIR", folder)
	dir, to := filepath.Join(folder, "data"), func(name string) string { return filepath.Join(folder, name) }
	s := running(t, dir)
	code, stdout, notes := call(t, "export", "--data-dir", dir, "--out", to("running.json"))
	if code != command.OK || stdout != "" || !strings.Contains(notes, "documents of time series 1 to "+to("running.json")) || !strings.Contains(notes, "left out aspects that hold secrets or belong to this installation only: dataHubUpgrade ") {
		t.Errorf("got %d, %q, %q", code, stdout, notes)
	}
	if info, err := os.Stat(to("running.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if code, _, notes := call(t, "backup", "--data-dir", dir, "--out", to("backup")); code != command.OK {
		t.Fatal(notes)
	}
	code, recorded, notes := call(t, "audit", "--data-dir", dir, "--type", "TakeBackupEvent")
	if code != command.OK || strings.Count(recorded, "metadata alone, for an export, up to change") != 1 {
		t.Errorf("recorded %s %s", recorded, notes)
	}
	s.Stop()
	code, stdout, notes = call(t, "export", "--data-dir", dir, "--out", "-")
	if code != command.OK || !strings.Contains(notes, "no service runs on "+dir) {
		t.Errorf("got %d, %q", code, notes)
	}
	if code, _, notes := call(t, "export", "--backup", to("backup"), "--out", to("backup.json")); code != command.OK {
		t.Error(notes)
	}
	want := exported(t, to("running.json"))
	if stdout != want || exported(t, to("backup.json")) != want || !strings.Contains(want, `"aspectName":"datasetProfile","aspect":{"json":{"rowCount":5,`) {
		t.Errorf("the three differ: %d, %d and %d bytes", len(stdout), len(exported(t, to("backup.json"))), len(want))
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 4 {
		t.Errorf("copies stay behind: %v, %v", entries, err)
	}
}

func TestAnExportThatCannotBeWrittenLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir := filepath.Join(folder, "data")
	running(t, dir)
	taken := filepath.Join(folder, "taken.json")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{command.Failed, "is there already; name another file with --out", []string{"--out", taken}},
		{command.Failed, "no such file or directory", []string{"--out", filepath.Join(folder, "absent", "x.json")}},
		{command.Failed, "there is no catalog in", []string{"--out", "-", "--data-dir", folder}},
		{command.Misuse, "--out needs", []string{"--out", ""}},
		{command.Misuse, "unexpected argument", []string{"now"}},
		{command.Misuse, `entity-type: "tabel" is not known`, []string{"--entity-type", "tag,tabel"}},
		{command.Misuse, "dataHubSecret holds secrets and is not exported", []string{"--entity-type", "dataHubSecret"}},
		{command.Misuse, "corpUserCredentials is a secret", []string{"--aspect", "corpUserCredentials"}},
		{command.Failed, "the file is no backup", []string{"--out", "-", "--backup", taken}},
		{command.Failed, "the backup cannot be read", []string{"--backup", filepath.Join(folder, "none")}},
	} {
		code, stdout, notes := call(t, append([]string{"export", "--data-dir", dir}, c.args...)...)
		if code != c.code || stdout != "" || !strings.Contains(notes, c.says) {
			t.Errorf("%v: got %d, %q, %q, want %d and %q", c.args, code, stdout, notes, c.code, c.says)
		}
	}
	if text := exportedText(t, taken); text != "mine" {
		t.Errorf("the file that was there is %q", text)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 {
		t.Errorf("files stay behind: %v, %v", entries, err)
	}
}

func exportedText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnExportOntoAFullDiskLeavesNothing(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	folder := shortDir(t)
	dir := filepath.Join(folder, "data")
	running(t, dir).Stop()
	var whole bytes.Buffer
	code, stdout, notes := call(t, "export", "--data-dir", dir, "--out", "-")
	if code != command.OK {
		t.Fatal(notes)
	}
	whole.WriteString(stdout)
	file := filepath.Join(folder, "catalog.json")
	// The data directory is unaffected, and the file grows to a half.
	lift := disktest.Full(t, uint64(whole.Len()/2))
	code, _, notes = call(t, "export", "--data-dir", dir, "--out", file)
	lift()
	if code != command.Failed || !strings.Contains(notes, file+" was not written") || !strings.Contains(notes, "a file of "+folder+" would pass") || !strings.Contains(notes, "make room there") {
		t.Errorf("got %d, %q", code, notes)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("files stay behind: %v, %v", entries, err)
	}
	if code, _, notes := call(t, "export", "--data-dir", dir, "--out", file); code != command.OK || exported(t, file) != whole.String() {
		t.Errorf("once there is room: %d, %q", code, notes)
	}
}
