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

// Retention limits the history of an aspect. Zero values keep everything.
type Retention struct {
	MaxVersions int   // all versions, including the latest
	MaxAge      int64 // milliseconds since the write of a history record
}

// Write is a new value for an aspect.
type Write struct {
	Key
	Value         json.RawMessage // canonical
	SchemaVersion int64           // of the aspect, unless System has another
	System        model.SystemMetadata
	Actor         urn.URN
	Impersonator  urn.URN
	Now           int64 // epoch ms
	Retention     Retention
	TraceID       string
	Source        string // interface of the write; empty for none
	// Edges are the relationships derived from Value, if values of the aspect can have any
	// (MakesEdges). They replace those of the previous value, only if the value changes.
	Edges      []model.Edge
	MakesEdges bool
}

// Stored is the result of a Put or a deletion.
type Stored struct {
	// Old is the latest record before, nil if there was none. New is the latest record afterwards,
	// nil if there is none.
	Old, New *model.Record
	// Changed is false if the value was stored already, or if there was nothing to delete.
	Changed bool
	// Rows is the number of removed records.
	Rows int
}

// Put makes a value the latest version of its aspect. The caller has read old, the latest record,
// in this transaction, nil for none; Put itself reads nothing.
//
// A new value moves the latest record into the history and gets the next logical version. An equal
// value (equal canonical text) does neither: Put only updates the time of observation, the run and
// the properties of the record.
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

// LogicalVersion returns the version of a latest record, 0 for nil. A record without a version has
// version 1.
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

// system returns the system metadata of the new latest record.
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

// Attempted returns the system metadata of a write that was not carried out: that of the writer and
// of every write, without stored metadata.
func (w Write) Attempted() model.SystemMetadata {
	s := w.observed(nil)
	if s.LastRunID = ""; s.SchemaVersion == 0 {
		s.SchemaVersion = w.SchemaVersion
	}
	return s
}

// observed adds the metadata of every write, whether it changes the value or not.
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

// touch records that a value was written again.
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

// writerTrace returns the trace id of the request that wrote the value of a record.
func writerTrace(rec *model.Record) string {
	if first := rec.System.Properties[model.PropertyWrittenBy]; first != "" {
		return first
	}
	if rec.System.Properties[model.PropertyNoOp] == "true" {
		return "" // the trace is that of the last request that wrote the value again
	}
	return rec.System.Properties[model.PropertyTraceID]
}

// keepHistory stores the previous latest record in the history and removes records beyond the
// retention. A write removes one version, or more after the retention was reduced.
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

// Retain removes the history records of a key beyond the retention and returns their number.
func Retain(ctx context.Context, tx Tx, key Key, r Retention, now int64) (int, error) {
	removed := 0
	if r.MaxVersions > 0 {
		rows, err := tx.Rows(ctx, key)
		if err != nil {
			return 0, err
		}
		if surplus := len(rows) + 1 - r.MaxVersions; surplus > 0 {
			if removed, err = tx.RemoveHistory(ctx, key, rows[surplus-1]); err != nil {
				return 0, err
			}
		}
	}
	if r.MaxAge <= 0 {
		return removed, nil
	}
	aged, err := tx.RemoveOlder(ctx, key, now-r.MaxAge)
	return removed + aged, err
}

// Removal describes a deletion, for the log.
type Removal struct {
	Actor   urn.URN
	Now     int64
	RunID   string
	TraceID string
	// Edges derives the edges of a version that becomes the latest again. Without it such a version
	// has no edges.
	Edges func(survivor *model.Record) []model.Edge
	// Told reports whether the entry contains the removed value, for followers of the log, since
	// the record is gone by then. Without it no entry does.
	Told func(gone *model.Record) bool
	// ToldWithEntity reports the same for an aspect that is deleted with its entity. The single
	// entry of such a deletion contains at most MaxToldWithEntity bytes of values; aspects that do
	// not fit are left out.
	ToldWithEntity func(gone *model.Record) bool
}

// MaxToldWithEntity is the maximum size in bytes of the values in the entry of a deleted entity.
const MaxToldWithEntity = 16 << 20

func (r Removal) edges(survivor *model.Record) []model.Edge {
	if r.Edges == nil {
		return nil
	}
	return r.Edges(survivor)
}

// removedValue returns the value of a removed record for its entry, nil for none.
func (r Removal) removedValue(gone *model.Record) json.RawMessage {
	if r.Told == nil || !r.Told(gone) {
		return nil
	}
	return gone.Value
}

// removedAspects returns the values for the entry of a deleted entity, nil for none.
func (r Removal) removedAspects(gone []model.Record) (json.RawMessage, error) {
	if r.ToldWithEntity == nil {
		return nil, nil
	}
	var aspects []AspectGone
	size := 0
	for i := range gone {
		if size+len(gone[i].Value) > MaxToldWithEntity || !r.ToldWithEntity(&gone[i]) {
			continue
		}
		size += len(gone[i].Value)
		aspects = append(aspects, AspectGone{gone[i].Aspect, gone[i].Value})
	}
	if len(aspects) == 0 {
		return nil, nil
	}
	return json.Marshal(aspects)
}

func (r Removal) entry(kind EntryKind, key Key) Entry {
	return Entry{Kind: kind, URN: key.URN, Aspect: key.Aspect, Actor: r.Actor, Time: r.Now, RunID: r.RunID, TraceID: r.TraceID}
}

// Versions selects versions of an aspect by row numbers.
type Versions struct {
	// Latest is true if the latest record is selected. History lists the selected history records.
	Latest  bool
	History []int64
	// Survivor is the history record that becomes the latest when the latest is removed, 0 for
	// none.
	Survivor int64
}

// Delete removes an aspect with its history. The caller has read latest in this transaction; nil
// means that there is nothing to delete. Delete reads nothing.
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

// DeleteVersions removes some versions of an aspect. The caller has read latest in this
// transaction; nil means that there is nothing to delete. If the latest version is removed, the
// survivor takes its place, and its edges replace the previous ones. Only the survivor is read; an
// absent survivor is fault.Conflict.
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
	entry.Value = by.removedValue(latest)
	if _, err := tx.Append(ctx, entry); err != nil {
		return err
	}
	if err := tx.PutEdges(ctx, key, nil); err != nil {
		return err
	}
	return tx.Remove(ctx, key, 0)
}

// Match plans the removal of the versions for which match is true, from committed records: the
// latest and the history, which must be ordered by row number.
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
	entry.Value = by.removedValue(out.Old)
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

// DeleteEntity removes every record of a URN and the edges derived from its aspects, and returns
// the number of removed records. Edges that lead to the entity stay, as do the aspects from which
// they are derived. The log gets one entry, for the key aspect.
func DeleteEntity(ctx context.Context, tx Tx, u urn.URN, keyAspect string, by Removal) (int, error) {
	latest, err := AspectsOf(ctx, tx, u)
	if err != nil || len(latest) == 0 {
		return 0, err
	}
	removed := 0
	for _, rec := range latest {
		rows, err := tx.Rows(ctx, rec.Key())
		if err != nil {
			return 0, err
		}
		for _, row := range append(rows, 0) {
			if err := tx.Remove(ctx, rec.Key(), row); err != nil {
				return 0, err
			}
			removed++
		}
		if err := tx.PutEdges(ctx, rec.Key(), nil); err != nil {
			return 0, err
		}
	}
	entry := by.entry(EntityDeleted, Key{URN: u, Aspect: keyAspect})
	if entry.Value, err = by.removedAspects(latest); err != nil {
		return 0, err
	}
	_, err = tx.Append(ctx, entry)
	return removed, err
}
