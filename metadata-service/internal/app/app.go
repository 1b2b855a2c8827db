// Package app assembles the metadata service: configuration, drivers, catalog, projections,
// identity, transports. It is the only package that depends on all others.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/account"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authn"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/background"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/bootstrap"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/failure"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/retention"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
	"github.com/cartulary/cartulary/metadata-service/internal/metrics"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/porttrace"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/access"
	"github.com/cartulary/cartulary/metadata-service/internal/service/credentials"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ingestion"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/ops"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/footprint"
	"github.com/cartulary/cartulary/pkg/httpserver"
	"github.com/cartulary/cartulary/pkg/ratelimit"
	"github.com/cartulary/cartulary/pkg/tracing"
)

// heapFloor is the size of an allocation that raises the heap size seen by the garbage collector.
// An idle service uses some megabytes, so without it a busy one would collect several hundred times
// a second; in measurements with eight writers that took a fifth of the throughput. The memory is
// never touched and therefore never resident.
const heapFloor = 16 << 20

// runningFloor returns the corresponding size while the service answers requests: a small catalog
// then produces about twice the garbage between two collections. A memory limit counts the
// allocation, resident or not, so with a limit it is a small part of it; zero means no limit. Open
// does not use it, as tests open many Apps.
func runningFloor(limit int64) int64 {
	const most, part = 48 << 20, 32
	if limit == 0 {
		return most
	}
	return min(max(limit/part, heapFloor), most)
}

// App is an assembled metadata service. Open creates it.
type App struct {
	floor   []byte // heapFloor
	cfg     Config
	log     *slog.Logger
	now     func() time.Time
	version string

	drivers     drivers
	files       dataFiles // of the drivers, for backups
	registry    *model.Registry
	catalog     *catalog.Service
	bootstrap   *bootstrap.Service
	retention   *retention.Rules
	discover    *discover.Service
	tests       *metatest.Service
	webhooks    *webhook.Sender
	rights      *policy.Engine
	testing     *metatest.OnChange
	indexer     *indexing.Indexer
	follower    *follower
	followers   *ingestion.Followers // clients that follow changes, as executors do
	metrics     *metrics.Metrics
	tracer      *tracing.Tracer // nil when tracing is off
	dataDir     *datadir.Dir
	secrets     *secrets.Dir
	cipher      *encryption.Cipher
	names       *encryption.Names
	accounts    *account.Directory
	denylist    *authtoken.Denylist // of sessions
	audit       *audit.Log          // nil when the audit log is off
	tasks       *task.Manager
	operations  *ops.Service
	history     *history.File
	records     records.Store
	eventHooks  *eventhook.Service
	authority   *authtoken.Authority
	tokens      *token.Service
	credentials *credentials.Service
	access      *access.Service
	server      *httpserver.Server
	socket      *adminsocket.Server
	storages    []storage
	close       []func() error

	// background owns the goroutines of the App itself.
	background *background.Group
}

// Open opens the data directory, writes the initial data of a new catalog, and binds the address.
// The service answers requests once Run is called. The caller must close the App, even if it never
// ran.
func Open(ctx context.Context, cfg Config, version string, log *slog.Logger) (*App, error) {
	return open(ctx, cfg, version, log, (*App).backgroundSinks)
}

// open is Open with the constructor of the background sinks as a parameter, for tests.
func open(ctx context.Context, cfg Config, version string, log *slog.Logger, sinks func(*App) []projection.BackgroundSink) (*App, error) {
	a := &App{cfg: cfg, log: log, now: time.Now, version: version, follower: &follower{}}
	a.metrics = metrics.New(a.now)
	a.background = background.NewGroup(log)
	a.server = httpserver.New(httpserver.Config{Address: cfg.Listen, Log: log, Timeouts: cfg.HTTP})
	a.close = append(a.close, a.server.Close)
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"listen", a.server.Listen},
		{"tracing", a.openTracing},
		{"model", a.loadModel},
		{"data directory", a.openDataDir},
		{"tasks", a.openTasks},
		{"records", a.openRecords},
		{"history", a.openHistory},
		{"storage", a.openStorage},
		{"audit log", a.openAudit},
		{"projections", func(ctx context.Context) error { return a.follow(ctx, sinks(a)) }},
		{"encrypted values", a.encryptStored},
		{"default data", func(ctx context.Context) error { return a.bootstrap.DefaultData(ctx) }},
		{"upgrade of stored values", a.upgrade},
		{"identity", a.openIdentity},
		{"administrator and routes", a.admitAndRoute},
		{"access", a.announceAccess},
		{"admin socket", a.openSocket},
		{"data directory", a.completeDataDir},
		{"background projections", a.beginBackground},
		{"tasks", a.beginTasks},
		{"webhooks", a.beginWebhooks},
		{"upkeep of access tokens", a.keepTokens},
		{"metadata tests", a.startTests},
		{"retention of time series", a.startRetention},
		{"features of datasets", a.startFeatures},
		{"schedules of ingestion", a.startIngestion},
		{"sizes of time series", a.keepSizes},
		{"watchdog", a.startWatchdog},
	} {
		if err := step.do(ctx); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", step.name, err), a.Close())
		}
	}
	// Starting needs several times the memory of running, to parse the model and hash the first
	// password. That memory is returned at once, so that an idle service is small.
	footprint.Trim()
	// The floor is allocated only now: with it, up to 16 MB of garbage accumulate between objects
	// that stay in use, and their pages would stay resident.
	a.floor = make([]byte, heapFloor)
	return a, nil
}

