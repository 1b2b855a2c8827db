package adminsocket

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const usage = `Manage access tokens of a metadata service that runs on this machine.

  token create --actor NAME|URN --name TEXT [--duration D] [--description TEXT]
        make a token and print it; it cannot be shown again
        D: ONE_HOUR, ONE_DAY, ONE_WEEK, ONE_MONTH (default), THREE_MONTHS,
           SIX_MONTHS, ONE_YEAR, NO_EXPIRY, or a period such as P30D or PT12H
  token list [--actor NAME|URN]
        list tokens, newest first
  token revoke ID
        make a token worthless at once
  token rotate-key [--keep 24h]
        sign with a new key; tokens signed so far stay good for that time only

All take --data-dir DIR, the data directory of the service (default %s).
`

const (
	defaultDuration = "ONE_MONTH"
	defaultKeep     = 24 * time.Hour
)

// command is one run of a sub-command.
type command struct {
	flags   *flag.FlagSet
	dataDir string
	out     io.Writer
	notes   io.Writer
}

// RunCommand runs "token create", "token list", "token revoke" or "token
// rotate-key" against the running service; args start after "token". Results
// go to stdout, remarks to stderr. Wrong arguments are fault.Malformed.
// Without arguments, and for help, it prints how to use it.
func RunCommand(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		_, err := fmt.Fprintf(stdout, usage, defaultDataDir)
		return err
	}
	c := &command{flags: flag.NewFlagSet("token "+args[0], flag.ContinueOnError), out: stdout, notes: stderr}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	runs := map[string]func(context.Context, []string) error{
		"create": c.create, "list": c.list, "revoke": c.revoke, "rotate-key": c.rotate,
	}
	run, ok := runs[args[0]]
	if !ok {
		return fault.New(fault.Malformed, "token %.40s is not a command; there are create, list, revoke and rotate-key", args[0])
	}
	err := run(ctx, args[1:])
	if errors.Is(err, flag.ErrHelp) {
		_, err = fmt.Fprintf(stdout, usage, defaultDataDir)
	}
	return err
}

func (c *command) create(ctx context.Context, args []string) error {
	actor := c.flags.String("actor", "", "")
	name := c.flags.String("name", "", "")
	description := c.flags.String("description", "", "")
	duration := c.flags.String("duration", defaultDuration, "")
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	switch {
	case *actor == "":
		return fault.New(fault.Malformed, "token create needs --actor, the user whom the token represents")
	case *name == "":
		return fault.New(fault.Malformed, "token create needs --name, by which you find the token again")
	}
	text, info, err := client.Create(ctx, *actor, *name, *description, *duration)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c.notes, "token %s for %s, expires: %s\n", info.ID, info.Actor, moment(info.ExpiresAt)); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, text)
	return err
}

func (c *command) list(ctx context.Context, args []string) error {
	actor := c.flags.String("actor", "", "")
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	infos, err := client.List(ctx, *actor)
	if err != nil {
		return err
	}
	return table(c.out, infos)
}

func (c *command) revoke(ctx context.Context, args []string) error {
	client, ids, err := c.connect(ctx, args, 1)
	if err != nil {
		return err
	}
	if err := client.Revoke(ctx, ids[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.notes, "revoked")
	return err
}

func (c *command) rotate(ctx context.Context, args []string) error {
	keep := c.flags.Duration("keep", defaultKeep, "")
	client, _, err := c.connect(ctx, args, 0)
	if err != nil {
		return err
	}
	if err := client.RotateKey(ctx, *keep); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.notes, "signing with a new key; tokens signed before are refused after %s\n", *keep)
	return err
}

// connect reads the flags, which may stand before and after the operands, and
// finds the service.
func (c *command) connect(ctx context.Context, args []string, operands int) (*Client, []string, error) {
	var found []string
	for {
		if err := c.flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, nil, err
			}
			return nil, nil, fault.New(fault.Malformed, "%s: %v", c.flags.Name(), err)
		}
		if args = c.flags.Args(); len(args) == 0 {
			break
		}
		found, args = append(found, args[0]), args[1:]
	}
	switch {
	case len(found) < operands:
		return nil, nil, fault.New(fault.Malformed, "%s needs the id of a token; token list shows them", c.flags.Name())
	case len(found) > operands:
		return nil, nil, fault.New(fault.Malformed, "%s does not take %.60q", c.flags.Name(), found[operands])
	}
	client, err := Dial(ctx, c.dataDir)
	return client, found, err
}

func table(w io.Writer, infos []token.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := [][]string{{"ID", "NAME", "ACTOR", "OWNER", "CREATED", "EXPIRES"}}
	for _, i := range infos {
		rows = append(rows, []string{i.ID, plain(i.Name), plain(i.Actor.Key()), plain(i.Owner.Key()), moment(i.CreatedAt), moment(i.ExpiresAt)})
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(t, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// plain keeps what users chose from moving the cursor of a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// moment shows epoch milliseconds; 0 is never.
func moment(ms int64) string {
	if ms == 0 {
		return "never"
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}

// userURN takes a user by name or URN, and nothing as nothing.
func userURN(actor string) urn.URN {
	if actor == "" || urn.Looks(actor) {
		return urn.URN(actor)
	}
	return urn.Make(account.EntityType, actor)
}
