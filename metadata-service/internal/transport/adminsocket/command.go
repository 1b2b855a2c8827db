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
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const usage = `Manage access tokens of a metadata service that runs on this machine.

  token create --actor NAME|URN --name TEXT [--duration D] [--description TEXT]
        make a token and print it; it cannot be shown again
        D: ONE_HOUR, ONE_DAY, ONE_WEEK, ONE_MONTH (default), THREE_MONTHS,
           SIX_MONTHS, ONE_YEAR, NO_EXPIRY, or a period such as P30D or PT12H
        The token has the rights of its user, and less with
          --read-only            only reading operations
          --privilege NAME       only this privilege; may be repeated
          --resource CRITERION   only resources of which this is true: a URN, or
                                 FIELD=VALUE, FIELD!=VALUE, FIELD^=PREFIX with TYPE,
                                 URN, DOMAIN, CONTAINER, OWNER, TAG, GLOSSARY ... as
                                 in policies; repeated for one field: either value,
                                 for several: all of them
  token list [--actor NAME|URN]
        list tokens, newest first
  token revoke ID
        make a token worthless at once
  token revoke --all --actor NAME|URN [--created]
        make all tokens worthless that represent the user and, with --created,
        those that the user made for others
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

// RunCommand runs "token create", "token list", "token revoke" or "token rotate-key" against the
// running service; args start after "token". Results go to stdout, notes to stderr. Wrong
// arguments are fault.Malformed. Without arguments, and for help, it prints its usage.
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
	scope := &scopeFlags{}
	scope.define(c.flags)
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
	made, err := client.Create(ctx, Draft{Actor: *actor, Name: *name, Description: *description, Duration: *duration, Scope: scope.scope()})
	if err != nil {
		return err
	}
	info := made.Info
	note := fmt.Sprintf("token %s for %s, expires: %s, permits: %s\n", info.ID, info.Actor, formatTime(info.ExpiresAt), info.Scope)
	if made.Unchecked {
		note += "authentication is off: the service asks nobody for a token\n"
	}
	if _, err := io.WriteString(c.notes, note); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, made.Text)
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
	return writeTokens(c.out, infos)
}

func (c *command) revoke(ctx context.Context, args []string) error {
	all := c.flags.Bool("all", false, "")
	actor := c.flags.String("actor", "", "")
	created := c.flags.Bool("created", false, "")
	ids, err := c.parse(args)
	switch {
	case err != nil:
		return err
	case *all:
		return c.revokeAll(ctx, *actor, *created, ids)
	case *actor != "" || *created:
		return fault.New(fault.Malformed, "token revoke takes the id of one token, or --all with --actor")
	}
	client, err := c.dial(ctx, ids, 1)
	if err != nil {
		return err
	}
	if err := client.Revoke(ctx, ids[0]); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.notes, "revoked")
	return err
}

func (c *command) revokeAll(ctx context.Context, actor string, created bool, rest []string) error {
	if actor == "" {
		return fault.New(fault.Malformed, "token revoke --all needs --actor, the user whose tokens are to go")
	}
	client, err := c.dial(ctx, rest, 0)
	if err != nil {
		return err
	}
	n, err := client.RevokeAll(ctx, actor, created)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.notes, "revoked: %d\n", n)
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

// connect parses the flags and connects to the service.
func (c *command) connect(ctx context.Context, args []string, operands int) (*Client, []string, error) {
	found, err := c.parse(args)
	if err != nil {
		return nil, nil, err
	}
	client, err := c.dial(ctx, found, operands)
	return client, found, err
}

// parse parses the flags, which may be before and after the operands, and returns the operands.
func (c *command) parse(args []string) (found []string, err error) {
	for {
		if err := c.flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, fault.New(fault.Malformed, "%s: %v", c.flags.Name(), err)
		}
		if args = c.flags.Args(); len(args) == 0 {
			return found, nil
		}
		found, args = append(found, args[0]), args[1:]
	}
}

// dial connects to the service after checking the number of operands.
func (c *command) dial(ctx context.Context, found []string, operands int) (*Client, error) {
	switch {
	case len(found) < operands:
		return nil, fault.New(fault.Malformed, "%s needs the id of a token; token list shows them", c.flags.Name())
	case len(found) > operands:
		return nil, fault.New(fault.Malformed, "%s does not take %.60q", c.flags.Name(), found[operands])
	}
	return Dial(ctx, c.dataDir)
}

func writeTokens(w io.Writer, infos []token.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	rows := [][]string{{"ID", "NAME", "ACTOR", "OWNER", "CREATED", "EXPIRES", "LAST USED", "PERMITS"}}
	for _, i := range infos {
		rows = append(rows, []string{i.ID, stripControlCharacters(i.Name), stripControlCharacters(i.Actor.Key()), stripControlCharacters(i.Owner.Key()), formatTime(i.CreatedAt), formatExpiry(i), formatTime(i.LastUsedAt), stripControlCharacters(i.Scope.String())})
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(t, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// stripControlCharacters replaces control characters in texts of users, which could move the
// cursor of a terminal.
func stripControlCharacters(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

func formatExpiry(i token.Info) string {
	if i.ExpiresSoon {
		return formatTime(i.ExpiresAt) + " (soon)"
	}
	return formatTime(i.ExpiresAt)
}

// formatTime formats epoch milliseconds; 0 means never.
func formatTime(ms int64) string {
	if ms == 0 {
		return "never"
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}

// userURN returns the URN of a user that is given by name or URN, and "" for an empty text.
func userURN(actor string) urn.URN {
	if actor == "" || urn.Looks(actor) {
		return urn.URN(actor)
	}
	return urn.Make(account.EntityType, actor)
}
