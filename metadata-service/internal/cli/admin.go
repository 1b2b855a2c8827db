package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/command"
)

// admin is a family of commands that a running service executes, as adminsocket.RunOps.
type admin func(ctx context.Context, dataDir string, args []string, stdout, stderr io.Writer) error

// group combines a family into one command; its help is the help text of the family.
func (run admin) group(name, short string, commands ...*cobra.Command) *cobra.Command {
	return command.Group(name, short, run.help(), commands...)
}

func (run admin) help() string {
	var text strings.Builder
	_ = run(context.Background(), dataDir(), []string{"-h"}, &text, io.Discard) // writing to a Builder cannot fail
	return strings.TrimSpace(text.String())
}

// sub creates the command for a member of the family.
func (run admin) sub(use, short, example string, flags ...command.Flag) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	return run.wrap(use, short, example, []string{name}, flags)
}

func (run admin) wrap(use, short, example string, path []string, flags []command.Flag) *cobra.Command {
	flags = append(flags, command.Flag{Name: "data-dir", Value: "DIR", Usage: "data directory of the service", Default: dataDir()})
	return command.Wrap(&cobra.Command{Use: use, Short: short, Example: "  metadata-service " + example}, func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		return run(ctx, dataDir(), append(append([]string{}, path...), args...), stdout, stderr)
	}, flags...)
}

var (
	jsonFlag   = command.Flag{Name: "json", Usage: "write JSON"}
	noWaitFlag = command.Flag{Name: "no-wait", Usage: "print the id of the task and do not wait for its end"}
)

func accessCommand() *cobra.Command {
	run := admin(adminsocket.RunAccess)
	return run.group("access", "Explain the privileges of users, and report lost ones",
		run.sub("explain", "Explain whether a user may do something, and which policy allows it or why none does",
			"access explain --actor jo --privilege EDIT_ENTITY_TAGS --type dataset",
			command.Flag{Name: "actor", Value: "NAME|URN", Usage: "the user whose access to explain"},
			command.Flag{Name: "privilege", Value: "NAME,...", Usage: "privileges, of which one suffices"},
			command.Flag{Name: "operation", Value: "OP", Usage: "in place of --privilege: CREATE, READ, UPDATE, DELETE, EXECUTE, EXISTS or MANAGE"},
			command.Flag{Name: "aspect", Value: "NAME", Usage: "the aspect of --operation"},
			command.Flag{Name: "resource", Value: "URN", Usage: "the asset concerned"},
			command.Flag{Name: "type", Value: "TYPE", Usage: "its entity type, where there is no asset"}),
		run.sub("report", "List the privileges that users and access tokens lost when policies were enforced", "access report"),
	)
}

func auditCommand() *cobra.Command {
	run := admin(adminsocket.RunAudit)
	c := run.wrap("audit", "Show the audit log", "audit --since 7d --actor jo\n  metadata-service audit --follow --json", nil, []command.Flag{
		{Name: "since", Value: "TIME", Usage: "oldest event: a day, a time, or a period before now", Default: "24h"},
		{Name: "until", Value: "TIME", Usage: "newest event"},
		{Name: "actor", Value: "NAME|URN", Usage: "the user who acted"},
		{Name: "type", Value: "TYPE,...", Usage: "types of events"},
		{Name: "entity", Value: "URN", Usage: "the entity concerned"},
		{Name: "limit", Value: "N", Usage: "maximum number of events, the newest ones", Default: "1000"},
		jsonFlag,
		{Name: "follow", Usage: "continue with new events until interrupted"},
	})
	c.Long = run.help()
	return c
}

func opsCommand() *cobra.Command {
	run := admin(adminsocket.RunOps)
	return run.group("ops", "Show sizes, truncate time series, manage tasks",
		run.sub("index-sizes", "List the indices of the time series, the largest first", "ops index-sizes", jsonFlag),
		run.sub("truncate", "Delete the oldest documents of a time series, or show the number that this would delete",
			"ops truncate --type dataset --aspect datasetProfile --before 365d",
			command.Flag{Name: "type", Value: "TYPE", Usage: "entity type"},
			command.Flag{Name: "aspect", Value: "NAME", Usage: "time series aspect"},
			command.Flag{Name: "before", Value: "TIME", Usage: "newest time to delete, such as 90d or 2026-01-31"},
			command.Flag{Name: "execute", Usage: "delete; without it nothing changes"},
			command.Flag{Name: "batch", Value: "N", Usage: "rows in one transaction"},
			command.Flag{Name: "timeout", Value: "D", Usage: "maximum duration, such as 30m"},
			command.Flag{Name: "force-delete", Usage: "succeed even if the disk has no space for the compaction"},
			noWaitFlag, jsonFlag),
		run.sub("restore-indices", "Rebuild search index and relationships from the stored aspects",
			"ops restore-indices --urn-like urn:li:dataset:%",
			command.Flag{Name: "urn-like", Value: "PATTERN", Usage: "only these URNs; % stands for any text"},
			command.Flag{Name: "aspect", Value: "NAME,...", Usage: "only these aspects"},
			noWaitFlag, jsonFlag),
		run.sub("compute-features", "Sum up use and size of datasets for search and metadata tests", "ops compute-features", noWaitFlag, jsonFlag),
		run.sub("tasks", "List tasks, newest first", "ops tasks --state queued,running",
			command.Flag{Name: "state", Value: "STATE,...", Usage: "only tasks in these states"},
			command.Flag{Name: "kind", Value: "KIND,...", Usage: "only tasks of these kinds"},
			command.Flag{Name: "count", Value: "N", Usage: "how many"},
			jsonFlag),
		run.sub("task ID", "Show a task", "ops task ID --wait",
			command.Flag{Name: "wait", Usage: "wait for the end, and show the progress meanwhile"}, jsonFlag),
		run.sub("cancel ID", "Ask a task to stop", "ops cancel ID", jsonFlag),
	)
}

