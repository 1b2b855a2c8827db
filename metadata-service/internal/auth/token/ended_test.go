//go:build unix

package token_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/pkg/fault"
)

func endedLine(id string) string {
	return strconv.FormatInt(start.Add(time.Hour).Unix(), 10) + " " + id + "\n"
}

func TestADamagedDenylistIsRepairedAndKeepsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	ids := []string{uuid.NewString(), uuid.NewString(), uuid.NewString()}
	for name, content := range map[string]string{
		"one long line of garbage":       endedLine(ids[0]) + strings.Repeat("x", 200_000) + "\n" + endedLine(ids[1]) + endedLine(ids[2]),
		"a long line that swallowed one": endedLine(ids[0]) + strings.Repeat("\x00", 70_000) + endedLine(ids[1]) + endedLine(ids[2]),
		"lines that lost their ends":     strings.ReplaceAll(endedLine(ids[0])+endedLine(ids[1])+endedLine(ids[2]), "\n", "") + "\n",
		"a line that is no entry":        endedLine(ids[0]) + "hello\n" + endedLine(ids[1]) + endedLine(ids[2]),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			path := filepath.Join(data, "ended-sessions")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			e, err := token.OpenEnded(data, func() time.Time { return start })
			if err != nil {
				t.Fatalf("the start is blocked: %v", err)
			}
			defer e.Close()
			for i, id := range ids {
				if !e.Has(id) {
					t.Errorf("session %d is good again", i)
				}
			}
			stretches, kept := e.Damaged()
			if was, err := os.ReadFile(kept); stretches == 0 || err != nil || string(was) != content {
				t.Errorf("%d damaged stretches, %v; the file as it was is to be kept", stretches, err)
			}
			if err := e.Add(uuid.NewString(), start.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
			again, err := token.OpenEnded(data, func() time.Time { return start })
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if stretches, _ := again.Damaged(); stretches != 0 || !again.Has(ids[2]) {
				t.Errorf("after the repair: %d damaged stretches", stretches)
			}
		})
	}
}

func TestADenylistOnAFullDiskRefusesToForgetASession(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	data, now := t.TempDir(), func() time.Time { return start }
	e, err := token.OpenEnded(data, now)
	if err != nil {
		t.Fatal(err)
	}
	before, during := uuid.NewString(), uuid.NewString()
	if err := e.Add(before, start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	lift := disktest.Full(t, 0)
	if err := e.Add(during, start.Add(time.Hour)); !errors.Is(err, fault.StorageFull) || e.Has(during) {
		t.Errorf("ending a session: got %v, on the list %v", err, e.Has(during))
	}
	if state := e.Condition(); !errors.Is(state.Err, fault.StorageFull) || state.Failures != 1 {
		t.Errorf("condition is %+v", state)
	}
	second, err := token.OpenEnded(data, now)
	if err != nil {
		t.Fatalf("a start on the full disk: %v", err)
	}
	defer second.Close()
	if !second.Has(before) {
		t.Error("a start on the full disk forgot a session")
	}
	lift()
	if err := errors.Join(e.Mend(), second.Mend(), e.Add(during, start.Add(time.Hour))); err != nil || e.Condition().Err != nil {
		t.Errorf("once there is room: %v, condition %+v", err, e.Condition())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}