// upgrade converts data stored by earlier versions. If the disk is full, the service starts without
// the conversion.
func (a *App) upgrade(ctx context.Context) error {
	err := a.bootstrap.Upgrade(ctx)
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "started before stored values were upgraded", "error", err)
		return nil
	}
	return err
}

// Run answers requests until ctx ends, and then drains.
func (a *App) Run(ctx context.Context) error {
	floor := make([]byte, runningFloor(footprint.SetLimit(a.cfg.Memory.Limit))-heapFloor)
	defer runtime.KeepAlive(floor)
	a.server.SetReady()
	a.log.InfoContext(ctx, "metadata service ready", "address", a.server.Addr().String(), "version", a.version, "data_dir", a.cfg.DataDir,
		"authentication", a.cfg.Auth.Enabled)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	serving := background.NewGroup(a.log)
	serving.Go("admin socket", func() error {
		err := background.Protect(func() error { return a.socket.Run(ctx) })
		if err != nil {
			stop(fmt.Errorf("admin socket: %w", err))
		}
		return err
	})
	err := a.server.Run(ctx)
	stop(nil)
	serving.Wait()
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// Addr returns the bound address as host:port.
func (a *App) Addr() string { return a.server.Addr().String() }

// Handler returns the HTTP handler of the service, for use without a listener.
func (a *App) Handler() http.Handler { return a.server.Echo }

// Close releases the resources of Open in reverse order. It may be called more than once.
func (a *App) Close() error {
	var errs []error
	for i := len(a.close) - 1; i >= 0; i-- {
		errs = append(errs, a.close[i]())
	}
	a.close = nil
	runtime.KeepAlive(a.floor)
	return errors.Join(errs...)
}

// openTracing creates the tracer. It is closed last, so it also traces the shutdown.
func (a *App) openTracing(context.Context) (err error) {
	a.tracer, err = tracing.New(a.cfg.Tracing, tracing.Program{Name: "cartulary-metadata-service", Version: a.version}, a.log)
	a.close = append(a.close, a.tracer.Close)
	a.metrics.Spans(a.tracer.Lost, tracing.QueueFull, tracing.NotExported)
	return err
}

// traceDrivers wraps the drivers to record their operations, unless tracing is off.
func (a *App) traceDrivers() {
	if a.tracer == nil {
		return
	}
	d := &a.drivers
	d.store, d.graph, d.documents, d.index = porttrace.Store(d.store), porttrace.Graph(d.graph), porttrace.Documents(d.documents), porttrace.Index(d.index)
}

func (a *App) loadModel(context.Context) (err error) {
	a.registry, err = model.Load()
	return err
}

func (a *App) openStorage(ctx context.Context) (err error) {
	if a.drivers, err = openDrivers(ctx, &a.cfg, a.registry, a.log); err != nil {
		return err
	}
	a.close = append(a.close, a.drivers.close)
	a.files.catalog, a.files.series = a.drivers.boltStore, a.drivers.boltSeries
	if err := a.checkEncrypted(ctx); err != nil {
		return err
	}
	if err := a.openCipher(); err != nil {
		return err
	}
	a.watchStorages(a.drivers.storages...)
	for _, s := range a.drivers.storages {
		if s.probe != nil {
			_ = s.probe(ctx) // records a full disk, so that health reports it before a write is refused
		}
	}
	a.metrics.Storages(func(report func(string, bool, uint64)) {
		for _, s := range a.storages {
			state := s.state()
			report(s.name, state.Err != nil, state.Failures)
		}
	})
	a.drivers.store = a.metrics.Store(a.drivers.store)
	a.traceDrivers()
	a.accounts = account.NewDirectory(a.drivers.store)
	a.denylist = authtoken.NewDenylist(a.drivers.store, a.now)
	a.rights = policy.New(policy.Config{
		Rows: a.drivers.store, Off: !a.cfg.Auth.Policies || !a.cfg.Auth.Enabled,
		ViewAuthorization: a.cfg.Auth.ViewAuthorization, Unrestricted: a.unrestricted(),
	})
	a.retention = retention.New(a.drivers.store)
	rules, err := rule.NewBook(a.registry, append(rule.All(), rule.SystemPolicies(a.cfg.systemPolicies()...)))
	if err != nil {
		return err
	}
	a.catalog = catalog.New(catalog.Config{
		Registry: a.registry, Rules: rules, Retention: a.retention, Store: a.drivers.store, Documents: a.drivers.documents, Authorizer: a.rights,
		Graph: a.drivers.graph, Follower: a.follower, Failures: failure.New(a.records), Cipher: a.cipher, Names: a.restrictedNames(), Reserve: admission.ReserveRead, Now: a.now, Log: a.log,
	})
	a.bootstrap = bootstrap.New(bootstrap.Config{Catalog: a.catalog, Store: a.drivers.store, Graph: a.drivers.graph, Now: a.now, Log: a.log})
	a.discover = a.finder()
	a.webhooks = webhook.New(webhook.Config{Hosts: a.cfg.Tests.WebhookHosts})
	a.close = append(a.close, func() error {
		a.webhooks.Close()
		return nil
	})
	a.tests = metatest.New(metatest.Config{Edit: a.editor(), Reader: a.drivers.store, Graph: a.drivers.graph, Documents: a.drivers.documents, Selector: selectorOf(a.drivers.index), Webhooks: a.webhooks, Pacer: &metatest.Pacer{Commits: a.drivers.store, After: time.After}, Tasks: a.tasks, Log: a.log})
	a.testing = metatest.NewOnChange(a.tests, a.cfg.Tests.OnChange)
	a.indexer, err = indexing.New(ctx, indexing.Config{
		Registry: a.registry, Store: a.drivers.store, Graph: a.drivers.graph, Index: a.drivers.index, Now: a.now, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.close = append(a.close, a.indexer.Close)
	return nil
}

// finder creates the service for search and discovery.
func (a *App) finder() *discover.Service {
	return discover.New(discover.Config{Catalog: a.catalog, Index: a.drivers.index, Graph: a.drivers.graph, Names: a.restrictedNames(), Work: admission.Work})
}

// restrictedNames returns the names for restricted entities, or nil if hidden entities are left
// out.
func (a *App) restrictedNames() catalog.Names {
	if a.cfg.Auth.ViewAuthorization && a.cfg.Auth.ViewRestricted {
		return a.names
	}
	return nil
}

// unrestricted returns the entity types that all actors may view. Of the types that the model
// marks, those whose entities are about assets, such as announcements, are excluded: the visibility
// of the assets applies to them.
func (a *App) unrestricted() []string {
	names := a.cfg.Auth.ViewUnrestricted
	if len(names) == 0 {
		for _, entity := range a.registry.Entities() {
			if entity.ViewUnrestricted && model.SubjectsOf(entity.Name).Aspect == "" {
				names = append(names, entity.Name)
			}
		}
	}
	var out []string
	for _, name := range slices.Concat(names, a.cfg.Auth.ViewUnrestrictedAdd) {
		removed := slices.ContainsFunc(a.cfg.Auth.ViewUnrestrictedRemove, func(r string) bool { return strings.EqualFold(r, name) })
		if entity, ok := a.registry.Entity(name); ok && !removed {
			out = append(out, entity.Name)
		}
	}
	return out
}

// openCipher opens the secrets of the installation. The store needs one of them, the encryption key
// of values.
func (a *App) openCipher() (err error) {
	if a.secrets, err = secrets.Open(a.cfg.DataDir); err != nil {
		return err
	}
	key, err := a.secrets.ReadOrCreate(secrets.Encryption)
	if err != nil {
		return err
	}
	if a.cipher, err = encryption.New(key); err != nil {
		return err
	}
	a.names, err = encryption.NewNames(key)
	return err
}

// encryptStored encrypts values that older versions stored in plain text. If the disk is full, the
// service starts without this step: reads return masked values in both cases.
func (a *App) encryptStored(ctx context.Context) error {
	err := a.bootstrap.EncryptStored(ctx)
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "started before all secrets in the store were encrypted", "error", err)
		return nil
	}
	return err
}

func (a *App) openIdentity(ctx context.Context) error {
	keys, err := authtoken.OpenKeys(a.secrets, a.now)
	if err != nil {
		return err
	}
	salt, err := a.secrets.ReadOrCreate(secrets.Salt)
	if err != nil {
		return err
	}
	// The proxy waits for this secret; the service itself does not use it.
	if _, err := a.secrets.ReadOrCreate(secrets.Session); err != nil {
		return err
	}
	if err := a.loadDenylist(ctx); err != nil {
		return err
	}
	records := token.NewRecords(a.catalog.Managed(token.KeyAspect, token.InfoAspect), token.NewUses(a.drivers.store, a.now))
	a.authority = authtoken.New(authtoken.Config{
		Records: records, Accounts: a.accounts, Keys: keys, Salt: salt, Denylist: a.denylist, Now: a.now, Log: a.log,
	})
	a.tokens = token.New(token.Config{
		Unchecked: !a.cfg.Auth.Enabled, Authority: a.authority, Records: records, Reader: a.drivers.store, Accounts: a.accounts,
		Authorizer: a.rights, SessionsEnded: a.recordSessionsEnded, Now: a.now, Log: a.log,
		Lifetimes: &token.Lifetimes{NoExpiry: a.cfg.Auth.TokenNoExpiry, Periods: a.cfg.Auth.TokenDurations},
	})
	a.credentials = credentials.New(credentials.Config{
		Aspects:  a.catalog.Managed(credentials.Aspect, credentials.InviteKeyAspect, credentials.InviteAspect),
		Accounts: a.accounts, Tokens: a.tokens, Authorizer: a.rights, Holds: a.hasGrantsOrBelongings, InviteKey: salt,
		MinPassword: a.cfg.Auth.MinPassword, Now: a.now, Log: a.log,
	})
	a.access = access.New(a.editor(), a.rights, a.tokens)
	return nil
}

// loadDenylist reads the ended sessions, once the list follows the log, and imports those of an
// earlier version.
func (a *App) loadDenylist(ctx context.Context) error {
	if err := a.denylist.Load(ctx); err != nil {
		return err
	}
	from, err := a.denylist.ImportFile(ctx, a.cfg.DataDir)
	if err != nil {
		return err
	}
	if from.Sessions > 0 {
		a.log.InfoContext(ctx, "session denylist taken over into the store", "sessions", from.Sessions)
	}
	if from.Damaged > 0 {
		a.log.WarnContext(ctx, "session denylist of an earlier version was damaged; sessions it no longer names are good until their tokens expire",
			"stretches", from.Damaged, "kept", from.Kept)
	}
	return nil
}

// upkeepPeriod is the interval at which the last uses of access tokens are saved and expiring
// tokens are reported.
const upkeepPeriod = time.Minute

// keepTokens periodically saves the last uses of access tokens and warns of tokens that expire. It
// saves the rest when the service ends.
func (a *App) keepTokens(ctx context.Context) error {
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	tick := time.NewTicker(upkeepPeriod)
	keeper := background.NewGroup(a.log)
	keeper.Go("upkeep of access tokens", func() error {
		for {
			if err := a.tokens.Upkeep(running); err != nil && running.Err() == nil {
				a.log.WarnContext(running, "upkeep of access tokens failed; it is tried again", "error", err)
			}
			select {
			case <-running.Done():
				return nil
			case <-tick.C:
			}
		}
	})
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		keeper.Wait()
		if err := a.tokens.SaveUses(asSystem(context.WithoutCancel(ctx))); err != nil {
			a.log.WarnContext(ctx, "when access tokens were used last was not saved", "error", err)
		}
		return nil
	})
	return nil
}

