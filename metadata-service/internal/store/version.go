package store

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Retention says how much history an aspect keeps. Zero values keep all.
type Retention struct {
	MaxVersions int   // versions in all, the latest included
	MaxAge      int64 // milliseconds since a history row was written
}

// Write is a new value for an aspect.
type Write struct {
	Key
	Value         json.RawMessage // canonical
	SchemaVersion int64           // of the aspect, unless the writer's System says otherwise
	System        model.SystemMetadata
	Actor         urn.URN
	Impersonator  urn.URN
	Now           int64 // epoch ms
	Retention     Retention
	TraceID       string
	Source        string // interface that the write came through; empty for none
	// Edges are what Value makes of relationships, when values of the aspect can (MakesEdges).
	// They replace those of the value before, with a real change only.
	Edges      []model.Edge
	MakesEdges bool
}

// Stored is what a Put or a deletion left behind.
type Stored struct {
	// Old is the latest row before, nil when there was none; New the one after, nil when
	// there is none.
	Old, New *model.Record
	// Changed is false when the value was there already, or nothing was there to delete.
	Changed bool
	// Rows counts the rows that were removed.
	Rows int
}

// Put makes a value the latest version of its aspect. The caller has read old, the
// latest row, in this transaction, nil for none; Put itself reads nothing.
//
// A new value copies the latest row to its history row and takes the next
// logical version. The same value again (equal canonical text) makes neither:
// only what was observed and by which run is noted.
func Put(ctx context.Context, tx Tx, old *model.Record, w Write) (Stored, error) {
	if old != nil && jsontree.SameText(old.Value, w.Value) {
		return touch(ctx, tx, old, w)
	}
	rec := model.Record{
		URN: w.URN, Aspect: w.Aspect, Value: w.Value, CreatedOn: w.Now, CreatedBy: w.Actor, CreatedFor: w.Impersonator,
		System: w.system(old),
	}
	entry := Entry{
		Kind: Written, URN: w.URN, Aspect: w.Aspect, OldVersion: LogicalVersion(old), NewVersion: LogicalVersion(old) + 1,
		Actor: w.Actor, Time: w.Now, RunID: rec.System.RunID, TraceID: w.TraceID,
	}
	var err error
	if rec.Sequence, err = tx.Append(ctx, entry); err != nil {
		return Stored{}, err
	}
	if err := tx.Put(ctx, rec); err != nil {
		return Stored{}, err
	}
	if old != nil {
		if err := keepHistory(ctx, tx, *old, w); err != nil {
			return Stored{}, err
		}
	}
	if w.MakesEdges {
		if err := tx.PutEdges(ctx, w.Key, w.Edges); err != nil {
			return Stored{}, err
		}
	}
	return Stored{Old: old, New: &rec, Changed: true}, nil
}

