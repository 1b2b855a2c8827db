package graphql_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestNothingIsLostWhenManyChangeOneEntity lets clients change one dataset concurrently: each
// adds a tag, an owner and a link of its own, adds and removes another tag, and sets the
// description. Afterwards all added values must be present, all removed ones absent, and the
// description must be one of those written.
func TestNothingIsLostWhenManyChangeOneEntity(t *testing.T) {
	t.Parallel()
	const clients, orders = 16, "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	engine, world := newEngine(t)
	seed(t, world)
	for i := range clients {
		world.Put(t, urn.URN("urn:li:tag:"+number("kept", i)), "tagKey", fmt.Sprintf(`{"name":"kept%d"}`, i))
		world.Put(t, urn.URN("urn:li:tag:"+number("gone", i)), "tagKey", fmt.Sprintf(`{"name":"gone%d"}`, i))
		world.Put(t, urn.URN("urn:li:corpuser:"+number("owner", i)), "corpUserInfo", `{"active":true}`)
	}
	var created atomic.Int64
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			ask := func(mutation string) []graphql.Error {
				document := "mutation($on: String!) { " + strings.ReplaceAll(mutation, "#", fmt.Sprint(i)) + " }"
				return engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: document, Variables: json.RawMessage(`{"on":"` + orders + `"}`)}).Errors
			}
			for _, mutation := range []string{
				`addTag(input: {tagUrn: "urn:li:tag:gone#", resourceUrn: $on})`,
				`addTag(input: {tagUrn: "urn:li:tag:kept#", resourceUrn: $on})`,
				`addOwner(input: {ownerUrn: "urn:li:corpuser:owner#", ownerEntityType: CORP_USER, type: TECHNICAL_OWNER, resourceUrn: $on})`,
				`removeTag(input: {tagUrn: "urn:li:tag:gone#", resourceUrn: $on})`,
				`addLink(input: {linkUrl: "https://example.com/#", label: "#", resourceUrn: $on})`,
				`updateDescription(input: {description: "text #", resourceUrn: $on})`,
			} {
				if errs := ask(mutation); len(errs) > 0 {
					t.Errorf("client %d: %s: %+v", i, mutation, errs)
				}
			}
			document := `mutation($on: String!) { createTag(input: {id: "one", name: "client #"}) updateDescription(input: {description: "text #", resourceUrn: $on}) }`
			done := engine.Exec(world.As(t, servicetest.Root), graphql.Request{Query: strings.ReplaceAll(document, "#", fmt.Sprint(i)), Variables: json.RawMessage(`{"on":"` + orders + `"}`)})
			if len(done.Errors) == 0 {
				created.Add(1)
			} else if done.Errors[0].Extensions["code"] != 400 || !strings.Contains(done.Errors[0].Message, "already exists") {
				t.Errorf("client %d: %+v", i, done.Errors)
			}
		})
	}
	all.Wait()
	if n := created.Load(); n != 1 {
		t.Errorf("one tag was created %d times", n)
	}
	var found struct {
		Dataset struct {
			Tags struct {
				Tags []struct{ Tag struct{ Urn string } }
			}
			Ownership struct {
				Owners []struct{ Owner struct{ Urn string } }
			}
			InstitutionalMemory struct{ Elements []struct{ Label string } }
			EditableProperties  struct{ Description string }
		}
	}
	text := data(t, engine, world, servicetest.Root, `{ dataset(urn: "`+orders+`") {
		tags { tags { tag { urn } } } ownership { owners { owner { ... on CorpUser { urn } } } }
		institutionalMemory { elements { label } } editableProperties { description }
	} }`)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatal(err)
	}
	var has []string
	for _, one := range found.Dataset.Tags.Tags {
		has = append(has, one.Tag.Urn)
	}
	for _, one := range found.Dataset.Ownership.Owners {
		has = append(has, one.Owner.Urn)
	}
	for _, one := range found.Dataset.InstitutionalMemory.Elements {
		has = append(has, one.Label)
	}
	for i := range clients {
		for _, want := range []string{"urn:li:tag:" + number("kept", i), "urn:li:corpuser:" + number("owner", i), fmt.Sprint(i)} {
			if !slices.Contains(has, want) {
				t.Errorf("%s is lost", want)
			}
		}
		if gone := "urn:li:tag:" + number("gone", i); slices.Contains(has, gone) {
			t.Errorf("%s is still there", gone)
		}
	}
	if d := found.Dataset.EditableProperties.Description; !strings.HasPrefix(d, "text ") {
		t.Errorf("description %q", d)
	}
}

func number(name string, i int) string { return fmt.Sprintf("%s%d", name, i) }
