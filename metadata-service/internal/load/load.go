package load

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Limits of the options; MaxItemBytes is the maximum size of an item in a file.
const (
	MaxItemBytes   = 16 << 20
	MaxBatch       = 1000
	MaxConnections = 32
)

// defaultBatchBytes is well below the body limits of servers.
const defaultBatchBytes = 8 << 20

// Options configures a load. Server, Paths, Batch, Connections and Run are required. The last group
// of fields, from BatchBytes on, has defaults.
type Options struct {
	Server      string   // base URL, for example http://127.0.0.1:9002/api/gms
	Token       string   // access token, empty for a server without authentication
	Paths       []string // files, - for the input, or directories whose *.json and *.json.gz files are loaded in order of name
	Batch       int      // proposals in one request
	Connections int      // maximum number of concurrent requests
	Run         string   // run id that the server records for all writes
	ShiftToNow  bool     // move times by whole days so that the newest is less than a day old

	// Continue continues after refused items. Refused is called for each of them, one at a time.
	Continue bool
	Refused  func(*Refusal)
	// DryRun writes nothing and determines the changes that a load would cause. It requires
	// Registry.
	DryRun   bool
	Registry *model.Registry
	Input    io.Reader // the standard input, for the path -

	BatchBytes int                                        // bytes of one request, a larger item is sent alone; default 8 MiB
	HTTP       *http.Client                               // default: a client with a timeout of two minutes
	Now        func() time.Time                           // default: time.Now
	Wait       func(context.Context, time.Duration) error // pause before a retry; default: a timer
	Progress   Progress                                   // default: silent
	Notes      io.Writer                                  // receives messages about removed files of killed imports; default: none
}

// Progress receives the progress of a load. Calls come from several goroutines, one at a time.
type Progress interface {
	Start(files, items int)    // once, before the first item is sent
	File(name string)          // before the first item of each file
	Sent(items int)            // after the server accepted that many items
	Retry(after time.Duration) // before a pause
	Finish()                   // once, at the end, also after a failed load
}

// Summary counts the items that the server accepted, also after a load that failed midway.
type Summary struct {
	Files    int
	Items    int
	Aspects  int
	Entities int // distinct URNs
	// Estimated is set if there were too many URNs to count exactly. Entities may then be off by
	// about a percent.
	Estimated bool
	Refused   int // items
	Took      time.Duration
	// Changes is the result of a dry run, otherwise nil.
	Changes *Changes
}

// Load sends all files and returns the accepted items. It stops at the first item that the server
// refuses, unless Options.Continue is set; earlier writes stay. A load may be repeated: writing the
// same value again changes nothing.
//
// A *Refusal identifies the refused item and contains the cause. Unreadable files and invalid
// options are errors of kind fault.Invalid, an unavailable server is fault.Unavailable.
func Load(ctx context.Context, opts Options) (sum Summary, err error) {
	opts = opts.withDefaults()
	server, err := opts.check()
	if err != nil {
		return Summary{}, err
	}
	start := opts.Now()
	spooled, drop, err := spool(opts.Paths, opts.Input, opts.Notes)
	if err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	files, err := expand(opts.Paths, spooled)
	if err != nil {
		return Summary{}, err
	}
	if files, err = scanSources(ctx, files, opts.ShiftToNow, opts.Continue); err != nil {
		return Summary{}, err
	}
	var shift int64
	if opts.ShiftToNow {
		shift = wholeDays(newest(files), start)
	}

	progress := &lockedProgress{to: opts.Progress}
	progress.Start(len(files), items(files))
	defer progress.Finish()

	s := newSender(newClient(server, opts, progress), opts, progress)
	for _, f := range files {
		progress.File(f.path)
		if err = s.file(ctx, f, shift); err != nil {
			break
		}
		sum.Files++
	}
	sum.Items, sum.Aspects, sum.Entities, sum.Estimated = s.totals()
	sum.Refused = s.refused
	if opts.DryRun {
		sum.Changes = s.changes()
	}
	sum.Took = opts.Now().Sub(start)
	return sum, err
}

func (o Options) withDefaults() Options {
	if o.BatchBytes == 0 {
		o.BatchBytes = defaultBatchBytes
	}
	if o.HTTP == nil {
		o.HTTP = defaultHTTP()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = pause
	}
	if o.Refused == nil {
		o.Refused = func(*Refusal) {}
	}
	if o.Progress == nil {
		o.Progress = noProgress{}
	}
	return o
}

// check returns the server's address, or an error for the first invalid option.
func (o Options) check() (*url.URL, error) {
	server, err := url.Parse(o.Server)
	switch {
	case len(o.Paths) == 0:
		return nil, fault.New(fault.Invalid, "name at least one file or directory to load")
	case err != nil || server.Host == "" || (server.Scheme != "http" && server.Scheme != "https"):
		return nil, fault.New(fault.Invalid, "server: want an http or https URL such as http://127.0.0.1:9002/api/gms")
	case server.User != nil:
		return nil, fault.New(fault.Invalid, "server: leave credentials out of the URL and use a token")
	case server.RawQuery != "" || server.Fragment != "":
		return nil, fault.New(fault.Invalid, "server: remove the query (?) and the fragment (#) from the URL")
	case o.DryRun && o.Registry == nil:
		return nil, fault.New(fault.Internal, "a dry run needs the model")
	case o.Batch < 1 || o.Batch > MaxBatch:
		return nil, fault.New(fault.Invalid, "batch: want 1 to %d, got %d", MaxBatch, o.Batch)
	case o.Connections < 1 || o.Connections > MaxConnections:
		return nil, fault.New(fault.Invalid, "connections: want 1 to %d, got %d", MaxConnections, o.Connections)
	case strings.TrimSpace(o.Run) == "" || len(o.Run) > 200:
		return nil, fault.New(fault.Invalid, "run: want a run id of 1 to 200 bytes")
	case strings.ContainsAny(o.Token, "\r\n"):
		return nil, fault.New(fault.Invalid, "token: must not contain a line break")
	}
	return server, nil
}
