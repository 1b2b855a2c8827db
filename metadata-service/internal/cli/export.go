package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartulary/cartulary/metadata-service/internal/app"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/export"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/command"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/logging"
)

// exporting is one execution of "export".
type exporting struct {
	dataDir, backup, out string
	selection            export.Selection
	stdout, notes        io.Writer
}

func exportCommand() *cobra.Command {
	x := exporting{}
	c := &cobra.Command{
		Use: "export", Short: "Write metadata to a file that import, and the file source of DataHub's client, read",
		Long: `Write metadata to a file: a JSON list of change proposals, with the newest versions of
aspects and all documents of time series, at one point in time. "metadata-service import"
and the file source of DataHub's client read it.

The source is the service that runs on the data directory, or else the directory itself,
or a backup. Unless the directory itself is read, the folder for temporary files (TMPDIR)
needs space for a copy.

An export contains no secrets, credentials and tokens, and no aspects that belong to this
installation only; a summary at the end lists them. A backup contains all data.`,
		Example: "  metadata-service export --out catalog.json\n  metadata-service export --out - --entity-type tag,glossaryTerm | gzip >terms.json.gz\n  metadata-service export --backup /backups/catalog.tar.zst --urn-like 'urn:li:dataset:%hive%'",
		Args:    command.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("out") {
				x.out = time.Now().UTC().Format("cartulary-20060102T150405Z.json")
			}
			if x.out == "" {
				return command.Wrong(c, "--out needs the name of a file, or -")
			}
			x.stdout, x.notes = c.OutOrStdout(), c.ErrOrStderr()
			err := x.run(c.Context())
			if errors.Is(err, fault.Malformed) {
				return command.Wrong(c, "%v", err)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&x.out, "out", "", "a new `FILE`, or - for the standard output (default: cartulary-TIME.json)")
	f.StringVar(&x.dataDir, "data-dir", dataDir(), "data `DIR`ectory of the service")
	f.StringVar(&x.backup, "backup", "", "export the content of this backup `FILE`, or - for the standard input")
	f.StringSliceVar(&x.selection.Types, "entity-type", nil, "only entities of these `TYPES`")
	f.StringVar(&x.selection.Like, "urn-like", "", "only entities whose URNs match this `PATTERN`; % stands for any text")
	f.StringSliceVar(&x.selection.Aspects, "aspect", nil, "only these aspects, by `NAMES`")
	f.BoolVar(&x.selection.WithoutRemoved, "without-removed", false, "leave out soft-deleted entities")
	_ = errors.Join(c.MarkFlagDirname("data-dir"), c.MarkFlagFilename("backup"), c.MarkFlagFilename("out", "json")) // the flags are there
	return c
}

func (x *exporting) run(ctx context.Context) (err error) {
	if err := app.CheckSelection(x.selection); err != nil {
		return err
	}
	from, err := x.source(ctx)
	if err != nil {
		return err
	}
	dir := x.dataDir
	if from != nil {
		defer from.Close() //nolint:errcheck // only read
		copied, drop, err := unpack(ctx, from, x.notes)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, drop()) }()
		dir = copied
	}
	if x.out == "-" {
		const name = "the standard output"
		return disk.TranslateAt(x.write(ctx, dir, x.stdout, name), name)
	}
	return disk.WriteComplete(x.out, x.notes, func(f io.Writer) error { return x.write(ctx, dir, f, x.out) })
}

// source returns the backup to export, or nil for a data directory that no service uses.
func (x *exporting) source(ctx context.Context) (io.ReadCloser, error) {
	if x.backup != "" {
		return openBackup(x.backup)
	}
	client, err := adminsocket.Dial(ctx, x.dataDir)
	if adminsocket.NotRunning(err) {
		fmt.Fprintf(x.notes, "no service runs on %s: the files there are read\n", x.dataDir)
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return client.OpenBackup(ctx, adminsocket.BackupScope{MetadataAlone: true})
}

// unpack unpacks a backup to a temporary data directory, which drop removes.
func unpack(ctx context.Context, from io.Reader, notes io.Writer) (dir string, drop func() error, err error) {
	folder, staged, err := stage(ctx, "cartulary-export", from, notes)
	if err != nil {
		return "", nil, err
	}
	return staged.Folder(), func() error { return errors.Join(staged.Close(), folder.Close()) }, nil
}

func (x *exporting) write(ctx context.Context, dir string, to io.Writer, name string) error {
	cfg := app.Defaults()
	cfg.DataDir = dir
	began := time.Now()
	bar := countBar(x.notes)
	sum, err := app.Export(ctx, cfg, x.selection, bar, to, logging.New(x.notes, slog.LevelWarn, "text"))
	if bar != nil {
		fmt.Fprintln(x.notes)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(x.notes, "exported entities %d, aspects %d, documents of time series %d to %s in %s\n",
		sum.Entities, sum.Aspects, sum.Documents, name, time.Since(began).Round(time.Millisecond))
	if sum.Secrets > 0 {
		fmt.Fprintf(x.notes, "left out the secrets of %d aspects with the records around them\n", sum.Secrets)
	}
	if len(sum.Stayed) == 0 {
		return nil
	}
	var omitted []string
	for _, name := range slices.Sorted(maps.Keys(sum.Stayed)) {
		omitted = append(omitted, fmt.Sprintf("%s %d", name, sum.Stayed[name]))
	}
	fmt.Fprintf(x.notes, "left out aspects that hold secrets or belong to this installation only: %s; a backup contains them\n", strings.Join(omitted, ", "))
	return nil
}

// countBar returns a progress bar for a terminal, or nil for other writers.
func countBar(w io.Writer) export.Progress {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	shown := int64(-1)
	return func(done, total int64, what string) {
		const cells, eraseRest = 24, "\x1b[K"
		permille := done * 1000 / max(total, 1)
		if permille == shown && done < total {
			return
		}
		shown = permille
		full := min(cells, int(permille)*cells/1000)
		fmt.Fprintf(w, "\r[%s%s] %d of %d  %s%s", strings.Repeat("=", full), strings.Repeat(" ", cells-full), done, total, what, eraseRest)
	}
}