// LogicalVersion is the version a latest row counts, 0 for no row. Rows without
// one count as their first.
func LogicalVersion(rec *model.Record) int64 {
	if rec == nil {
		return 0
	}
	n, err := strconv.ParseInt(rec.System.Version, 10, 64)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// system is the system metadata of the new latest row.
func (w Write) system(old *model.Record) model.SystemMetadata {
	s := w.observed(old)
	stamp := &model.AuditStamp{Time: w.Now, Actor: w.Actor, Impersonator: w.Impersonator}
	s.Version = strconv.FormatInt(LogicalVersion(old)+1, 10)
	s.AspectCreated, s.AspectModified = stamp, stamp
	if s.SchemaVersion == 0 {
		s.SchemaVersion = w.SchemaVersion
	}
	if w.Actor == model.SystemActor {
		s.AspectModified = nil
	}
	if old == nil {
		return s
	}
	s.PipelineName = old.System.PipelineName
	s.RegistryName, s.RegistryVersion = old.System.RegistryName, old.System.RegistryVersion
	s.AspectCreated = old.System.AspectCreated
	if s.AspectModified == nil {
		s.AspectModified = old.System.AspectModified
	}
	return s
}

// Attempted is the system metadata of a write that was not carried out: what the writer stated
// and what every write notes, with nothing of what is stored.
func (w Write) Attempted() model.SystemMetadata {
	s := w.observed(nil)
	if s.LastRunID = ""; s.SchemaVersion == 0 {
		s.SchemaVersion = w.SchemaVersion
	}
	return s
}

// observed fills what every write notes, whether it changes anything or not.
func (w Write) observed(old *model.Record) model.SystemMetadata {
	s := w.System
	s.Properties = maps.Clone(s.Properties)
	delete(s.Properties, model.PropertyNoOp)
	delete(s.Properties, model.PropertyWrittenBy)
	if s.LastObserved == 0 {
		s.LastObserved = w.Now
	}
	if s.RunID == "" {
		s.RunID = model.DefaultRunID
	}
	s.LastRunID = model.DefaultRunID
	if old != nil {
		s.LastRunID = old.System.RunID
	}
	if w.TraceID != "" {
		s.Set(model.PropertyTraceID, w.TraceID)
	}
	if w.Source != "" {
		s.Set(model.PropertySource, w.Source)
	}
	return s
}

// touch notes that a value was seen again.
func touch(ctx context.Context, tx Tx, old *model.Record, w Write) (Stored, error) {
	seen := w.observed(old)
	rec := *old
	rec.System.LastObserved, rec.System.RunID, rec.System.LastRunID = seen.LastObserved, seen.RunID, seen.LastRunID
	rec.System.Properties = seen.Properties
	rec.System.Set(model.PropertyNoOp, "true")
	if written := writerTrace(old); written != "" && written != w.TraceID {
		rec.System.Set(model.PropertyWrittenBy, written)
	}
	_, err := tx.Append(ctx, Entry{
		Kind: Touched, URN: w.URN, Aspect: w.Aspect, OldVersion: LogicalVersion(old), NewVersion: LogicalVersion(old),
		Actor: w.Actor, Time: w.Now, RunID: seen.RunID, TraceID: w.TraceID,
	})
	if err != nil {
		return Stored{}, err
	}
	return Stored{Old: old, New: &rec}, tx.Put(ctx, rec)
}

// writerTrace is the trace of the request that wrote the value of a row.
func writerTrace(rec *model.Record) string {
	if first := rec.System.Properties[model.PropertyWrittenBy]; first != "" {
		return first
	}
	if rec.System.Properties[model.PropertyNoOp] == "true" {
		return "" // of the last request that saw it again
	}
	return rec.System.Properties[model.PropertyTraceID]
}

// keepHistory files the former latest row and drops what retention no longer keeps.
// One version goes with a write, and more after retention has become smaller.
func keepHistory(ctx context.Context, tx Tx, old model.Record, w Write) error {
	keep := int64(w.Retention.MaxVersions)
	version := LogicalVersion(&old)
	if keep != 1 {
		old.Row = version
		if err := tx.Put(ctx, old); err != nil {
			return err
		}
	}
	if drop := version + 1 - keep; keep > 0 && drop > 0 {
		if _, err := tx.RemoveHistory(ctx, w.Key, drop); err != nil {
			return err
		}
	}
	if w.Retention.MaxAge <= 0 {
		return nil
	}
	_, err := tx.RemoveOlder(ctx, w.Key, w.Now-w.Retention.MaxAge)
	return err
}

// Retain drops the history rows of a key that retention does not keep and
// returns how many went.
func Retain(ctx context.Context, tx Tx, key Key, r Retention, now int64) (int, error) {
	gone := 0
	if r.MaxVersions > 0 {
		rows, err := tx.Rows(ctx, key)
		if err != nil {
			return 0, err
		}
		if surplus := len(rows) + 1 - r.MaxVersions; surplus > 0 {
			if gone, err = tx.RemoveHistory(ctx, key, rows[surplus-1]); err != nil {
				return 0, err
			}
		}
	}
	if r.MaxAge <= 0 {
		return gone, nil
	}
	aged, err := tx.RemoveOlder(ctx, key, now-r.MaxAge)
	return gone + aged, err
}

// Removal says who deletes, for the log.
type Removal struct {
	Actor   urn.URN
	Now     int64
	RunID   string
	TraceID string
	// Edges derives the edges of a version that becomes the latest again. Without it such a
	// version makes none.
	Edges func(survivor *model.Record) []model.Edge
	// Told tells whether the entry carries a value that goes, for those who follow changes: the
	// row is gone then. Without it no entry does.
	Told func(gone *model.Record) bool
	// ToldWithEntity tells the same of an aspect that goes with its entity. The one entry of that
	// carries at most MaxToldWithEntity bytes of values; aspects that do not fit are left out.
	ToldWithEntity func(gone *model.Record) bool
}

// MaxToldWithEntity is how many bytes of values the entry of a deleted entity carries.
const MaxToldWithEntity = 16 << 20

func (r Removal) edges(survivor *model.Record) []model.Edge {
	if r.Edges == nil {
		return nil
	}
	return r.Edges(survivor)
}

// told is the value that an entry carries of a row that goes, nil for none.
func (r Removal) told(gone *model.Record) json.RawMessage {
	if r.Told == nil || !r.Told(gone) {
		return nil
	}
	return gone.Value
}

// toldOf are the values that the entry of a deleted entity carries, nil for none.
func (r Removal) toldOf(gone []model.Record) (json.RawMessage, error) {
	if r.ToldWithEntity == nil {
		return nil, nil
	}
	var told []AspectGone
	size := 0
	for i := range gone {
		if size+len(gone[i].Value) > MaxToldWithEntity || !r.ToldWithEntity(&gone[i]) {
			continue
		}
		size += len(gone[i].Value)
		told = append(told, AspectGone{gone[i].Aspect, gone[i].Value})
	}
	if len(told) == 0 {
		return nil, nil
	}
	return json.Marshal(told)
}

func (r Removal) entry(kind EntryKind, key Key) Entry {
	return Entry{Kind: kind, URN: key.URN, Aspect: key.Aspect, Actor: r.Actor, Time: r.Now, RunID: r.RunID, TraceID: r.TraceID}
}

// Versions picks versions of an aspect by the numbers of their rows.
type Versions struct {
	// Latest is set when the latest row goes, History lists rows of the history that go.
	Latest  bool
	History []int64
	// Survivor is the row of the history that becomes the latest when that goes, 0 for none.
	Survivor int64
}

// Delete removes an aspect with its history. The caller has read latest in this
// transaction; nil means that there is nothing to delete. It reads nothing.
func Delete(ctx context.Context, tx Tx, latest *model.Record, by Removal) (Stored, error) {
	if latest == nil {
		return Stored{}, nil
	}
	rows, err := tx.RemoveHistory(ctx, latest.Key(), math.MaxInt64)
	if err != nil {
		return Stored{}, err
	}
	out := Stored{Old: latest, Changed: true, Rows: rows + 1}
	return out, removeLatest(ctx, tx, latest, by)
}

// DeleteVersions removes some versions of an aspect. The caller has read latest in
// this transaction; nil means that there is nothing to delete. When the latest
// goes, the survivor takes its place, and its edges that of the edges. Only the
// survivor is read; one that is gone is fault.Conflict.
func DeleteVersions(ctx context.Context, tx Tx, latest *model.Record, v Versions, by Removal) (Stored, error) {
	if latest == nil {
		return Stored{}, nil
	}
	key := latest.Key()
	out := Stored{Old: latest, New: latest, Rows: len(v.History)}
	for _, row := range v.History {
		if err := tx.Remove(ctx, key, row); err != nil {
			return Stored{}, err
		}
	}
	if !v.Latest {
		return out, nil
	}
	out.Rows++
	out.Changed = true
	if v.Survivor == 0 {
		out.New = nil
		return out, removeLatest(ctx, tx, latest, by)
	}
	survivor, err := tx.Row(ctx, key, v.Survivor)
	if err != nil {
		return Stored{}, err
	}
	if survivor == nil {
		return Stored{}, fault.New(fault.Conflict, "version row %d of %s of %s is gone", v.Survivor, key.Aspect, key.URN)
	}
	return out, restore(ctx, tx, *survivor, &out, by)
}

func removeLatest(ctx context.Context, tx Tx, latest *model.Record, by Removal) error {
	key := latest.Key()
	entry := by.entry(Deleted, key)
	entry.OldVersion = LogicalVersion(latest)
	entry.Value = by.told(latest)
	if _, err := tx.Append(ctx, entry); err != nil {
		return err
	}
	if err := tx.PutEdges(ctx, key, nil); err != nil {
		return err
	}
	return tx.Remove(ctx, key, 0)
}

// Match plans the removal of the versions that match, from committed rows: the
// latest and the history, which must be ordered by row.
func Match(latest *model.Record, history []model.Record, match func(*model.Record) bool) Versions {
	var v Versions
	for i := range history {
		if match(&history[i]) {
			v.History = append(v.History, history[i].Row)
			continue
		}
		v.Survivor = history[i].Row
	}
	v.Latest = latest != nil && match(latest)
	return v
}

func restore(ctx context.Context, tx Tx, survivor model.Record, out *Stored, by Removal) error {
	if err := tx.Remove(ctx, survivor.Key(), survivor.Row); err != nil {
		return err
	}
	entry := by.entry(Written, survivor.Key())
	entry.OldVersion, entry.NewVersion = LogicalVersion(out.Old), LogicalVersion(&survivor)
	entry.Value = by.told(out.Old)
	sequence, err := tx.Append(ctx, entry)
	if err != nil {
		return err
	}
	survivor.Row, survivor.Sequence = 0, sequence
	out.New = &survivor
	if err := tx.PutEdges(ctx, survivor.Key(), by.edges(&survivor)); err != nil {
		return err
	}
	return tx.Put(ctx, survivor)
}

// DeleteEntity removes every row of a URN, and the edges that its aspects made,
// and returns how many rows went. Edges that lead to it stay, as do the aspects
// that make them. The log gets one entry, for the key aspect.
func DeleteEntity(ctx context.Context, tx Tx, u urn.URN, keyAspect string, by Removal) (int, error) {
	latest, err := AspectsOf(ctx, tx, u)
	if err != nil || len(latest) == 0 {
		return 0, err
	}
	gone := 0
	for _, rec := range latest {
		rows, err := tx.Rows(ctx, rec.Key())
		if err != nil {
			return 0, err
		}
		for _, row := range append(rows, 0) {
			if err := tx.Remove(ctx, rec.Key(), row); err != nil {
				return 0, err
			}
			gone++
		}
		if err := tx.PutEdges(ctx, rec.Key(), nil); err != nil {
			return 0, err
		}
	}
	entry := by.entry(EntityDeleted, Key{URN: u, Aspect: keyAspect})
	if entry.Value, err = by.toldOf(latest); err != nil {
		return 0, err
	}
	_, err = tx.Append(ctx, entry)
	return gone, err
}
