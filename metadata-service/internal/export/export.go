package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Config holds the sources of an export.
type Config struct {
	Registry *model.Registry
	Rows     Rows
	// Documents are the time series.
	Documents timeseries.Store
	// Progress may be nil.
	Progress Progress
}

// Rows are the versioned aspects.
type Rows interface {
	store.Reader
	store.Scanner
}

// Progress receives the number of entities and time-series documents read so far, their total
// number, and the name of the current type or aspect.
type Progress func(done, total int64, what string)

// Summary counts the exported and the excluded data.
type Summary struct {
	Entities  int64
	Aspects   int64 // versioned ones, each counted once
	Documents int64 // time-series documents
	// Stayed counts the entities of excluded types, by type.
	Stayed map[string]int64
	// Secrets counts the aspects that were written without a secret and the record around it.
	Secrets int64
}

// Write writes the selected data to out, as one JSON list with one item per line. An invalid
// selection is fault.Malformed, before anything is written. After any other error the output is no
// complete list.
func Write(ctx context.Context, cfg Config, selection Selection, out io.Writer) (Summary, error) {
	chosen, err := selection.resolve(cfg.Registry)
	if err != nil {
		return Summary{}, err
	}
	buffered := bufio.NewWriterSize(out, bufferBytes)
	x := &exporter{Config: cfg, scope: chosen, list: &list{out: buffered}, page: pageSize{limit: firstPage}, sum: Summary{Stayed: map[string]int64{}}}
	for _, part := range []func(context.Context) error{x.count, x.entities, x.documents, x.derived, x.deferred} {
		if err := part(ctx); err != nil {
			return x.sum, err
		}
	}
	if err := x.list.end(); err != nil {
		return x.sum, err
	}
	return x.sum, buffered.Flush()
}

const bufferBytes = 64 << 10

type exporter struct {
	Config
	*scope
	list *list
	page pageSize
	sum  Summary

	done, total int64
	// lateTypes are the entity types with aspects to write at the end.
	lateTypes []*model.EntitySpec
}

// count determines the number of items and the excluded entities.
func (x *exporter) count(ctx context.Context) error {
	var kept []*model.EntitySpec
	for _, e := range x.types {
		n, err := x.Rows.Count(ctx, e.Name)
		if err != nil {
			return err
		}
		if n > 0 && exclusionReason(e) != "" {
			x.sum.Stayed[e.Name] = int64(n)
			continue
		}
		if n > 0 {
			kept = append(kept, e)
		}
		x.total += int64(n)
		for _, spec := range x.seriesOf(e) {
			n, err := x.Documents.Count(ctx, timeseries.IndexName(e.Name, spec.Name), timeseries.Query{})
			if err != nil {
				return err
			}
			x.total += n
		}
	}
	x.types = kept
	return nil
}

// seriesOf returns the selected time series of a type.
func (x *exporter) seriesOf(e *model.EntitySpec) []*model.AspectSpec {
	return slices.DeleteFunc(slices.Clone(e.Timeseries), func(spec *model.AspectSpec) bool { return !x.wants(spec) })
}

func (x *exporter) reportProgress(n int, what string) {
	x.done += int64(n)
	if x.Progress != nil {
		x.Progress(x.done, x.total, what)
	}
}

