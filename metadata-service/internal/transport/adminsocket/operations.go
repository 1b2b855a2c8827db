package adminsocket

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Operations are the operations on a running service; ops.Service implements them.
type Operations interface {
	IndexSizes(ctx context.Context) ([]ops.IndexSize, error)
	RehearseTruncation(ctx context.Context, q ops.Truncation) (ops.Truncated, error)
	Truncate(ctx context.Context, q ops.Truncation) (task.Task, error)
	StartRestore(ctx context.Context, q ops.Selection) (task.Task, error)
	ComputeFeatures(ctx context.Context) (task.Task, error)
	ListTasks(ctx context.Context, q task.Query) (ops.TaskPage, error)
	GetTask(ctx context.Context, id task.ID) (ops.Task, error)
	CancelTask(ctx context.Context, id task.ID) (ops.Task, error)
	WaitTask(ctx context.Context, id task.ID) error
}

// waitPeriod is the time that a request waits for the end of a task, and so the interval at which
// a command shows progress.
const waitPeriod = time.Second

type taskRequest struct{ ID task.ID }

func mountOperations(mux *http.ServeMux, o Operations, log *slog.Logger) {
	mux.Handle("POST /ops/index-sizes", operation(log, func(ctx context.Context, _ noBody) ([]ops.IndexSize, error) { return o.IndexSizes(ctx) }))
	mux.Handle("POST /ops/rehearse-truncation", operation(log, func(ctx context.Context, q ops.Truncation) (ops.Truncated, error) {
		return o.RehearseTruncation(ctx, q)
	}))
	mux.Handle("POST /ops/truncate", operation(log, func(ctx context.Context, q ops.Truncation) (taskRequest, error) {
		t, err := o.Truncate(ctx, q)
		return taskRequest{t.ID}, err
	}))
	mux.Handle("POST /ops/restore-indices", operation(log, func(ctx context.Context, q ops.Selection) (taskRequest, error) {
		t, err := o.StartRestore(ctx, q)
		return taskRequest{t.ID}, err
	}))
	mux.Handle("POST /ops/compute-features", operation(log, func(ctx context.Context, _ noBody) (taskRequest, error) {
		t, err := o.ComputeFeatures(ctx)
		return taskRequest{t.ID}, err
	}))
	mux.Handle("POST /ops/tasks", operation(log, func(ctx context.Context, q task.Query) (ops.TaskPage, error) { return o.ListTasks(ctx, q) }))
	mux.Handle("POST /ops/task", operation(log, func(ctx context.Context, in taskRequest) (ops.Task, error) { return o.GetTask(ctx, in.ID) }))
	mux.Handle("POST /ops/cancel", operation(log, func(ctx context.Context, in taskRequest) (ops.Task, error) { return o.CancelTask(ctx, in.ID) }))
	mux.Handle("POST /ops/wait", operation(log, func(ctx context.Context, in taskRequest) (ops.Task, error) {
		waiting, stop := context.WithTimeout(ctx, waitPeriod)
		defer stop()
		if err := o.WaitTask(waiting, in.ID); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return ops.Task{}, err
		}
		return o.GetTask(ctx, in.ID)
	}))
}

const opsUsage = `Operate a metadata service that runs on this machine.

  ops index-sizes [--json]
        list the indices of the time series, the largest first
  ops truncate --type TYPE --aspect ASPECT --before TIME [--execute] [--batch N]
               [--timeout D] [--force-delete] [--no-wait] [--json]
        count the documents of a time series at or before TIME and, with --execute,
        delete them and release the space; TIME is such as 90d, 2026-01-31 or
        2026-01-31T12:00:00Z
        --force-delete succeeds even if the disk has no space for the compaction
  ops restore-indices [--urn-like PATTERN] [--aspect NAME,...] [--no-wait] [--json]
        rebuild search index and relationships from the stored aspects
  ops compute-features [--no-wait] [--json]
        sum up usage and size of datasets for search and metadata tests, as the
        service does once a day
  ops tasks [--state STATE,...] [--kind KIND,...] [--count N] [--json]
        list tasks, newest first
  ops task ID [--wait] [--json]
        show a task; --wait waits for its end
  ops cancel ID [--json]
        ask a task to stop

Long operations are tasks: they continue when the command is interrupted, and
after a restart of the service. All take --data-dir DIR, the data directory of the
service (default %s).
`

// opsCommand is one run of a sub-command.
type opsCommand struct {
	*command
	json, noWait bool
	client       *Client
}

