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

// Limits of the options; MaxItemBytes is the largest item a file may hold.
const (
	MaxItemBytes   = 16 << 20
	MaxBatch       = 1000
	MaxConnections = 32
)

// defaultBatchBytes stays well below what servers take in one body.
const defaultBatchBytes = 8 << 20

// Options says what to load and where to. Server, Paths, Batch, Connections
// and Run are required; what stands below the gap has defaults.
type Options struct {
	Server      string   // base URL, for example http://127.0.0.1:9002/api/gms
	Token       string   // access token, empty for a server that asks for none
	Paths       []string // files, - for the input, or directories whose *.json and *.json.gz files are taken in order of name
	Batch       int      // proposals in one request
	Connections int      // requests under way at the same time
	Run         string   // run id the server notes on everything that is written
	ShiftToNow  bool     // move times by whole days so that the newest is less than a day old

	// Continue goes on behind items that are refused, which Refused hears of, one at a time.
	Continue bool
	Refused  func(*Refusal)
	// DryRun writes nothing and finds out what would be written. Registry is required for it.
	DryRun   bool
	Registry *model.Registry
	Input    io.Reader // the standard input, for the path -

	BatchBytes int                                        // bytes of one request, a larger item travels alone; default 8 MiB
	HTTP       *http.Client                               // default: a client with a timeout of two minutes
	Now        func() time.Time                           // default: time.Now
	Wait       func(context.Context, time.Duration) error // pause before a retry; default: a timer
	Progress   Progress                                   // default: silent
	Notes      io.Writer                                  // hears what killed imports left and was removed; default: nobody
}

// Progress hears how the load goes on. Calls come from several goroutines, one at a time.
type Progress interface {
	Start(files, items int)    // once, before the first item is sent
	File(name string)          // before the first item of each file
	Sent(items int)            // after the server took that many items
	Retry(after time.Duration) // before a pause
	Finish()                   // once, at the end, also of a failed load
}

// Summary is what the server took, complete also when the load failed midway.
type Summary struct {
	Files    int
	Items    int
	Aspects  int
	Entities int // distinct URNs
	// Estimated is set when there were too many URNs to remember, and Entities may be off by a
	// percent.
	Estimated bool
	Refused   int // items
	Took      time.Duration
	// Changes is what a dry run has found, nil otherwise.
	Changes *Changes
}

// Load sends all files and returns what was accepted. It stops at the first
// item the server refuses, unless it is to continue; what was written before stays. A
// load may be repeated: writing the same value again changes nothing.
//
// A *Refusal tells which item was refused and why. Unreadable files and bad
// options are fault.Invalid, a server that stays away is fault.Unavailable.
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

// check reports the first bad option, and otherwise the server's address.
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
		return nil, fault.New(fault.Invalid, "server: leave out what follows ? or #")
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
