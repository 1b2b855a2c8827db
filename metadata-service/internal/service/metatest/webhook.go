package metatest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/projection"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Webhooks is a background projection that sends webhook messages about changed verdicts. Since it
// follows stored results, it covers writes through all APIs and sends messages again after the
// process was killed. Receivers recognize repeated messages by their id.
//
// A message that a receiver does not accept after all attempts is logged and lost.
type Webhooks struct {
	*Service
	versions store.Reader
}

// NewWebhooks returns the sink. It reads results from versions.
func NewWebhooks(s *Service, versions store.Reader) *Webhooks { return &Webhooks{s, versions} }

// Name implements projection.Sink.
func (*Webhooks) Name() string { return "metadata-test-webhooks" }

// Durable implements projection.Sink. It returns true, since messages that were sent are not sent
// again.
func (*Webhooks) Durable() bool { return true }

// Missed implements projection.BackgroundSink. It logs the gap and sends nothing, since the changes
// are outdated.
func (w *Webhooks) Missed(ctx context.Context, gap projection.Gap) error {
	w.Log.WarnContext(ctx, "webhooks of metadata tests are not sent: changes are no longer kept", "first", gap.First, "last", gap.Last, "cause", gap.Cause)
	return nil
}

// maxMessageAssets is the maximum number of assets in one message. URNs have about 100 bytes, 500
// at most.
const maxMessageAssets = 200

// message is the body of a webhook. Its format is documented in docs/api/metadata-tests.md.
type message struct {
	ID      string         `json:"id"`
	Test    urn.URN        `json:"test"`
	Verdict string         `json:"verdict"` // PASSING or FAILING
	Assets  []messageAsset `json:"assets"`
}

type messageAsset struct {
	URN  urn.URN `json:"urn"`
	Time int64   `json:"time"` // when the verdict was reached, in epoch milliseconds
}

// verdictChange is a new verdict of a test.
type verdictChange struct {
	test    urn.URN
	verdict language.Verdict
}

// Apply implements projection.Sink. It sends messages ordered by test and verdict.
func (w *Webhooks) Apply(ctx context.Context, entries []store.Entry) error {
	reached, first := map[verdictChange][]messageAsset{}, map[verdictChange]uint64{}
	for i := range entries {
		e := &entries[i]
		if e.Kind != store.Written || e.Aspect != resultsAspect {
			continue
		}
		if err := w.collect(ctx, e, reached, first); err != nil {
			return err
		}
	}
	if len(reached) == 0 {
		return nil
	}
	tests, err := w.testsOf(ctx, reached)
	if err != nil {
		return err
	}
	order := make([]verdictChange, 0, len(reached))
	for n := range reached {
		order = append(order, n)
	}
	slices.SortFunc(order, func(a, b verdictChange) int {
		if by := strings.Compare(string(a.test), string(b.test)); by != 0 {
			return by
		}
		return int(a.verdict) - int(b.verdict)
	})
	for _, n := range order {
		if err := w.send(ctx, n, tests[n.test], first[n], reached[n]); err != nil {
			return err
		}
	}
	return nil
}

// collect adds the verdicts that a write of results changed.
func (w *Webhooks) collect(ctx context.Context, e *store.Entry, reached map[verdictChange][]messageAsset, first map[verdictChange]uint64) error {
	after, err := resultsIn(store.ValueAt(ctx, w.versions, *e))
	if err != nil || after == nil {
		return err
	}
	before, err := resultsIn(store.ValueBefore(ctx, w.versions, *e))
	if err != nil {
		return err
	}
	for verdict, member := range map[language.Verdict]string{language.Passing: "passing", language.Failing: "failing"} {
		for _, r := range jsontree.Children(after, member) {
			n := verdictChange{urn.URN(jsontree.Text(r, "test")), verdict}
			if verdictIn(before, n.test) == verdict {
				continue
			}
			if _, known := first[n]; !known {
				first[n] = e.Sequence
			}
			reached[n] = append(reached[n], messageAsset{e.URN, jsontree.Int(jsontree.Child(r, "lastComputed"), "time")})
		}
	}
	return nil
}

// resultsIn decodes results. It returns nil when there are none or their version is gone.
func resultsIn(rec *model.Record, err error) (jsontree.Object, error) {
	if errors.Is(err, store.ErrGone) || err == nil && rec == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return jsontree.DecodeObject(rec.Value)
}

// testsOf returns the tests of verdicts, without tests that no longer exist or are invalid.
func (w *Webhooks) testsOf(ctx context.Context, reached map[verdictChange][]messageAsset) (map[urn.URN]*language.Test, error) {
	var urns []urn.URN
	for n := range reached {
		urns = append(urns, n.test)
	}
	slices.Sort(urns)
	found, err := w.compile(ctx, slices.Compact(urns), func(urn.URN, error) error { return nil })
	if err != nil {
		return nil, err
	}
	out := make(map[urn.URN]*language.Test, len(found))
	for _, t := range found {
		out[t.urn] = t.test
	}
	return out, nil
}

// send sends the webhook messages of a test for a verdict, each with up to maxMessageAssets assets.
func (w *Webhooks) send(ctx context.Context, n verdictChange, test *language.Test, sequence uint64, assets []messageAsset) error {
	if test == nil {
		return nil
	}
	actions, verdict := test.Passing, "PASSING"
	if n.verdict == language.Failing {
		actions, verdict = test.Failing, "FAILING"
	}
	for i, a := range actions {
		if a.Type != language.Webhook {
			continue
		}
		part := 0
		for page := range slices.Chunk(assets, maxMessageAssets) {
			id := strings.Join([]string{n.test.Key(), verdict, strconv.Itoa(i), strconv.FormatUint(sequence, 10), strconv.Itoa(part)}, "-")
			part++
			body, err := json.Marshal(message{ID: id, Test: n.test, Verdict: verdict, Assets: page})
			if err != nil {
				return err
			}
			if err := w.Service.Webhooks.Post(ctx, a.Texts[0], id, body); err != nil {
				if ctx.Err() != nil {
					return ctx.Err() // sent again after the next start
				}
				w.Log.WarnContext(ctx, "a webhook of a metadata test was not taken", "test", n.test, "assets", len(page), "error", err)
			}
		}
	}
	return nil
}