// entities writes the versioned aspects, except for those written later.
func (x *exporter) entities(ctx context.Context) error {
	for _, e := range x.types {
		x.reportProgress(0, e.Name)
		looked := func(n int) { x.reportProgress(n, e.Name) }
		err := x.eachEntity(ctx, e, nil, looked, func(en entity) error {
			for _, a := range en.aspects {
				if slices.Contains(derivedAspects, a.spec.Name) {
					continue
				}
				if err := x.writeEarly(en, a); err != nil {
					return err
				}
			}
			if len(en.aspects) > 0 {
				x.sum.Entities++
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("entities of type %s: %w", e.Name, err)
		}
	}
	return nil
}

// writeEarly writes the part of an aspect that can be imported before the entities that use this
// one, and records that the rest must follow.
func (x *exporter) writeEarly(en entity, a aspect) error {
	early, late, err := en.splitAspect(a)
	if err != nil {
		return err
	}
	if late && !slices.Contains(x.lateTypes, en.spec) {
		x.lateTypes = append(x.lateTypes, en.spec)
	}
	if early == nil {
		x.sum.Aspects++
		return nil
	}
	a.record.Value = early
	return x.write(en.spec, a)
}

// deferred writes the aspects that writeEarly has left for the end.
func (x *exporter) deferred(ctx context.Context) error {
	for _, e := range x.lateTypes {
		err := x.eachEntity(ctx, e, nil, func(int) {}, func(en entity) error {
			for _, a := range en.aspects {
				_, late, err := en.splitAspect(a)
				if err != nil {
					return err
				}
				if !late {
					continue
				}
				if err := x.list.add(e.Name, a.spec.Name, a.record.URN, a.record.Value, a.record.System); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("marks of type %s: %w", e.Name, err)
		}
	}
	return nil
}

// derived writes the aspects that rules derive.
func (x *exporter) derived(ctx context.Context) error {
	for _, e := range x.types {
		var names []string
		for _, name := range derivedAspects {
			if spec, carries := e.Aspect(name); carries && x.wants(spec) {
				names = append(names, name)
			}
		}
		if names == nil {
			continue
		}
		err := x.eachEntity(ctx, e, names, func(int) {}, func(en entity) error {
			for _, a := range en.aspects {
				if !slices.Contains(names, a.spec.Name) {
					continue
				}
				if err := x.write(en.spec, a); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("derived aspects of type %s: %w", e.Name, err)
		}
	}
	return nil
}

// write writes an aspect without the members that are not exported, unless nothing valid is left.
func (x *exporter) write(e *model.EntitySpec, a aspect) error {
	if paths := slices.Concat(a.spec.Encrypted, serviceMembers[a.spec.Name]); len(paths) > 0 {
		value, err := a.decoded()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(a.spec.Encrypted, func(path string) bool { return model.At(value, path) != "" }) {
			x.sum.Secrets++
		}
		if value = withoutMembers(x.Registry, a.spec, value, paths); value == nil {
			return nil
		}
		a.record.Value = jsontree.Encode(value)
	}
	x.sum.Aspects++
	return x.list.add(e.Name, a.spec.Name, a.record.URN, a.record.Value, a.record.System)
}

// documents writes the time series.
func (x *exporter) documents(ctx context.Context) error {
	for _, e := range x.types {
		for _, spec := range x.seriesOf(e) {
			if err := x.series(ctx, e, spec); err != nil {
				return fmt.Errorf("%s of type %s: %w", spec.Name, e.Name, err)
			}
		}
	}
	return nil
}

// series writes the documents of an index, the oldest first. The exploded documents of their
// collections follow from them.
func (x *exporter) series(ctx context.Context, e *model.EntitySpec, spec *model.AspectSpec) error {
	page := pageSize{limit: firstPage}
	for q := (timeseries.Query{Ascending: true}); ; {
		q.Limit = page.limit
		found, err := x.Documents.Find(ctx, timeseries.IndexName(e.Name, spec.Name), q)
		if err != nil || len(found) == 0 {
			return err
		}
		skip, err := x.excludedEntities(ctx, e, found)
		if err != nil {
			return err
		}
		bytes := 0
		for i := range found {
			bytes += len(found[i].Event)
			if skip[found[i].URN] {
				continue
			}
			if err := x.list.add(e.Name, spec.Name, found[i].URN, found[i].Event, found[i].System); err != nil {
				return err
			}
			x.sum.Documents++
		}
		last := found[len(found)-1]
		q.After = &timeseries.Position{Time: last.Time, ID: last.ID}
		page.adapt(len(found), bytes)
		x.reportProgress(len(found), spec.Name)
	}
}

// excludedEntities returns the entities whose time-series documents are not exported.
func (x *exporter) excludedEntities(ctx context.Context, e *model.EntitySpec, found []timeseries.Document) (map[urn.URN]bool, error) {
	skip, asked := map[urn.URN]bool{}, []urn.URN(nil)
	for i := range found {
		u := found[i].URN
		if _, known := skip[u]; known {
			continue
		}
		skip[u] = !x.matches(u)
		if !skip[u] && x.WithoutRemoved {
			asked = append(asked, u)
		}
	}
	if len(asked) == 0 {
		return skip, nil
	}
	stored, err := x.Rows.Aspects(ctx, asked, decidingAspects...)
	if err != nil {
		return nil, err
	}
	for i, u := range asked {
		skip[u] = true
		err := x.passEntity(e, stored[i], func(entity) error {
			skip[u] = false
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return skip, nil
}