// startTests starts the periodic evaluation of metadata tests on all assets.
func (a *App) startTests(ctx context.Context) error {
	if a.cfg.Tests.Every == 0 {
		return nil
	}
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const interval = 5 * time.Second
	tick := time.NewTicker(interval)
	scheduled := background.NewGroup(a.log)
	scheduled.Go("metadata tests", func() error { return a.testing.Schedule(running, a.cfg.Tests.Every, tick.C) })
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		scheduled.Wait()
		return nil
	})
	return nil
}

// startRetention starts the truncation of time series by their retention rules, if there are any.
func (a *App) startRetention(ctx context.Context) error {
	rules, err := a.cfg.Timeseries.rules()
	if err == nil {
		err = a.operations.CheckRetention(rules)
	}
	if err != nil {
		return fmt.Errorf("timeseries.retention: %w", err)
	}
	if len(rules) == 0 {
		return nil
	}
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const interval = 30 * time.Second
	tick := time.NewTicker(interval)
	retention := background.NewGroup(a.log)
	retention.Go("retention of time series", func() error { return a.operations.Retain(running, rules, tick.C) })
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		retention.Wait()
		return nil
	})
	return nil
}

// startFeatures starts the periodic computation of usage and storage features of datasets.
func (a *App) startFeatures(ctx context.Context) error {
	if a.cfg.Timeseries.FeaturesEvery == 0 {
		return nil
	}
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const interval = 30 * time.Second
	tick := time.NewTicker(interval)
	features := background.NewGroup(a.log)
	features.Go("features of datasets", func() error {
		return a.operations.ScheduleFeatures(running, a.cfg.Timeseries.FeaturesEvery, tick.C)
	})
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		features.Wait()
		return nil
	})
	return nil
}

