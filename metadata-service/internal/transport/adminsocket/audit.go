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
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	auditWait  = 2 * time.Second // longest wait for events in one request; the service waits for it when it stops
	auditPage  = 1000
	auditLimit = 1000
)

// Events is the audit log; audit.Log implements it.
type Events interface {
	Find(ctx context.Context, q audit.Query, countTo int) (audit.Found, error)
	Follow(ctx context.Context, after uint64) (audit.Arrived, error)
	Now() uint64
}

// followRequest requests the events stored after a position; without one, the current position.
type followRequest struct{ After *uint64 }

func mountAudit(mux *http.ServeMux, events Events, log *slog.Logger) {
	mux.Handle("POST /audit/find", operation(log, func(ctx context.Context, q audit.Query) (audit.Found, error) {
		return events.Find(ctx, q, 0)
	}))
	mux.Handle("POST /audit/follow", operation(log, func(ctx context.Context, in followRequest) (audit.Arrived, error) {
		if in.After == nil {
			return audit.Arrived{UpTo: events.Now()}, nil
		}
		ctx, stop := context.WithTimeout(ctx, auditWait)
		defer stop()
		return events.Follow(ctx, *in.After)
	}))
}

const auditUsage = `Show the audit log of a metadata service that runs on this machine.

  audit [--since 24h] [--until TIME] [--actor NAME|URN] [--type TYPE,...]
        [--entity URN] [--limit 1000] [--json] [--follow]

Events are printed oldest first, at most the newest --limit. A TIME is 2026-01-31,
2026-01-31T12:00:00Z, or a period before now such as 90m, 24h or 7d. --follow continues
with new events until it is interrupted. --json writes one JSON object per line.

Types: %s

--data-dir DIR is the data directory of the service (default %s).
`

// auditFlags are the flags of the sub-command.
type auditFlags struct {
	since, until, actor, types, entity string
	limit                              int
	json, follow                       bool
}

// RunAudit runs the sub-command "audit" against the running service. Events go to stdout, notes
// to stderr. Wrong arguments are fault.Malformed.
func RunAudit(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	c := &command{flags: flag.NewFlagSet("audit", flag.ContinueOnError), out: stdout, notes: stderr}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	var in auditFlags
	c.flags.StringVar(&in.since, "since", "24h", "")
	c.flags.StringVar(&in.until, "until", "", "")
	c.flags.StringVar(&in.actor, "actor", "", "")
	c.flags.StringVar(&in.types, "type", "", "")
	c.flags.StringVar(&in.entity, "entity", "", "")
	c.flags.IntVar(&in.limit, "limit", auditLimit, "")
	c.flags.BoolVar(&in.json, "json", false, "")
	c.flags.BoolVar(&in.follow, "follow", false, "")
	if len(args) > 0 && args[0] == "help" {
		args = []string{"-h"}
	}
	client, _, err := c.connect(ctx, args, 0)
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(stdout, auditUsage, typeNames(), defaultDataDir)
		return err
	}
	if err != nil {
		return err
	}
	q, err := in.query(time.Now())
	if err != nil {
		return err
	}
	return c.audit(ctx, client, q, in)
}

