package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/command"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

func backupCommand() *cobra.Command {
	run := admin(adminsocket.RunBackup)
	c := run.wrap("backup", "Write all data of a running service to a file", "backup --out /backups/catalog.tar.zst", nil, []command.Flag{
		{Name: "out", Value: "FILE|-", Usage: "a new file, or - for the standard output (default: cartulary-TIME.tar.zst)"},
		{Name: "without-secrets", Usage: "leave out keys and salt"},
	})
	c.Long = run.help()
	return c
}

func restoreCommand() *cobra.Command {
	var into string
	var replace, keepTasks bool
	c := &cobra.Command{
		Use: "restore FILE|-", Short: "Restore a backup to a data directory",
		Long: `Restore a backup, from a file or the standard input, to a data directory. Every checksum is
compared first. The directory is created if it is absent; otherwise it must be empty unless
--replace is given. No service may use it.

Tasks that had not ended at the time of the backup, such as a truncation, end as cancelled:
their remaining work may be the reason for the restore. They can be started again; with
--keep-tasks they continue at the next start.`,
		Example: "  metadata-service restore /backups/catalog.tar.zst --into data\n  metadata-service restore /backups/catalog.tar.zst --into data --replace",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return command.Wrong(c, "name one backup, a FILE or - for the standard input; there are %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if into == "" {
				return command.Wrong(c, "--into is missing, the directory to restore to")
			}
			return restore(c.Context(), args[0], app.RestoreConfig{Into: into, Replace: replace, KeepTasks: keepTasks}, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&into, "into", "", "`DIR` to restore to")
	c.Flags().BoolVar(&replace, "replace", false, "move the existing files of DIR into its folder set-aside-TIME-replaced, which you can remove later; revoked tokens and sessions stay revoked")
	c.Flags().BoolVar(&keepTasks, "keep-tasks", false, "continue unfinished tasks at the next start, from their checkpoint in the backup; otherwise they end as cancelled")
	_ = c.MarkFlagDirname("into") // the flag is there
	return c
}

func restore(ctx context.Context, file string, cfg app.RestoreConfig, stdout, stderr io.Writer) error {
	from, err := openBackup(file)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // only read
	cfg.From, cfg.Progress, cfg.Log = from, progress(stderr), logging.New(stderr, slog.LevelWarn, "text")
	done, err := app.Restore(ctx, cfg)
	if err != nil {
		return err
	}
	return printRestored(stdout, cfg, done)
}

func printRestored(w io.Writer, cfg app.RestoreConfig, done app.Restored) error {
	m, into := done.Manifest, cfg.Into
	if done.Finished {
		_, err := fmt.Fprintf(w, "an interrupted restore of the backup of %s was finished in %s, and nothing else done; restore again if you mean another backup\n", m.Created, into)
		return err
	}
	fmt.Fprintf(w, "restored to %s: the backup of %s, up to change %d, %d files\n", into, m.Created, m.Sequence, len(m.Members))
	if done.Aside != "" {
		fmt.Fprintf(w, "the replaced files are in %s\n", done.Aside)
		switch {
		case done.Unread != nil:
			fmt.Fprintf(w, "its catalog cannot be read (%v): tokens that were revoked since the backup are good again, see docs/security.md\n", done.Unread)
		default:
			fmt.Fprintf(w, "revoked since the backup, and still so: %d tokens, %d sessions\n", done.Tokens, done.Sessions)
		}
	} else {
		fmt.Fprintln(w, "tokens that were revoked since the backup are good again, as no directory that knows of it was replaced")
	}
	switch {
	case done.KeptSigningKey:
		fmt.Fprintln(w, "the key that signs tokens is that of the replaced directory, as it is newer")
	case done.KeptSecrets:
		fmt.Fprintln(w, "keys and salt are those of the replaced directory, as the backup has none")
	case !m.Secrets:
		fmt.Fprintf(w, "the backup has no keys: put those of the service into %s before it starts\n", filepath.Join(into, "secrets"))
	}
	switch {
	case done.Tasks > 0 && cfg.KeepTasks:
		fmt.Fprintf(w, "tasks that had not ended go on at the next start: %d\n", done.Tasks)
	case done.Tasks > 0:
		fmt.Fprintf(w, "tasks that had not ended were cancelled: %d; \"ops tasks\" lists them, and --keep-tasks would let them go on\n", done.Tasks)
	}
	_, err := fmt.Fprintln(w, "the search index is built at the next start")
	return err
}

// openBackup opens a file, or the standard input for the name -.
func openBackup(name string) (io.ReadCloser, error) {
	if name == "-" {
		return os.Stdin, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fault.Wrap(err, fault.NotFound, "the backup cannot be read")
	}
	return f, nil
}

// stage unpacks a backup to a new folder with the given name in the folder for temporary files.
func stage(ctx context.Context, name string, from io.Reader, notes io.Writer) (*disk.Temporary, *backup.Staged, error) {
	report := func(err error) error {
		return fmt.Errorf("unpack to %s, which TMPDIR names: %w", os.TempDir(), disk.TranslateAt(err, os.TempDir()))
	}
	folder, err := disk.TempFolder(name, notes)
	if err != nil {
		return nil, nil, report(err)
	}
	staged, _, err := backup.Target{Dir: filepath.Join(folder.Path, "data"), Now: time.Now}.Stage(ctx, from, progress(notes))
	if err != nil {
		return nil, nil, errors.Join(report(err), folder.Close())
	}
	return folder, staged, nil
}

// progress shows a bar on a terminal, and ends the line of the bar when it is complete.
func progress(w io.Writer) backup.Progress {
	bar := backup.NewProgress(w)
	if bar == nil {
		return nil
	}
	return func(done, total int64, member string) {
		if bar(done, total, member); done == total {
			fmt.Fprintln(w)
		}
	}
}

// verifyBackup unpacks a backup, which verifies every checksum, and verifies its contents.
func verifyBackup(ctx context.Context, file string, cfg app.Config, stdout, stderr io.Writer) (err error) {
	from, err := openBackup(file)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // only read
	folder, staged, err := stage(ctx, "cartulary-verify", from, stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, staged.Close(), folder.Close()) }()
	m := staged.Manifest
	fmt.Fprintf(stdout, "backup of %s by version %s, up to change %d: %d files with the checksums of the manifest\n", m.Created, m.Version, m.Sequence, len(m.Members))
	cfg.DataDir = staged.Folder()
	return verifyDir(ctx, cfg, stdout, stderr)
}
