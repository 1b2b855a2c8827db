package version_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/version"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	first  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,orders_v1,PROD)"
	second urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,orders_v2,PROD)"
	orders urn.URN = "urn:li:versionSet:(orders,dataset)"
	other  urn.URN = "urn:li:versionSet:(other,dataset)"
)

// newService returns a service with two datasets, linked in order.
func newService(t *testing.T) (*version.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	s := version.New(w.Edit)
	for label, u := range map[string]urn.URN{"v1": first, "v2": second} {
		w.Put(t, u, "datasetProperties", `{"name":"`+label+`"}`)
	}
	for _, link := range []version.Link{{Set: orders, Entity: first, Label: "v1"}, {Set: orders, Entity: second, Label: "v2"}} {
		if changed, err := s.Link(w.As(t, servicetest.Jo), link); err != nil || !changed {
			t.Fatal(changed, err)
		}
	}
	return s, w
}

func TestTheLastLinkedIsTheLatest(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	latest := func() string { return w.Get(t, orders, "versionSetProperties") }
	if !strings.Contains(latest(), string(second)) {
		t.Errorf("got %s, want the second version", latest())
	}
	// The set is derived from the version.
	if left, err := s.Unlink(w.As(t, servicetest.Jo), "", second); err != nil || left != orders {
		t.Fatalf("got %q, %v", left, err)
	}
	if !strings.Contains(latest(), string(first)) {
		t.Errorf("got %s, want the first version", latest())
	}
	if left, err := s.Unlink(w.As(t, servicetest.Jo), orders, second); err != nil || left != "" {
		t.Errorf("once more: got %q, %v, want nothing", left, err)
	}
	if left, err := s.Unlink(w.As(t, servicetest.Jo), orders, first); err != nil || left != orders {
		t.Fatalf("got %q, %v", left, err)
	}
	if latest() != "" {
		t.Errorf("got %s, want the set gone with its last version", latest())
	}
}

func TestLinkingAgain(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	for _, tc := range []struct {
		name string
		link version.Link
		want bool
	}{
		{"the latest under its label", version.Link{Set: orders, Entity: second, Label: "v2"}, false},
		{"the latest under another label", version.Link{Set: orders, Entity: second, Label: "v3"}, true},
		{"an older one", version.Link{Set: orders, Entity: first, Label: "v1"}, true},
	} {
		if changed, err := s.Link(w.As(t, servicetest.Jo), tc.link); err != nil || changed != tc.want {
			t.Errorf("%s: got %v, %v, want %v", tc.name, changed, err, tc.want)
		}
	}
	if got := w.Get(t, orders, "versionSetProperties"); !strings.Contains(got, string(first)) {
		t.Errorf("got %s, want the one linked last", got)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	jo := w.As(t, servicetest.Jo)
	link := func(l version.Link) func() error { return func() error { _, err := s.Link(jo, l); return err } }
	for name, tc := range map[string]struct {
		do   func() error
		want fault.Kind
	}{
		"no label":                   {link(version.Link{Set: orders, Entity: first}), fault.Malformed},
		"a label that is taken":      {link(version.Link{Set: orders, Entity: second, Label: "v1"}), fault.Invalid},
		"an asset that is not there": {link(version.Link{Set: orders, Entity: "urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)", Label: "v3"}), fault.Malformed},
		"an asset of others":         {link(version.Link{Set: orders, Entity: "urn:li:domain:shop", Label: "v3"}), fault.Forbidden},
		"a time before all times":    {link(version.Link{Set: orders, Entity: first, Label: "v3", SourceTime: -1}), fault.Malformed},
		"a version of another set":   {link(version.Link{Set: other, Entity: first, Label: "v1"}), fault.Malformed},
		"another set":                {func() error { _, err := s.Unlink(jo, other, first); return err }, fault.Malformed},
		"unlinking what is others'":  {func() error { _, err := s.Unlink(jo, "", "urn:li:domain:shop"); return err }, fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.do(); fault.KindOf(err) != tc.want {
				t.Errorf("got %v (%v), want %v", err, fault.KindOf(err), tc.want)
			}
		})
	}
}
