package main_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/logging"
)

// held is a command that reads its standard input and waits for the rest of it.
type held struct {
	*exec.Cmd
	rest io.WriteCloser
}

// hold starts a command and writes enough of an input that it is in the middle of its work. The
// buffer of a pipe, 64 KiB, would hold a smaller part without a reader.
func hold(t *testing.T, p *program, environment []string, input []byte, arguments ...string) *held {
	t.Helper()
	c := exec.Command(p.binary, arguments...)
	c.Env = append(p.environment(), environment...)
	rest, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	h := &held{c, rest}
	t.Cleanup(h.killed)
	if _, err := rest.Write(input); err != nil {
		t.Fatal(err)
	}
	return h
}

// killed kills the command with SIGKILL.
func (h *held) killed() {
	_ = h.Process.Kill()
	_ = h.Wait()
}

// ran runs a command to its end.
func ran(p *program, environment []string, input io.Reader, arguments ...string) (string, error) {
	c := exec.Command(p.binary, arguments...)
	c.Env, c.Stdin = append(p.environment(), environment...), input
	out, err := c.CombinedOutput()
	return string(out), err
}

// found lists the files in a folder that match a pattern.
func found(t *testing.T, folder, pattern string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Each command is killed in the middle of its work; the next one of its kind removes the remaining
// files, but no files of a running command.
func TestCommandsThatWereKilledLeaveNothingThatTheNextDoesNotRemove(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	service.start(t)
	t.Cleanup(func() { service.stop(t) })
	noise := make([]byte, 300<<10) // which compression does not reduce
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	if err := service.post(http.DefaultClient, batch(change(sizedURN(1), "datasetProperties", map[string]any{"name": "noise", "description": base64.StdEncoding.EncodeToString(noise)}))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "backup")
	service.run(t, []string{"backup", "--out", file})
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) < 200<<10 {
		t.Fatalf("the backup has %d bytes, which a pipe could take unread", len(whole))
	}
	most := whole[:len(whole)-1000]
	item := `{"entityType":"tag","entityUrn":"urn:li:tag:long","changeType":"UPSERT","aspectName":"tagProperties","aspect":{"json":{"name":"` + strings.Repeat("x", 200<<10) + `"}}}`
	list := "[" + item + "]"
	for _, c := range []struct {
		name, leaves string
		most         []byte
		whole        string
		arguments    []string
	}{
		{"export of a backup", "cartulary-export-*", most, string(whole), []string{"export", "--backup", "-", "--out", "-"}},
		{"verify of a backup", "cartulary-verify-*", most, string(whole), []string{"verify", "--backup", "-"}},
		{"import of the standard input", "cartulary-import-*", []byte(list)[:len(list)-10], list,
			[]string{"import", "--server", "http://" + service.address, "--token", service.token, "--dry-run", "-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			environment := []string{"TMPDIR=" + folder}
			alive := hold(t, service, environment, c.most, c.arguments...)
			one := found(t, folder, c.leaves)
			if len(one) != 1 {
				t.Fatalf("while it runs there are %v", one)
			}
			out, err := ran(service, environment, strings.NewReader(c.whole), c.arguments...)
			if err != nil || strings.Contains(out, "which a process that was killed had left") {
				t.Errorf("beside one that runs: %v, %.300s", err, out)
			}
			if got := found(t, folder, c.leaves); len(got) != 1 || got[0] != one[0] {
				t.Errorf("of the one that runs there is %v", got)
			}
			alive.killed()
			if got := found(t, folder, c.leaves); len(got) != 1 {
				t.Fatalf("killed, it leaves %v", got)
			}
			out, err = ran(service, environment, strings.NewReader(c.whole), c.arguments...)
			if err != nil || !strings.Contains(out, "removed "+one[0]+", which a process that was killed had left") {
				t.Errorf("after one that was killed: %v, %.300s", err, out)
			}
			if got := found(t, folder, "*"); len(got) != 0 {
				t.Errorf("there is %v", got)
			}
		})
	}
	t.Run("restore", func(t *testing.T) {
		t.Parallel()
		restored := *service
		restored.data = filepath.Join(t.TempDir(), "restored")
		restored.running, restored.address = nil, buildProgram(t).address
		alive := hold(t, service, nil, most, "restore", "-", "--into", restored.data)
		if got := found(t, restored.data, ".restore"); len(got) != 1 {
			t.Fatalf("while it runs there is %v", got)
		}
		if out, err := ran(&restored, nil, nil); err == nil || !strings.Contains(out, "a backup is restored to "+restored.data+" now") {
			t.Errorf("a service starts beside a restore: %v, %s", err, out)
		}
		alive.killed()
		if out, err := ran(service, nil, bytes.NewReader(whole), "restore", "-", "--into", restored.data); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		if got := found(t, restored.data, ".restore"); len(got) != 0 {
			t.Errorf("there is %v", got)
		}
		hold(t, service, nil, most, "restore", "-", "--into", restored.data, "--replace").killed()
		if got := found(t, restored.data, ".restore/new/catalog.db"); len(got) != 1 {
			t.Fatalf("killed, it leaves %v", got)
		}
		restored.start(t)
		defer restored.stop(t)
		if got := found(t, restored.data, ".restore"); len(got) != 0 || !strings.Contains(string(restored.printed()), "removed the files of an interrupted restore") {
			t.Errorf("after a start there is %v; %s", got, restored.printed())
		}
	})
	t.Run("backup to a file", func(t *testing.T) {
		t.Parallel()
		folder, silent := t.TempDir(), buildProgram(t)
		began := neverBackedUp(t, silent.data)
		alive := hold(t, silent, nil, nil, "backup", "--data-dir", silent.data, "--out", filepath.Join(folder, "never"))
		<-began
		one := found(t, folder, ".never.part-*")
		if len(one) != 1 {
			t.Fatalf("while it runs there is %v", one)
		}
		export := func(name string) string {
			t.Helper()
			out, err := ran(service, nil, nil, "export", "--backup", file, "--out", filepath.Join(folder, name))
			if err != nil {
				t.Errorf("%v %s", err, out)
			}
			return out
		}
		if out := export("beside"); strings.Contains(out, "removed") || len(found(t, folder, ".never.part-*")) != 1 {
			t.Errorf("beside one that runs: %s", out)
		}
		alive.killed()
		if out := export("after"); !strings.Contains(out, "removed "+one[0]+", which a process that was killed had left") || len(found(t, folder, ".*")) != 0 {
			t.Errorf("after one that was killed: %s", out)
		}
	})
}

// neverBackedUp answers on the socket of a data directory like a service whose backup never ends.
func neverBackedUp(t *testing.T, dir string) (began chan struct{}) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := adminsocket.Open(t.Context(), dir, nil, nil, nil, nil, nil, logging.Discard())
	if err != nil {
		t.Fatal(err)
	}
	began = make(chan struct{})
	s.OfferBackups(endless{began})
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return began
}

// endless is a backup that never ends.
type endless struct{ began chan struct{} }

func (e endless) TakeBackup(context.Context, adminsocket.BackupScope) (adminsocket.Backup, error) {
	close(e.began)
	return e, nil
}

func (e endless) WriteTo(ctx context.Context, _ io.Writer) error {
	<-ctx.Done()
	return ctx.Err()
}

func (endless) Close() error { return nil }

func (endless) End(context.Context, error) {}
