package apptest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/apptest"
	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
	"github.com/cartulary/cartulary/pkg/urn"
)

// shortDir returns a directory for sockets, whose paths must be short.
func shortDir(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "b")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// takeBackup takes a backup of a running service, and returns the notes of the command.
func takeBackup(t *testing.T, s *apptest.Service, file string, flags ...string) string {
	t.Helper()
	var out, notes bytes.Buffer
	if err := adminsocket.RunBackup(t.Context(), s.DataDir, append([]string{"--out", file}, flags...), &out, &notes); err != nil {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Errorf("beside the file %q was printed", out.String())
	}
	return notes.String()
}

func restoreBackup(t *testing.T, file, into string, replace bool) (app.Restored, error) {
	t.Helper()
	from, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	return app.Restore(t.Context(), app.RestoreConfig{From: from, Into: into, Replace: replace, Log: logging.Discard()})
}

func mustRestore(t *testing.T, file, into string, replace bool) app.Restored {
	t.Helper()
	done, err := restoreBackup(t, file, into, replace)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func writtenDataset(writer int) string {
	return fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,backup.w%d,PROD)", writer)
}

// writeRounds writes the same number into two aspects and the time series of a dataset, in one
// batch, repeatedly until stop is closed.
func writeRounds(t *testing.T, s *apptest.Service, writer int, stop <-chan struct{}) {
	for n := 1; ; n++ {
		proposal := func(aspect, value string) string {
			return fmt.Sprintf(`{"entityType":"dataset","entityUrn":%q,"changeType":"UPSERT","aspectName":%q,"aspect":{"contentType":"application/json","value":%q}}`, writtenDataset(writer), aspect, value)
		}
		body := `{"proposals":[` + strings.Join([]string{
			proposal("datasetProperties", fmt.Sprintf(`{"description":"%d"}`, n)),
			proposal("editableDatasetProperties", fmt.Sprintf(`{"description":"%d"}`, n)),
			proposal("datasetProfile", fmt.Sprintf(`{"timestampMillis":%d,"rowCount":%d}`, 1754000000000+n, n)),
		}, ",") + `]}`
		if status, answer := s.Call(http.MethodPost, "/aspects?action=ingestProposalBatch", body); status != http.StatusOK {
			t.Errorf("write: %d %s", status, answer)
			return
		}
		select {
		case <-stop:
			return
		default:
		}
	}
}

