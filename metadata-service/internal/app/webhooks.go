package app

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/service/eventhook"
	"github.com/cartulary/cartulary/metadata-service/internal/webhook"
	"github.com/cartulary/cartulary/pkg/fault"
)

// openRecords creates the store of webhooks and failed writes. The file is opened at its first use.
func (a *App) openRecords(context.Context) error {
	path := filepath.Join(a.cfg.DataDir, datadir.RecordsFile)
	a.records = records.Deferred(func() (records.Store, error) {
		return a.files.openRecords(recordfile.Config{Path: path, Now: a.now, Log: a.log})
	})
	a.close = append(a.close, a.records.Close)
	return nil
}

// openWebhooks creates the service that delivers events, before the routes that manage it.
func (a *App) openWebhooks() *eventhook.Service {
	sender := webhook.New(webhook.Config{Hosts: a.cfg.Webhooks.Hosts, Setting: "webhooks.hosts", PublicOnly: !a.cfg.Webhooks.PrivateAddresses, MaxBody: eventhook.MaxBody})
	a.close = append(a.close, func() error {
		sender.Close()
		return nil
	})
	return eventhook.New(eventhook.Config{
		Records: a.records, Events: a.eventService(), Sender: sender, Authorizer: a.rights, Registry: a.registry, Cipher: a.cipher, MayAct: a.mayAct(), Now: a.now, Log: a.log,
	})
}

// beginWebhooks delivers events until the service ends. If the disk is full, the service starts
// without deliveries, which begin once there is space.
func (a *App) beginWebhooks(ctx context.Context) error {
	a.close = append(a.close, a.eventHooks.Close)
	a.watchStorages(storage{name: "records", state: a.eventHooks.Condition, background: true, probe: a.eventHooks.Probe})
	err := a.eventHooks.Begin(ctx)
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "started without webhooks, which begin when there is room on the disk", "error", err)
		return nil
	}
	return err
}