func typeNames() string {
	var names []string
	for _, t := range audit.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

func (in *auditFlags) query(now time.Time) (audit.Query, error) {
	q := audit.Query{Limit: in.limit}
	var err error
	if q.From, err = parseMoment("--since", in.since, now); err != nil {
		return q, err
	}
	if q.To, err = parseMoment("--until", in.until, now); err != nil {
		return q, err
	}
	if in.limit < 1 {
		return q, fault.New(fault.Malformed, "--limit must be at least 1, is %d", in.limit)
	}
	if in.follow && in.until != "" {
		return q, fault.New(fault.Malformed, "--follow goes on for ever; leave out --until")
	}
	if in.actor != "" {
		q.Actors = []urn.URN{userURN(in.actor)}
	}
	if in.entity != "" {
		q.Entities = []urn.URN{urn.URN(in.entity)}
	}
	for name := range strings.SplitSeq(in.types, ",") {
		if name == "" {
			continue
		}
		if !audit.Type(name).Known() {
			return q, fault.New(fault.Malformed, "--type %.60q is none of %s", name, typeNames())
		}
		q.Types = append(q.Types, audit.Type(name))
	}
	return q, nil
}

// parseMoment parses a day, a time, or a period before now, and returns epoch milliseconds; 0 for
// an empty text.
func parseMoment(name, text string, now time.Time) (int64, error) {
	if text == "" {
		return 0, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return max(0, at.UnixMilli()), nil
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return max(0, now.AddDate(0, 0, -n).UnixMilli()), nil
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return max(0, now.Add(-ago).UnixMilli()), nil
	}
	return 0, fault.New(fault.Malformed, "%s %.60q is no time; use one such as 2026-01-31, 2026-01-31T12:00:00Z, 24h or 7d", name, text)
}

// audit prints the stored events and, with follow, the new ones. It requests the position to
// follow from first, so that no event is lost between the two requests.
func (c *command) audit(ctx context.Context, client *Client, q audit.Query, in auditFlags) error {
	var from audit.Arrived
	if in.follow {
		if err := client.call(ctx, "/audit/follow", followRequest{}, &from); err != nil {
			return err
		}
	}
	events, err := client.events(ctx, q)
	if err != nil {
		return err
	}
	if len(events) == q.Limit && !in.follow {
		fmt.Fprintf(c.notes, "the newest %d events; --limit shows more, --until older ones\n", q.Limit)
	}
	slices.Reverse(events)
	if err := c.show(events, in.json); err != nil || !in.follow {
		return err
	}
	shown := map[audit.Place]bool{}
	for i := range events {
		shown[events[i].Place()] = true
	}
	return c.follow(ctx, client, q, in.json, from.UpTo, shown)
}

func (c *command) follow(ctx context.Context, client *Client, q audit.Query, asJSON bool, after uint64, shown map[audit.Place]bool) error {
	for {
		var arrived audit.Arrived
		err := client.call(ctx, "/audit/follow", followRequest{After: &after}, &arrived)
		if ctx.Err() != nil {
			return nil // interrupted, the regular end
		}
		if err != nil {
			return err
		}
		if arrived.Missed > 0 {
			fmt.Fprintf(c.notes, "%d events came too fast to be shown; call audit without --follow for them\n", arrived.Missed)
		}
		fresh := slices.DeleteFunc(arrived.Events, func(e audit.Event) bool { return !q.Selects(&e) || shown[e.Place()] })
		if err := c.show(fresh, asJSON); err != nil {
			return err
		}
		after = arrived.UpTo
	}
}

// events returns the newest events of a query, newest first, at most q.Limit.
func (c *Client) events(ctx context.Context, q audit.Query) ([]audit.Event, error) {
	var all []audit.Event
	for want := q.Limit; len(all) < want; {
		q.Limit = min(auditPage, want-len(all))
		var page audit.Found
		if err := c.call(ctx, "/audit/find", q, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Events...)
		if len(page.Events) < q.Limit {
			break
		}
		place := all[len(all)-1].Place()
		q.After = &place
	}
	return all, nil
}

func (c *command) show(events []audit.Event, asJSON bool) error {
	if asJSON {
		out := json.NewEncoder(c.out)
		for i := range events {
			if err := out.Encode(&events[i]); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for i := range events {
		e := &events[i]
		if _, err := fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", time.UnixMilli(e.Time).UTC().Format("2006-01-02T15:04:05.000Z"), e.Type, stripControlCharacters(e.Actor.Key()), describe(e)); err != nil {
			return err
		}
	}
	return t.Flush()
}

// describe formats the remaining known members of an event.
func describe(e *audit.Event) string {
	var words []string
	for _, part := range []struct{ name, text string }{
		{"", string(e.Entity)}, {"", e.Aspect}, {"", e.Operation}, {"", e.Reason}, {"needs", e.Privileges}, {"denied", e.Denial}, {"by", e.LoginSource},
		{"from", e.Address}, {"through", e.Source}, {"token", e.Token}, {"request", e.Request}, {"run", e.Run}, {"origin", e.Origin},
	} {
		switch {
		case part.text == "":
		case part.name == "":
			words = append(words, stripControlCharacters(part.text))
		default:
			words = append(words, part.name+"="+stripControlCharacters(part.text))
		}
	}
	if e.Count > 0 {
		words = append(words, fmt.Sprintf("count=%d", e.Count))
	}
	return strings.Join(words, " ")
}
