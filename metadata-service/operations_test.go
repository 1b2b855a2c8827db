package main_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// operations returns the arguments of the commands in docs/operations.md.
func operations(t *testing.T) (commands [][]string) {
	t.Helper()
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```sh"
		case inside:
			words := strings.Fields(line)
			if words[0] != "metadata-service" {
				t.Errorf("unknown command %q", line)
			}
			commands = append(commands, words[1:])
		}
	}
	return commands
}

func TestCommandsOfTheOperationsPageDoWhatItSays(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	service.start(t)
	service.stop(t)
	ran, backups := map[string]bool{}, t.TempDir()
	// here replaces the folders of the page by folders of this test.
	here := func(arguments []string) (own []string) {
		for _, a := range arguments {
			if a == "data" {
				a = service.data
			}
			own = append(own, strings.Replace(a, "/backups", backups, 1))
		}
		return own
	}
	for _, arguments := range operations(t) {
		name := arguments[0]
		ran[name] = true
		switch name {
		case "--accept":
			if err := os.Remove(filepath.Join(service.data, "catalog.db")); err != nil {
				t.Fatal(err)
			}
			if got := service.try(t); got.served || got.code != 1 || !strings.Contains(got.printed, strings.Join(arguments, " ")) {
				t.Errorf("without the flag: %+v", got)
			}
			if got := service.try(t, arguments...); !got.served {
				t.Errorf("%v: %+v", arguments, got)
			}
		case "backup", "export":
			service.start(t)
			service.run(t, here(arguments))
			service.stop(t)
		case "restore":
			service.run(t, here(arguments))
			service.wantVerified(t)
		case "verify":
			service.run(t, here(arguments))
		case "token":
			service.token = "" // it belonged to the lost catalog
			service.start(t)
			service.run(t, arguments)
			service.stop(t)
		default:
			t.Errorf("no scenario runs %v", arguments)
		}
	}
	for _, name := range []string{"--accept", "backup", "export", "restore", "verify", "token"} {
		if !ran[name] {
			t.Errorf("the page has no command %s", name)
		}
	}
}

// run runs a sub-command, which must succeed.
func (p *program) run(t *testing.T, arguments []string) {
	t.Helper()
	command := exec.Command(p.binary, arguments...)
	command.Env = p.environment()
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", arguments, err, out)
	}
}

func TestAFirstStartThatIsKilledGoesOnWithoutAFlag(t *testing.T) {
	t.Parallel()
	service := buildProgram(t)
	for _, made := range []string{"data-format", "catalog.db", "timeseries", "secrets", "secrets/token-salt", "secrets/session", "secrets/sealing-key"} {
		service.data = filepath.Join(t.TempDir(), "data")
		command := exec.Command(service.binary)
		command.Env = service.environment()
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		awaitFile(t, filepath.Join(service.data, made))
		_ = command.Process.Kill()
		_ = command.Wait()
		if got := service.try(t); !got.served {
			t.Errorf("killed when it had made %s: %+v", made, got)
		}
	}
}

func awaitFile(t *testing.T, path string) {
	t.Helper()
	deadline, tick := time.After(time.Minute), time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s was not made", path)
		}
	}
}