// RunOps runs a sub-command of "ops" against the running service; args start after "ops". Results
// go to stdout, progress to stderr if it is a terminal. A task that fails is an error. Wrong
// arguments are fault.Malformed. Without arguments, and for help, it prints its usage.
func RunOps(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		_, err := fmt.Fprintf(stdout, opsUsage, defaultDataDir)
		return err
	}
	c := &opsCommand{command: &command{flags: flag.NewFlagSet("ops "+args[0], flag.ContinueOnError), out: stdout, notes: stderr}}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	c.flags.BoolVar(&c.json, "json", false, "")
	runs := map[string]func(context.Context, []string) error{
		"index-sizes": c.indexSizes, "truncate": c.truncate, "restore-indices": c.restore, "compute-features": c.computeFeatures, "tasks": c.tasks, "task": c.task, "cancel": c.cancel,
	}
	run, ok := runs[args[0]]
	if !ok {
		return fault.New(fault.Malformed, "ops %.40s is not a command; there are index-sizes, truncate, restore-indices, compute-features, tasks, task and cancel", args[0])
	}
	err := run(ctx, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(stdout, opsUsage, defaultDataDir)
	}
	return err
}

// begin parses the flags and the operands, and connects to the service.
func (c *opsCommand) begin(ctx context.Context, args []string, operands int) (found []string, err error) {
	if found, err = c.parse(args); err != nil {
		return nil, err
	}
	if len(found) < operands {
		return nil, fault.New(fault.Malformed, "%s needs the id of a task; ops tasks shows them", c.flags.Name())
	}
	c.client, err = c.dial(ctx, found, operands)
	return found, err
}

// print writes a value as JSON, or calls text to format it for people.
func (c *opsCommand) print(value any, text func(io.Writer)) error {
	if c.json {
		return json.NewEncoder(c.out).Encode(value)
	}
	t := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	text(t)
	return t.Flush()
}

func (c *opsCommand) indexSizes(ctx context.Context, args []string) error {
	if _, err := c.begin(ctx, args, 0); err != nil {
		return err
	}
	var sizes []ops.IndexSize
	if err := c.client.call(ctx, "/ops/index-sizes", noBody{}, &sizes); err != nil {
		return err
	}
	return c.print(sizes, func(w io.Writer) {
		fmt.Fprintln(w, "MB\tENTITY TYPE\tASPECT\tINDEX")
		for _, s := range sizes {
			fmt.Fprintf(w, "%.3f\t%s\t%s\t%s\n", s.SizeInMb, s.EntityName, s.AspectName, s.IndexName)
		}
	})
}

func (c *opsCommand) truncate(ctx context.Context, args []string) error {
	entityType := c.flags.String("type", "", "")
	aspect := c.flags.String("aspect", "", "")
	before := c.flags.String("before", "", "")
	execute := c.flags.Bool("execute", false, "")
	batch := c.flags.Int("batch", 0, "")
	timeout := c.flags.Duration("timeout", 0, "")
	force := c.flags.Bool("force-delete", false, "")
	c.flags.BoolVar(&c.noWait, "no-wait", false, "")
	found, err := c.parse(args)
	if err != nil {
		return err
	}
	if *entityType == "" || *aspect == "" || *before == "" {
		return fault.New(fault.Malformed, "ops truncate needs --type, --aspect and --before")
	}
	q := ops.Truncation{EntityType: *entityType, Aspect: *aspect, BatchSize: *batch, TimeoutSeconds: int64(*timeout / time.Second)}
	if q.End, err = parseMoment("--before", *before, time.Now()); err != nil {
		return err
	}
	if *force {
		q.ForceDelete = force
	}
	if c.client, err = c.dial(ctx, found, 0); err != nil {
		return err
	}
	var rehearsed ops.Truncated
	if err := c.client.call(ctx, "/ops/rehearse-truncation", q, &rehearsed); err != nil {
		return err
	}
	if *execute {
		return c.start(ctx, "/ops/truncate", q)
	}
	return c.print(map[string]any{"dryRun": true, "rows": rehearsed.Rows, "total": rehearsed.All}, func(w io.Writer) {
		fmt.Fprintf(w, "%d of %d rows would be deleted; add --execute to do so\n", rehearsed.Rows, rehearsed.All)
	})
}

func (c *opsCommand) restore(ctx context.Context, args []string) error {
	like := c.flags.String("urn-like", "", "")
	aspects := c.flags.String("aspect", "", "")
	c.flags.BoolVar(&c.noWait, "no-wait", false, "")
	if _, err := c.begin(ctx, args, 0); err != nil {
		return err
	}
	var q ops.Selection
	q.URNLike, q.Aspects = *like, splitFlag(*aspects)
	return c.start(ctx, "/ops/restore-indices", q)
}

