package load_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/disk/disktest"
	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestACopyOfTheInputAndAReportOnFullDisksSayWhichDiskItIs(t *testing.T) {
	if !disktest.Alone(t) {
		return
	}
	c := newFakeCatalog(t)
	c.refuse = "urn:li:tag:bad"
	text := "[" + tagItem("urn:li:tag:bad", strings.Repeat("x", 5000)) + "]"
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	opts := options(c, "-")
	opts.Input = strings.NewReader(text)
	lift := disktest.Full(t, 1000)
	_, err := load.Load(t.Context(), opts)
	lift()
	if fault.KindOf(err) != fault.StorageFull || !strings.Contains(err.Error(), "copy the standard input to "+folder+", which TMPDIR names: a file of "+folder+" would pass") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("there is %v, %v", left, err)
	}
	reports := t.TempDir()
	report, file := filepath.Join(reports, "refused.jsonl"), writeFile(t, t.TempDir(), "tags.json", text)
	var stdout, stderr bytes.Buffer
	lift = disktest.Full(t, 10)
	err = load.Run(t.Context(), []string{"--server", c.base(), "--token", "x", "--continue-on-error", "--report", report, file}, &stdout, &stderr)
	lift()
	if err == nil || !strings.Contains(err.Error(), "report: not all of "+report+" was written: a file of "+reports+" would pass") || !strings.Contains(err.Error(), "1 items were refused") {
		t.Errorf("got %v", err)
	}
}