// startIngestion starts to request runs of due ingestion sources from executors, and to report
// requests that no executor takes.
func (a *App) startIngestion(ctx context.Context) error {
	running, stop := context.WithCancel(asSystem(context.WithoutCancel(ctx)))
	const interval = 5 * time.Second
	tick := time.NewTicker(interval)
	schedules := background.NewGroup(a.log)
	schedules.Go("schedules of ingestion", func() error { return ingestion.New(a.editor()).Schedule(running, a.log, tick.C) })
	unclaimedTick := time.NewTicker(interval)
	schedules.Go("runs without an executor", func() error {
		return ingestion.New(a.editor()).ReportUnclaimed(running, a.log, unclaimedTick.C, a.followers)
	})
	a.close = append(a.close, func() error {
		tick.Stop()
		unclaimedTick.Stop()
		stop()
		schedules.Wait()
		return nil
	})
	return nil
}

// startWatchdog starts when all storages are registered.
func (a *App) startWatchdog(ctx context.Context) error {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	tick := time.NewTicker(probePeriod)
	a.background.Go("watchdog", func() error {
		a.watchdog(running, tick.C)
		return nil
	})
	a.close = append(a.close, func() error {
		tick.Stop()
		stop()
		a.background.Wait()
		return nil
	})
	return nil
}

