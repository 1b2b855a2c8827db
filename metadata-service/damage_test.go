package main_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// outcome is the result of a start: serving, or refused with its output.
type outcome struct {
	served  bool
	code    int
	printed string
}

// try starts the service with arguments, and stops it again if it serves.
func (p *program) try(tb testing.TB, arguments ...string) outcome {
	tb.Helper()
	var output strings.Builder
	command := exec.Command(p.binary, arguments...)
	command.Env = append(p.environment(), "CARTULARY_LOG_FORMAT=text")
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	healthy := make(chan error, 1)
	go func() { healthy <- p.awaitHealth(ctx) }()
	select {
	case <-ended:
		cancel()
		<-healthy
		return outcome{code: command.ProcessState.ExitCode(), printed: output.String()}
	case err := <-healthy:
		if err != nil {
			_ = command.Process.Kill()
			<-ended
			tb.Fatalf("the start hangs: %s", output.String())
		}
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		tb.Fatal(err)
	}
	<-ended
	return outcome{served: true, code: command.ProcessState.ExitCode(), printed: output.String()}
}

func copyFolder(tb testing.TB, from, to string) {
	tb.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o600)
	})
	if err != nil {
		tb.Fatal(err)
	}
}

func TestAStartOnADamagedStoreServesOrSaysWhatToDo(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	service.start(t)
	w := soakWriter{urn: "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)"}
	for n := range 30 {
		if status, body, err := service.call(http.DefaultClient, http.MethodPost, "/aspects?action=ingestProposalBatch", w.batch(n)); err != nil || status != http.StatusOK {
			t.Fatalf("%d %s %v", status, body, err)
		}
	}
	service.stop(t)
	good := service.data
	store, err := os.ReadFile(filepath.Join(good, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	const pageBytes = 16 << 10
	var written []int
	for n := range len(store) / pageBytes {
		if page := store[n*pageBytes:]; n < 2 || binary.NativeEndian.Uint64(page) == uint64(n) {
			written = append(written, n)
		}
	}
	refused := 0
	const tried = 15 // fewer may all miss the data that a start reads
	for i := 0; i < len(written); i += max(1, len(written)/tried) {
		n := written[i]
		service.data = filepath.Join(t.TempDir(), "data")
		copyFolder(t, good, service.data)
		file := append([]byte(nil), store...)
		clear(file[n*pageBytes : (n+1)*pageBytes])
		if err := os.WriteFile(filepath.Join(service.data, "catalog.db"), file, 0o600); err != nil {
			t.Fatal(err)
		}
		got := service.try(t)
		if strings.Contains(got.printed, "goroutine ") || strings.Contains(got.printed, "panic:") {
			t.Errorf("page %d: a stack trace: %s", n, got.printed)
		}
		if got.served {
			continue
		}
		refused++
		for _, want := range []string{"catalog.db is damaged", "metadata-service verify", "from a backup"} {
			if got.code != 1 || !strings.Contains(got.printed, want) {
				t.Errorf("page %d: code %d, %q is not in: %s", n, got.code, want, got.printed)
			}
		}
		if output, ok := service.verify(t); ok || !strings.Contains(output, fmt.Sprintf("catalog.db: page %d: ", n)) && !strings.Contains(output, "damaged") {
			t.Errorf("page %d: verify says %s", n, output)
		}
	}
	if refused == 0 {
		t.Error("no damage was noticed")
	}
	t.Logf("%d starts were refused", refused)
}

func TestAStartIsNotBlockedByADamagedDenylistOfAnEarlierVersion(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	service.start(t)
	service.stop(t)
	f, err := os.OpenFile(filepath.Join(service.data, "ended-sessions"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, strings.Repeat("x", 100_000)+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := service.try(t); !got.served || !strings.Contains(got.printed, "session denylist of an earlier version was damaged") {
		t.Errorf("got %+v", got)
	}
	if got := service.try(t); !got.served || strings.Contains(got.printed, "damaged") {
		t.Errorf("after the repair: %+v", got)
	}
}