func (c *opsCommand) computeFeatures(ctx context.Context, args []string) error {
	c.flags.BoolVar(&c.noWait, "no-wait", false, "")
	if _, err := c.begin(ctx, args, 0); err != nil {
		return err
	}
	return c.start(ctx, "/ops/compute-features", noBody{})
}

// splitFlag returns the values of a flag, which are separated by commas.
func splitFlag(text string) []string {
	list := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
	return slices.Clip(list)
}

// start starts a task and waits for its end, unless --no-wait is set.
func (c *opsCommand) start(ctx context.Context, path string, q any) error {
	var started taskRequest
	if err := c.client.call(ctx, path, q, &started); err != nil {
		return err
	}
	if !c.noWait {
		return c.await(ctx, started.ID)
	}
	return c.print(started, func(w io.Writer) { fmt.Fprintln(w, started.ID) })
}

// await shows the progress of a task, and finally the task. It returns an error if the task did
// not succeed.
func (c *opsCommand) await(ctx context.Context, id task.ID) error {
	shown := isTerminal(c.notes)
	for {
		var t ops.Task
		if err := c.client.call(ctx, "/ops/wait", taskRequest{id}, &t); err != nil {
			return err
		}
		if shown {
			fmt.Fprintf(c.notes, "\r\x1b[K%s", progressLine(&t))
		}
		if !t.State.Ended() {
			continue
		}
		if shown {
			fmt.Fprintln(c.notes)
		}
		if err := c.show(&t); err != nil || t.State == task.Succeeded {
			return err
		}
		return fault.New(fault.Conflict, "the task %s %s", t.ID, t.State)
	}
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func progressLine(t *ops.Task) string {
	p := t.Progress
	done := fmt.Sprint(p.Done)
	if p.Total > 0 {
		done = fmt.Sprintf("%d of %d (%.0f%%)", p.Done, p.Total, 100*float64(p.Done)/float64(p.Total))
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s %s", t.Kind, t.State, done, stripControlCharacters(p.Message)))
}

func (c *opsCommand) show(t *ops.Task) error {
	return c.print(t, func(w io.Writer) {
		for _, row := range [][2]string{
			{"id", string(t.ID)}, {"kind", t.Kind}, {"state", string(t.State)}, {"actor", string(t.Actor)}, {"progress", progressLine(t)},
			{"started", formatTime(t.Started)}, {"ended", formatTime(t.Ended)}, {"error", stripControlCharacters(t.Error)}, {"result", stripControlCharacters(string(t.Result))},
		} {
			if row[1] != "" && row[1] != "never" {
				fmt.Fprintf(w, "%s\t%s\n", row[0], row[1])
			}
		}
	})
}

func (c *opsCommand) tasks(ctx context.Context, args []string) error {
	states := c.flags.String("state", "", "")
	kinds := c.flags.String("kind", "", "")
	count := c.flags.Int("count", task.DefaultCount, "")
	if _, err := c.begin(ctx, args, 0); err != nil {
		return err
	}
	q := task.Query{Kinds: splitFlag(*kinds), Count: *count}
	for _, s := range splitFlag(*states) {
		q.States = append(q.States, task.State(s))
	}
	var page ops.TaskPage
	if err := c.client.call(ctx, "/ops/tasks", q, &page); err != nil {
		return err
	}
	return c.print(page, func(w io.Writer) {
		fmt.Fprintln(w, "ID\tKIND\tSTATE\tACTOR\tCREATED\tENDED\tPROGRESS")
		for i := range page.Tasks {
			t := &page.Tasks[i]
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%d/%d\n", t.ID, t.Kind, t.State, t.Actor, formatTime(t.Created), formatTime(t.Ended), t.Progress.Done, t.Progress.Total)
		}
	})
}

func (c *opsCommand) task(ctx context.Context, args []string) error {
	wait := c.flags.Bool("wait", false, "")
	found, err := c.begin(ctx, args, 1)
	if err != nil {
		return err
	}
	if *wait {
		return c.await(ctx, task.ID(found[0]))
	}
	return c.showTask(ctx, "/ops/task", found[0])
}

func (c *opsCommand) cancel(ctx context.Context, args []string) error {
	found, err := c.begin(ctx, args, 1)
	if err != nil {
		return err
	}
	return c.showTask(ctx, "/ops/cancel", found[0])
}

func (c *opsCommand) showTask(ctx context.Context, path, id string) error {
	var t ops.Task
	if err := c.client.call(ctx, path, taskRequest{task.ID(id)}, &t); err != nil {
		return err
	}
	return c.show(&t)
}
