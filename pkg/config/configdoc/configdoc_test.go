package configdoc_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/pkg/config/configdoc"
	"github.com/cartulary/cartulary/pkg/config/configdoc/configdoctest"
)

func settings() *configdoctest.Settings {
	s := configdoctest.Settings{Listen: "127.0.0.1:1", Wait: 90 * time.Minute}
	s.Log.Names = []string{"a", "b"}
	s.Rest.Text = "#1"
	return &s
}

func TestAFileIsDerivedFromTheStruct(t *testing.T) {
	t.Parallel()
	got, err := configdoc.File("Settings of a program.\n  program --config file", settings(), "../../..")
	if err != nil {
		t.Fatal(err)
	}
	const want = `# Settings of a program.
#   program --config file

# listen is the address, which wait_for does not concern.
listen: 127.0.0.1:1
wait_for: 1h30m  # no longer than a day
# secret: ""
file: ./file

# Settings of the log. Names is no key here.
log:
  # names lists the names that are printed, in the order in which they are given here, at least one
  # of them.
  names: [a, b]
  # Also LEVEL.
  # level: high

rest:
  # text needs quotes.
  text: "#1"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestVariablesAreListed(t *testing.T) {
	t.Parallel()
	names := configdoc.Variables(settings())
	want := []string{"CARTULARY_LISTEN", "CARTULARY_WAIT_FOR", "CARTULARY_SECRET", "CARTULARY_FILE", "CARTULARY_LOG_NAMES", "CARTULARY_LOG_LEVEL", "CARTULARY_REST_TEXT"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if file := configdoc.GoFile("p", "All", "lists all.", names[:1]); !strings.Contains(file, "package p\n\n// All lists all.\nvar All = []string{\n\t\"CARTULARY_LISTEN\",\n}") {
		t.Errorf("got %s", file)
	}
}