func (a *App) openSocket(ctx context.Context) (err error) {
	if a.socket, err = adminsocket.Open(ctx, a.cfg.DataDir, recordedTokens{a.tokens, a.audit}, a.audit, a.access, a.tests, a.operations, a.log); err != nil {
		return err
	}
	a.close = append(a.close, a.socket.Close)
	a.socket.OfferBackups(backups{a})
	return nil
}

// admitAndRoute hashes the password of the administrator, which is needed at the first start, while
// the routes parse the schema: each occupies one processor for a while.
func (a *App) admitAndRoute(ctx context.Context) error {
	var rootAccount errgroup.Group
	rootAccount.Go(func() error { return background.Protect(func() error { return a.ensureRoot(ctx) }) })
	return errors.Join(a.route(), rootAccount.Wait())
}

func (a *App) ensureRoot(ctx context.Context) error {
	return a.credentials.EnsureRoot(asSystem(ctx), a.cfg.AdminPassword, a.cfg.DataDir)
}

// announceAccess reports once the changes in access since policies are enforced. A failure is only
// logged, and policies are enforced in any case.
func (a *App) announceAccess(ctx context.Context) error {
	if err := a.access.Announce(asSystem(ctx), a.log); err != nil {
		a.log.WarnContext(ctx, "the changes of access by policies could not be reported; run metadata-service access report", "error", err)
	}
	return ctx.Err()
}

func asSystem(ctx context.Context) context.Context {
	return auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
}

// systemSecret returns the configured secret, or the one of the data directory.
func (a *App) systemSecret() (config.Secret, error) {
	switch {
	case a.cfg.SystemSecret != "":
		return a.cfg.SystemSecret, nil
	case a.cfg.SystemSecretFile != "":
		return secrets.ReadFile(filepath.Clean(a.cfg.SystemSecretFile))
	}
	return a.secrets.ReadOrCreate(secrets.System)
}

func (a *App) authenticator(secret config.Secret, guesses *ratelimit.Attempts) (*authn.Authenticator, error) {
	return authn.New(authn.Config{Enabled: a.cfg.Auth.Enabled, SystemSecret: secret, Tokens: a.authority, Guesses: guesses})
}

// selectorOf returns the index as a search.Selector, or nil if the driver does not implement it.
func selectorOf(index search.Index) search.Selector {
	s, _ := index.(search.Selector)
	return s
}
