package secret_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const seeded urn.URN = "urn:li:dataHubSecret:seeded"

func seed(change model.ChangeType, value string) catalog.Proposal {
	return catalog.Proposal{URN: string(seeded), Aspect: secret.ValueAspect, Change: change, Value: json.RawMessage(value)}
}

// TestASecretIsSeededByAnyInterface: clients ingest secrets like other metadata. The value is
// stored encrypted and decrypted by name.
func TestASecretIsSeededByAnyInterface(t *testing.T) {
	t.Parallel()
	f := setUp(t)
	write := func(who urn.URN, p catalog.Proposal) error {
		written, err := f.w.Catalog.Write(f.w.As(t, who), []catalog.Proposal{p}, catalog.WriteOptions{})
		for _, w := range written {
			if w.Record != nil && strings.Contains(string(w.Record.Value), "hunter") {
				t.Errorf("the answer holds %s", w.Record.Value)
			}
		}
		return err
	}
	const value = `{"name":"seeded","value":"hunter2","description":"of a database"}`
	if err := write(servicetest.Jo, seed(model.Upsert, value)); !errors.Is(err, fault.Forbidden) {
		t.Errorf("without the right: %v", err)
	}
	for _, change := range []model.ChangeType{model.CreateEntity, model.Upsert, model.Update, model.Restate} {
		if err := write(servicetest.Root, seed(change, value)); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
	}
	stored := func() string {
		record, err := f.w.Catalog.Managed(secret.ValueAspect).Get(f.ctx, seeded, secret.ValueAspect)
		if err != nil || record == nil {
			t.Fatalf("%v, %v", record, err)
		}
		return string(record.Value)
	}
	if text := stored(); strings.Contains(text, "hunter2") || !strings.Contains(text, "of a database") {
		t.Errorf("stored is %s", text)
	}
	if got := f.values(t, "seeded"); got["seeded"] != "hunter2" {
		t.Errorf("opened is %v", got)
	}
	if read, err := f.w.Catalog.Aspect(f.ctx, seeded, secret.ValueAspect, 0, catalog.Omitted); err != nil || strings.Contains(string(read.Value), "hunter2") {
		t.Errorf("a generic interface reads %s, %v", read.Value, err)
	}
	if err := write(servicetest.Root, seed(model.Upsert, `{"name":"seeded","value":"`+catalog.Mask+`"}`)); err != nil {
		t.Errorf("with the mask of what is stored: %v", err)
	}
	if got := f.values(t, "seeded"); got["seeded"] != "hunter2" {
		t.Errorf("after writing the mask: %v", got)
	}
	if err := f.Update(f.ctx, seeded, secret.Draft{Name: "seeded", Value: config.Secret("hunter3")}); err != nil {
		t.Fatal(err)
	}
	if got := f.values(t, "seeded"); got["seeded"] != "hunter3" || strings.Contains(stored(), "hunter3") {
		t.Errorf("after an update: %v", got)
	}
	before := stored()
	for name, p := range map[string]catalog.Proposal{
		"a patch":          seed(model.Patch, `[{"op":"copy","from":"/value","path":"/description"}]`),
		"a deletion":       seed(model.Delete, ``),
		"no name":          seed(model.Upsert, `{"name":" ","value":"hunter2"}`),
		"a long name":      seed(model.Upsert, `{"name":"`+strings.Repeat("n", 1001)+`","value":"hunter2"}`),
		"a long value":     seed(model.Upsert, `{"name":"n","value":"`+strings.Repeat("hunter2", 20_000)+`"}`),
		"no value":         seed(model.Upsert, `{"name":"n"}`),
		"another type":     seed(model.Upsert, `{"name":"n","value":{"hunter2":1}}`),
		"a list":           seed(model.Upsert, `{"name":"n","value":["hunter2"`+strings.Repeat(`,"a"`, 10_000)+`]}`),
		"a foreign URN":    {URN: "urn:li:tag:seeded", Aspect: secret.ValueAspect, Change: model.Upsert, Value: json.RawMessage(value)},
		"the mask of none": {URN: "urn:li:dataHubSecret:other", Aspect: secret.ValueAspect, Change: model.Upsert, Value: json.RawMessage(`{"name":"n","value":"` + catalog.Mask + `"}`)},
	} {
		err := write(servicetest.Root, p)
		if err == nil || fault.KindOf(err) == fault.Internal || strings.Contains(fmt.Sprint(err), "hunter") {
			t.Errorf("%s: %.300v", name, err)
		}
	}
	if stored() != before {
		t.Error("a refused write has changed the secret")
	}
}
