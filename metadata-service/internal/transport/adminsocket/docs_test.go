package adminsocket_test

import (
	"os"
	"strings"
	"testing"
)

func TestTheCommandsOfThePageWork(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../../docs/api/tokens.md")
	check(t, err)
	dir, service := dataDir(t), tokens(t)
	run(t, dir, service)
	id, commands := "", 0
	for line := range strings.Lines(string(page)) {
		arguments, ok := strings.CutPrefix(strings.TrimSpace(line), "metadata-service token ")
		if !ok {
			continue
		}
		commands++
		args := strings.Fields(strings.ReplaceAll(arguments, "ID", id))
		out, _, err := command(t, dir, args...)
		if err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(line), err)
		}
		if args[0] == "create" {
			v, err := service.Verify(t.Context(), strings.TrimSpace(out))
			check(t, err)
			id = v.ID
		}
	}
	if commands < 5 {
		t.Errorf("the page shows %d commands", commands)
	}
}
