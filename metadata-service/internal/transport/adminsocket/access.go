package adminsocket

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"text/tabwriter"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Access explains authorization decisions; access.Service implements it.
type Access interface {
	Explain(ctx context.Context, q access.Question) (access.Answer, error)
	Report(ctx context.Context) (access.Report, error)
}

func mountAccess(mux *http.ServeMux, a Access, log *slog.Logger) {
	mux.Handle("POST /access/explain", operation(log, func(ctx context.Context, q access.Question) (access.Answer, error) { return a.Explain(ctx, q) }))
	mux.Handle("POST /access/report", operation(log, func(ctx context.Context, _ noBody) (access.Report, error) { return a.Report(ctx) }))
}

// Explain returns the decision whether an actor may perform an operation, with the reasons.
func (c *Client) Explain(ctx context.Context, q access.Question) (answer access.Answer, err error) {
	err = c.call(ctx, "/access/explain", q, &answer)
	return answer, err
}

// Report lists the operations that users and tokens can no longer perform.
func (c *Client) Report(ctx context.Context) (r access.Report, err error) {
	err = c.call(ctx, "/access/report", noBody{}, &r)
	return r, err
}

const accessUsage = `Explain privileges in a metadata service that runs on this machine.

  access explain --actor NAME|URN --privilege P [--resource URN | --type TYPE]
        explain whether a user may do something, which policy allows it or why
        none does; P may be several, separated by commas, of which one suffices
        --operation OP [--aspect ASPECT] in place of --privilege checks like an
        interface does: CREATE, READ, UPDATE, DELETE, EXECUTE, EXISTS, MANAGE
  access report
        list the privileges that users and access tokens lost when policies
        were enforced, and how to grant them

All take --data-dir DIR, the data directory of the service (default %s).
`

// RunAccess runs "access explain" or "access report" against the running service; args start
// after "access". Wrong arguments are fault.Malformed. Without arguments, and for help, it prints
// its usage.
func RunAccess(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		_, err := fmt.Fprintf(stdout, accessUsage, defaultDataDir)
		return err
	}
	c := &command{flags: flag.NewFlagSet("access "+args[0], flag.ContinueOnError), out: stdout, notes: stderr}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	runs := map[string]func(context.Context, []string) error{"explain": c.explain, "report": c.report}
	run, ok := runs[args[0]]
	if !ok {
		return fault.New(fault.Malformed, "access %.40s is not a command; there are explain and report", args[0])
	}
	err := run(ctx, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(stdout, accessUsage, defaultDataDir)
	}
	return err
}

func (c *command) explain(ctx context.Context, args []string) error {
	actor := c.flags.String("actor", "", "")
	privileges := c.flags.String("privilege", "", "")
	operation := c.flags.String("operation", "", "")
	aspect := c.flags.String("aspect", "", "")
	resource := c.flags.String("resource", "", "")
	entityType := c.flags.String("type", "", "")
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	switch {
	case *actor == "":
		return fault.New(fault.Malformed, "access explain needs --actor, the user whose access it explains")
	case (*privileges == "") == (*operation == ""):
		return fault.New(fault.Malformed, "access explain needs either --privilege or --operation")
	}
	q := access.Question{Actor: userURN(*actor), Operation: auth.Operation(*operation), Aspect: *aspect, Resource: urn.URN(*resource), Type: *entityType}
	for p := range strings.SplitSeq(*privileges, ",") {
		if p = strings.TrimSpace(p); p != "" {
			q.Privileges = append(q.Privileges, auth.Privilege(p))
		}
	}
	answer, err := client.Explain(ctx, q)
	if err != nil {
		return err
	}
	return writeAnswer(c.out, answer)
}

func writeAnswer(w io.Writer, a access.Answer) error {
	verdict := "refused"
	if a.Allowed {
		verdict = "allowed"
	}
	if _, err := fmt.Fprintf(w, "%s: %s\nactor: %s, groups: %s, roles: %s\nneeded: one of %s\n", verdict, stripControlCharacters(a.Reason), a.Actor, joinNames(a.Groups), joinNames(a.Roles), joinNames(a.Needed)); err != nil {
		return err
	}
	if len(a.Policies) == 0 {
		_, err := fmt.Fprintln(w, "no policy names such a privilege")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "POLICY\tNAME\tVERDICT\tPRIVILEGES")
	for _, v := range a.Policies {
		applies := v.Reason
		if v.Applies {
			applies = "applies"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", stripControlCharacters(v.URN.Key()), stripControlCharacters(v.Name), applies, joinNames(v.Privileges))
	}
	return t.Flush()
}

func (c *command) report(ctx context.Context, args []string) error {
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	r, err := client.Report(ctx)
	if err != nil {
		return err
	}
	return writeReport(c.out, r)
}

func writeReport(w io.Writer, r access.Report) error {
	var b strings.Builder
	switch {
	case r.Off:
		b.WriteString("policies are not enforced: every signed-in user may do everything\n")
	case r.Empty():
		fmt.Fprintf(&b, "%d users and all access tokens lost no privileges when policies were enforced\n", r.Users)
	}
	for _, l := range r.Losses {
		fmt.Fprintf(&b, "%d of %d users can no longer %s (such as %s)\n", l.Users, r.Users, l.What, joinNames(l.Examples))
		if len(l.Types) > 0 {
			fmt.Fprintf(&b, "    all or some of these entity types: %s\n", strings.Join(l.Types, ", "))
		}
		fmt.Fprintf(&b, "    grant %s by a policy, or give them a role\n", joinNames(l.Privileges))
	}
	for _, t := range r.Tokens {
		fmt.Fprintf(&b, "access tokens of %s (%s) can no longer write %d entity types: %s\n    grant CREATE_ENTITY and EDIT_ENTITY by a policy for %s\n",
			t.Actor, stripControlCharacters(strings.Join(t.Tokens, ", ")), len(t.Types), strings.Join(t.Types, ", "), t.Actor)
	}
	for _, m := range r.Memberships {
		fmt.Fprintf(&b, "%s has %s by %s: %s wrote that before policies were enforced; remove it if it was not intended\n", m.Holder, joinNames(m.Of), m.What, m.By)
	}
	if !r.Complete {
		fmt.Fprintf(&b, "there are more users; only the first %d were looked at\n", r.Users)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// joinNames formats a list of names for people.
func joinNames[T ~string](list []T) string {
	if len(list) == 0 {
		return "none"
	}
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = stripControlCharacters(string(n))
	}
	return strings.Join(texts, ", ")
}
