package load_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
)

func TestBarRedrawsOneLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	bar := load.NewBar(&out)
	bar.Start(1, 48)
	bar.File("deploy/demo/a-file-with-a-rather-long\x1bname.json")
	bar.Sent(12)
	bar.Retry(1500 * time.Millisecond)
	bar.Sent(36)
	bar.Finish()

	empty, quarter, full := strings.Repeat(" ", 24), strings.Repeat("=", 6)+strings.Repeat(" ", 18), strings.Repeat("=", 24)
	want := "\r[" + empty + "] 0/48 …le-with-a-rather-long name.json\x1b[K" +
		"\r[" + quarter + "] 12/48 …le-with-a-rather-long name.json\x1b[K" +
		"\r[" + quarter + "] 12/48 waiting 1.5s for the server\x1b[K" +
		"\r[" + full + "] 48/48 …le-with-a-rather-long name.json\x1b[K" +
		"\r[" + full + "] 48/48 \x1b[K\n"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}