// rounds returns the last round of a writer's data in the aspects and the time series.
func rounds(t *testing.T, s *apptest.Service, writer int) (aspects [2]string, profiles int, newest int) {
	t.Helper()
	for i, aspect := range []string{"datasetProperties", "editableDatasetProperties"} {
		var answer map[string]any
		status, text := s.Call(http.MethodGet, "/openapi/v3/entity/dataset/"+url.PathEscape(writtenDataset(writer))+"?aspects="+aspect, "")
		if status == http.StatusNotFound {
			continue // the writer had not begun
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil || status != http.StatusOK {
			t.Fatal(status, text, err)
		}
		holder, _ := answer[aspect].(map[string]any)
		value, _ := holder["value"].(map[string]any)
		aspects[i], _ = value["description"].(string)
	}
	var series struct {
		Value struct {
			Values []struct{ Aspect struct{ Value string } }
		}
	}
	s.JSON(http.MethodPost, "/aspects?action=getTimeseriesAspectValues", fmt.Sprintf(`{"urn":%q,"entity":"dataset","aspect":"datasetProfile","limit":10000}`, writtenDataset(writer)), &series)
	profiles = len(series.Value.Values)
	for _, v := range series.Value.Values {
		var n int
		if _, after, ok := strings.Cut(v.Aspect.Value, `"rowCount":`); ok {
			_, _ = fmt.Sscan(after, &n)
		}
		newest = max(newest, n)
	}
	return aspects, profiles, newest
}

// A backup contains the aspects and documents of one write completely or not at all. A service that
// starts on it has the state of the catalog in the backup, also in the time series.
func TestABackupOfAServiceThatIsWrittenToIsOfOneMoment(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	s := apptest.Start(t, filepath.Join(folder, "data"))
	stop := make(chan struct{})
	var writers sync.WaitGroup
	const many = 3
	for w := range many {
		writers.Go(func() { writeRounds(t, s, w, stop) })
	}
	for n := range 3 {
		takeBackup(t, s, filepath.Join(folder, fmt.Sprint(n)))
	}
	close(stop)
	writers.Wait()
	file := filepath.Join(folder, "last")
	if notes := takeBackup(t, s, file); !strings.Contains(notes, "it holds the keys of this service") {
		t.Errorf("remarks %q", notes)
	}
	for n, name := range []string{"0", "1", "2", "last"} {
		into := filepath.Join(folder, fmt.Sprintf("r%d", n))
		mustRestore(t, filepath.Join(folder, name), into, false)
		restored := apptest.Start(t, into)
		for w := range many {
			aspects, profiles, newest := rounds(t, restored, w)
			if profiles == 0 && aspects[0] == "" {
				continue // the writer had not begun
			}
			if aspects[0] != aspects[1] || aspects[0] != fmt.Sprint(profiles) || profiles != newest {
				t.Errorf("backup %s, writer %d: aspects at %v, %d profiles up to %d", name, w, aspects, profiles, newest)
			}
			if name == "last" {
				if before, count, _ := rounds(t, s, w); before != aspects || count != profiles {
					t.Errorf("writer %d: %v and %d profiles became %v and %d", w, before, count, aspects, profiles)
				}
			}
		}
		restored.Stop()
	}
}

func TestARestoreBringsNoRevokedTokenBack(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	s := apptest.Start(t, dir)
	const root, leaver urn.URN = "urn:li:corpuser:datahub", "urn:li:corpuser:leaver"
	s.As(leaver)
	var texts, ids []string
	for _, user := range []urn.URN{root, leaver, root} {
		text, id := makeToken(t, s, user, "")
		texts, ids = append(texts, text), append(ids, id)
	}
	const stays = 2
	takeBackup(t, s, file)
	_, err := restoreBackup(t, file, dir, true)
	if fault.KindOf(err) != fault.Unavailable {
		t.Errorf("a directory in use: %v", err)
	}
	revokeToken(t, s, ids[0])
	graphql(t, s, `mutation { removeUser(urn: "`+string(leaver)+`") }`, &struct{}{})
	s.Stop()
	done := mustRestore(t, file, dir, true)
	if done.Tokens != 3 || done.Aside == "" || done.Unread != nil { // the leaver also has the token of As
		t.Errorf("restored %+v", done)
	}
	s = apptest.Start(t, dir)
	for i, text := range texts {
		want := http.StatusUnauthorized
		if i == stays {
			want = http.StatusOK
		}
		if status := statusWithToken(s, text); status != want {
			t.Errorf("token %d: %d, want %d", i, status, want)
		}
	}

	// A key that was replaced since must not sign again.
	var out bytes.Buffer
	if err := adminsocket.RunCommand(t.Context(), dir, []string{"rotate-key", "--keep", "0"}, &out, &out); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if done = mustRestore(t, file, dir, true); !done.KeptSigningKey {
		t.Errorf("restored %+v", done)
	}
	s = apptest.Start(t, dir)
	if status := statusWithToken(s, texts[stays]); status != http.StatusUnauthorized {
		t.Errorf("a token of the former key: %d", status)
	}
	s.Stop()

	// A directory without knowledge of the revocation accepts the token again.
	other := filepath.Join(folder, "other")
	mustRestore(t, file, other, false)
	if status := statusWithToken(apptest.Start(t, other), texts[0]); status != http.StatusOK {
		t.Errorf("elsewhere: %d", status)
	}
}

func TestADamagedCatalogIsReplaced(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	s := apptest.Start(t, dir)
	text, _ := makeToken(t, s, "urn:li:corpuser:datahub", "")
	takeBackup(t, s, file)
	s.Stop()
	if err := os.WriteFile(filepath.Join(dir, "catalog.db"), bytes.Repeat([]byte("damage "), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	if done := mustRestore(t, file, dir, true); done.Unread == nil || done.Aside == "" {
		t.Errorf("restored %+v", done)
	}
	if status := statusWithToken(apptest.Start(t, dir), text); status != http.StatusOK {
		t.Errorf("the token of the backup: %d", status)
	}
}

func TestABackupWithoutSecretsGoesWithThoseOfTheDirectory(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	s := apptest.Start(t, dir)
	text, _ := makeToken(t, s, "urn:li:corpuser:datahub", "")
	if notes := takeBackup(t, s, file, "--without-secrets"); !strings.Contains(notes, "it holds no keys") {
		t.Errorf("remarks %q", notes)
	}
	from, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := backup.Check(t.Context(), from, nil)
	if err := errors.Join(err, from.Close()); err != nil {
		t.Fatal(err)
	}
	for _, member := range m.Members {
		if strings.HasPrefix(member.Name, "secrets/") {
			t.Errorf("the backup has %s", member.Name)
		}
	}
	s.Stop()
	if done := mustRestore(t, file, dir, true); !done.KeptSecrets {
		t.Errorf("restored %+v", done)
	}
	s = apptest.Start(t, dir)
	if status := statusWithToken(s, text); status != http.StatusOK {
		t.Errorf("a token: %d", status)
	}
	s.Stop()
	alone := filepath.Join(folder, "alone")
	mustRestore(t, file, alone, false)
	cfg := app.Defaults()
	cfg.Listen, cfg.DataDir = "127.0.0.1:0", alone
	if a, err := app.Open(t.Context(), cfg, "test", logging.Discard()); err == nil || !strings.Contains(err.Error(), "missing-secrets") {
		t.Errorf("a start without secrets: %v", err)
		_ = a.Close()
	}
}

func TestABackupDoesNotTakeThePlaceOfAFileAndIsRecorded(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	s := apptest.Start(t, filepath.Join(folder, "data"))
	file := filepath.Join(folder, "backup")
	takeBackup(t, s, file)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	for args, says := range map[string]string{
		"--out " + file: "is there already", "--out": "out", "now": "does not take", "--out " + folder + "/absent/x": "no such file", "--all": "all",
	} {
		if err := adminsocket.RunBackup(t.Context(), s.DataDir, strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", args, err, says)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("files stay behind: %v, %v", entries, err)
	}
	var streamed, notes bytes.Buffer
	if err := adminsocket.RunBackup(t.Context(), s.DataDir, []string{"--out", "-"}, &streamed, &notes); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Check(t.Context(), &streamed, nil); err != nil {
		t.Error(err)
	}
	var recorded bytes.Buffer
	if err := adminsocket.RunAudit(t.Context(), s.DataDir, []string{"--type", "TakeBackupEvent"}, &recorded, &notes); err != nil || strings.Count(recorded.String(), "with secrets, up to change") != 2 {
		t.Errorf("recorded %s, %v", recorded.String(), err)
	}
}

// known returns the backups that a service lists.
func known(t *testing.T, s *apptest.Service) (list []ops.Backup) {
	t.Helper()
	var answer struct {
		Value struct{ Backups []ops.Backup }
	}
	s.JSON(http.MethodPost, "/operations?action=getBackups", `{}`, &answer)
	return answer.Value.Backups
}

func TestTheLastBackupsAreKnownAfterARestart(t *testing.T) {
	t.Parallel()
	folder := shortDir(t)
	dir, file := filepath.Join(folder, "data"), filepath.Join(folder, "backup")
	s := apptest.Start(t, dir)
	if list := known(t, s); len(list) != 0 {
		t.Errorf("before the first: %+v", list)
	}
	takeBackup(t, s, file, "--without-secrets")
	if err := adminsocket.RunBackup(t.Context(), s.DataDir, []string{"--out", "-"}, &limitedWriter{room: 100}, io.Discard); err == nil {
		t.Error("a full disk takes a backup")
	}
	var streamed bytes.Buffer
	if err := adminsocket.RunBackup(t.Context(), s.DataDir, []string{"--out", "-"}, &streamed, io.Discard); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	s = apptest.Start(t, dir)
	list := known(t, s)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if b := list[2]; !b.Succeeded || b.To != file || b.Bytes != info.Size() || b.DataBytes <= b.Bytes || b.Sequence == 0 || b.Secrets || b.Ended < b.Started || b.Started == 0 {
		t.Errorf("the first: %+v", b)
	}
	if b := list[1]; b.Succeeded || !strings.Contains(b.Error, "no space left on device") {
		t.Errorf("the one on a full disk: %+v", b)
	}
	if b := list[0]; !b.Succeeded || b.To != "" || !b.Secrets || b.Bytes != int64(streamed.Len()) {
		t.Errorf("the one through a pipe: %+v", b)
	}
}

// limitedWriter is a writer that fails after some bytes, like a full disk.
type limitedWriter struct{ room int }

func (f *limitedWriter) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

func TestABackupThatCannotBeWrittenIsNoBackupAndTheNextOneIs(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, filepath.Join(shortDir(t), "data"))
	for range 2 {
		err := adminsocket.RunBackup(t.Context(), s.DataDir, []string{"--out", "-"}, &limitedWriter{room: 100}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("got %v", err)
		}
	}
	takeBackup(t, s, filepath.Join(shortDir(t), "backup"))
}