func testsCommand() *cobra.Command {
	run := admin(adminsocket.RunTests)
	return run.group("tests", "Install example metadata tests",
		run.sub("install-starter", "Create the missing ones of the metadata tests that most teams want", "tests install-starter --dry-run",
			command.Flag{Name: "dry-run", Usage: "only show the changes"}),
	)
}

func tokenCommand() *cobra.Command {
	run := admin(adminsocket.RunCommand)
	return run.group("token", "Create, list and revoke access tokens",
		run.sub("create", "Create a token and print it; it cannot be shown again", "token create --actor jo --name laptop --duration ONE_WEEK --read-only",
			command.Flag{Name: "actor", Value: "NAME|URN", Usage: "the user that the token represents"},
			command.Flag{Name: "name", Value: "TEXT", Usage: "name of the token in lists"},
			command.Flag{Name: "description", Value: "TEXT", Usage: "purpose of the token"},
			command.Flag{Name: "duration", Value: "D", Usage: "such as ONE_DAY, ONE_YEAR, NO_EXPIRY, P30D or PT12H", Default: "ONE_MONTH"},
			command.Flag{Name: "read-only", Usage: "only reading operations"},
			command.Flag{Name: "privilege", Value: "NAME", Usage: "only this privilege; may be repeated"},
			command.Flag{Name: "resource", Value: "CRITERION", Usage: "only resources that meet this criterion; may be repeated"}),
		run.sub("list", "List tokens, newest first", "token list --actor jo",
			command.Flag{Name: "actor", Value: "NAME|URN", Usage: "only tokens of this user"}),
		run.sub("revoke [ID]", "Revoke a token at once, or all tokens that represent a user", "token revoke --all --actor jo",
			command.Flag{Name: "all", Usage: "all tokens that represent the user of --actor"},
			command.Flag{Name: "actor", Value: "NAME|URN", Usage: "the user of --all"},
			command.Flag{Name: "created", Usage: "with --all: also tokens that the user created for others"}),
		run.sub("rotate-key", "Sign with a new key; earlier tokens stay valid for a time", "token rotate-key --keep 24h",
			command.Flag{Name: "keep", Value: "D", Usage: "how long earlier tokens stay valid", Default: "24h"}),
	)
}

func importCommand() *cobra.Command {
	return command.Wrap(&cobra.Command{
		Use: "import FILE|DIR|-...", Aliases: []string{"load"}, Short: "Send metadata files to a catalog",
		Long: `Send metadata files to a catalog: JSON lists of change proposals or snapshots, as export
and the file sink of DataHub's client write them, compressed with gzip or not. A directory
means its *.json and *.json.gz files in order of name, and - means the standard input.
Without a token flag the token is read from $` + load.TokenVariable + `.

Files are read twice, so that a file that is no list ends the import before anything is
sent; the standard input is copied to the folder for temporary files (TMPDIR) first. With
one connection, items are written in the order of the file; with more, only the items of
each URN are in order.
The first refused item ends the import, unless --continue-on-error is given; items written
before stay. An import may be repeated: values that are already stored are not written
again.`,
		Example: "  metadata-service import --token-file token catalog.json\n  metadata-service import --dry-run --token-file token deploy/demo\n  gunzip <old.json.gz | metadata-service import --continue-on-error --report refused.jsonl -",
		Args:    command.AtLeastOne("file or directory to load"),
	}, load.Run,
		command.Flag{Name: "server", Value: "URL", Usage: "base address of the catalog", Default: load.DefaultServer},
		command.Flag{Name: "token", Value: "TEXT", Usage: "access token; others on this machine may see it, prefer a file"},
		command.Flag{Name: "token-file", Value: "FILE", Usage: "file that holds the access token"},
		command.Flag{Name: "batch", Value: "N", Usage: "proposals in one request", Default: "100"},
		command.Flag{Name: "connections", Value: "N", Usage: "requests under way at the same time", Default: "1"},
		command.Flag{Name: "shift-to-now", Usage: "move all times by whole days so that the newest is less than a day old"},
		command.Flag{Name: "dry-run", Usage: "write nothing; check the files against the model and report the changes"},
		command.Flag{Name: "continue-on-error", Usage: "continue after refused items, report each one, and exit with 1 if there were any"},
		command.Flag{Name: "report", Value: "FILE", Usage: "write refused items to a new file, one JSON object per line"},
		command.Flag{Name: "run", Value: "ID", Usage: "run id of the written aspects (default: name of the first path and time)"},
	)
}
