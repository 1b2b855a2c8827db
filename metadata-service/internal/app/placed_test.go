//go:build unix

package app_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestWhatHoldsAssetsOfOthersIsNotPlacedByCreatingOrDeletingIt creates and deletes containers,
// domains and terms that contain datasets of other users. Policies over a place apply to everything
// below it. Therefore creating such an entity in a place, or deleting it from there, requires the
// rights over its contents, as a move does.
func TestWhatHoldsAssetsOfOthersIsNotPlacedByCreatingOrDeletingIt(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	policies := 0
	policy := func(privileges, criteria string) {
		policies++
		put(t, m.app, fmt.Sprint("urn:li:dataHubPolicy:placed", policies), "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":[`+privileges+`],
			"actors":{"users":["`+holderURN+`"]},"resources":{"filter":{"criteria":[`+criteria+`]}}}`)
	}
	// As for a pipeline that writes containers, domains and the glossary, and the datasets of one
	// domain.
	policy(`"EDIT_ENTITY","DELETE_ENTITY","CREATE_ENTITY"`, `{"field":"TYPE","values":["container","domain","glossaryTerm","glossaryNode"]}`)
	policy(`"EDIT_ENTITY","DELETE_ENTITY","CREATE_ENTITY"`, `{"field":"TYPE","values":["dataset"]},{"field":"DOMAIN","values":["urn:li:domain:own"]}`)
	dataset := func(name string) string { return "urn:li:dataset:(urn:li:dataPlatform:hive,placed." + name + ",PROD)" }
	of := func(u string) string { return strings.Split(u, ":")[2] }
	for _, id := range []string{"own", "V"} {
		put(t, m.app, "urn:li:domain:"+id, "domainProperties", `{"name":"`+id+`"}`)
	}
	put(t, m.app, "urn:li:container:root", "containerProperties", `{"name":"root"}`)
	put(t, m.app, "urn:li:glossaryNode:root", "glossaryNodeInfo", `{"name":"root","definition":""}`)

	entity := func(u string) string { return "/openapi/v3/entity/" + of(u) + "/" + url.PathEscape(u) }
	create := func(u, aspect, value string) answer {
		return ask(t, m.app, m.holder, "POST", "/openapi/v3/entity/"+of(u)+"?async=false", `[{"urn":"`+u+`","`+aspect+`":{"value":`+value+`}}]`)
	}
	remove := func(u string) answer { return ask(t, m.app, m.holder, "DELETE", entity(u), "") }
	stored := func(u string) bool { return ask(t, m.app, asTheSystem, "GET", entity(u), "").status == 200 }

	// For services: the right to create domains, and to manage the children of one glossary node.
	put(t, m.app, "urn:li:dataHubPolicy:creates", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"PLATFORM","privileges":["CREATE_DOMAINS"],"actors":{"users":["`+holderURN+`"]}}`)
	policy(`"MANAGE_GLOSSARY_CHILDREN"`, `{"field":"URN","values":["urn:li:glossaryNode:root"]}`)
	mutate := func(text string) answer {
		return ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody("mutation { "+text+" }"))
	}

	for _, kind := range []struct {
		prefix, aspect, place, contents, held string
		excludes                              string // a criterion on the place
		creates, deletes                      string // mutations; empty if there is none
	}{
		{
			prefix: "urn:li:container:", aspect: "container", place: `{"container":"urn:li:container:root"}`, contents: "container", held: `{"container":"%s"}`,
			excludes: `{"field":"CONTAINER","condition":"NOT_EQUALS","values":["urn:li:container:root"]}`,
		},
		{
			prefix: "urn:li:domain:", aspect: "domainProperties", place: `{"name":"%s","parentDomain":"urn:li:domain:V"}`, contents: "domains", held: `{"domains":["%s"]}`,
			excludes: `{"field":"DOMAIN","condition":"NOT_EQUALS","values":["urn:li:domain:V"]}`,
			creates:  `createDomain(input: {id: "%s", name: "%s", parentDomain: "urn:li:domain:V"})`, deletes: `deleteDomain(urn: "urn:li:domain:%s")`,
		},
		{
			prefix: "urn:li:glossaryTerm:", aspect: "glossaryTermInfo", place: `{"name":"%s","definition":"","termSource":"INTERNAL","parentNode":"urn:li:glossaryNode:root"}`,
			contents: "glossaryTerms", held: `{"terms":[{"urn":"%s"}],"auditStamp":{"time":0,"actor":"urn:li:corpuser:datahub"}}`,
			excludes: `{"field":"GLOSSARY","condition":"NOT_EQUALS","values":["urn:li:glossaryNode:root"]}`,
			creates:  `createGlossaryTerm(input: {id: "%s", name: "%s", parentNode: "urn:li:glossaryNode:root"})`, deletes: `deleteGlossaryEntity(urn: "urn:li:glossaryTerm:%s")`,
		},
		{
			prefix: "urn:li:glossaryNode:", aspect: "glossaryNodeInfo", place: `{"name":"%s","definition":"","parentNode":"urn:li:glossaryNode:root"}`,
			excludes: `{"field":"GLOSSARY","condition":"NOT_EQUALS","values":["urn:li:glossaryNode:root"]}`,
			creates:  `createGlossaryNode(input: {id: "%s", name: "%s", parentNode: "urn:li:glossaryNode:root"})`, deletes: `deleteGlossaryEntity(urn: "urn:li:glossaryNode:%s")`,
		},
	} {
		// hold adds contents to an entity: a dataset, or for a node a term of a dataset. mine is
		// set if the actor may edit the dataset.
		hold := func(u, name string, mine bool) {
			if mine {
				put(t, m.app, dataset(name), "domains", `{"domains":["urn:li:domain:own"]}`)
			}
			contents, held, in := kind.contents, kind.held, u
			if contents == "" {
				in = "urn:li:glossaryTerm:in." + name
				put(t, m.app, in, "glossaryTermInfo", fmt.Sprintf(`{"name":"%s","definition":"","termSource":"INTERNAL","parentNode":"%s"}`, name, u))
				contents, held = "glossaryTerms", `{"terms":[{"urn":"%s"}],"auditStamp":{"time":0,"actor":"urn:li:corpuser:datahub"}}`
			}
			value := fmt.Sprintf(held, in)
			if mine && contents == "domains" {
				value = `{"domains":["` + in + `","urn:li:domain:own"]}`
			}
			put(t, m.app, dataset(name), contents, value)
		}
		place := func(u string) string {
			if strings.Contains(kind.place, "%s") {
				return fmt.Sprintf(kind.place, strings.ReplaceAll(u, ":", "."))
			}
			return kind.place
		}
		bySteps := map[string]func(u string) answer{
			"created": func(u string) answer { return create(u, kind.aspect, place(u)) },
			"deleted": remove,
			"deleted and created anew": func(u string) answer {
				if got := ask(t, m.app, asTheSystem, "DELETE", entity(u), ""); got.status != 200 {
					t.Fatal(got)
				}
				return create(u, kind.aspect, place(u))
			},
		}
		if kind.creates != "" {
			id := func(text, u string) string { return strings.ReplaceAll(text, "%s", strings.TrimPrefix(u, kind.prefix)) }
			bySteps["created by a service"] = func(u string) answer { return mutate(id(kind.creates, u)) }
			bySteps["deleted by a service"] = func(u string) answer { return mutate(id(kind.deletes, u)) }
		}
		for _, excluding := range []bool{false, true} {
			state := map[bool]string{true: "ACTIVE", false: "INACTIVE"}[excluding]
			put(t, m.app, "urn:li:dataHubPolicy:excluding", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"`+state+`","type":"METADATA","privileges":["EDIT_ENTITY_TAGS"],
				"actors":{"users":["`+nobodyURN+`"]},"resources":{"filter":{"criteria":[`+kind.excludes+`]}}}`)
			for step, take := range bySteps {
				for contents, want := range map[string]bool{"nothing": true, "own contents": true, "contents of others": strings.HasPrefix(step, "deleted") && !strings.HasSuffix(step, "anew") && !excluding} {
					name := strings.ReplaceAll(fmt.Sprint(of(kind.prefix), "-", step, "-with-", contents, "-", excluding), " ", "-")
					u := kind.prefix + name
					if strings.HasPrefix(step, "deleted") {
						put(t, m.app, u, kind.aspect, place(u))
					}
					if contents != "nothing" {
						hold(u, name, contents == "own contents")
					}
					before := stored(u)
					got := take(u)
					if done := !isRefusal(got) && got.status < 300 && !strings.Contains(got.body, `"errors"`); done != want {
						t.Errorf("%s: answered %d %.300s", u, got.status, got.body)
					}
					if !want && !strings.HasSuffix(step, "anew") && stored(u) != before {
						t.Errorf("%s: it was refused, and done", u)
					}
				}
			}
		}
	}

	// The creator of a container without a place may place it as long as no other user has added
	// contents.
	for name, filled := range map[string]bool{"empty": false, "filled": true} {
		u := "urn:li:container:later-" + name
		if got := create(u, "containerProperties", `{"name":"later"}`); got.status != 200 {
			t.Fatal(got)
		}
		if filled {
			put(t, m.app, dataset("later"), "container", `{"container":"`+u+`"}`)
		}
		if got := create(u, "container", `{"container":"urn:li:container:root"}`); isRefusal(got) != filled {
			t.Errorf("%s: %d %.300s", u, got.status, got.body)
		}
	}
}

// TestEveryInterfaceAsksBeforeItPlacesOrDeletesAContainerOfOthers creates containers that datasets
// of other users already name, and deletes such containers from a place by which a policy excludes,
// by every API that accepts any aspect, as an actor with privileges only over containers, and as an
// administrator whose token is limited to them.
func TestEveryInterfaceAsksBeforeItPlacesOrDeletesAContainerOfOthers(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	entity, _ := registry.Entity("container")
	spec, _ := entity.Aspect("container")
	put(t, m.app, "urn:li:container:root", "containerProperties", `{"name":"root"}`)
	put(t, m.app, "urn:li:dataHubPolicy:containers", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["EDIT_ENTITY","DELETE_ENTITY","CREATE_ENTITY"],
		"actors":{"users":["`+holderURN+`"]},"resources":{"filter":{"criteria":[{"field":"TYPE","values":["container"]}]}}}`)
	put(t, m.app, "urn:li:dataHubPolicy:ingestion", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"PLATFORM","privileges":["MANAGE_INGESTION"],"actors":{"users":["`+holderURN+`"]}}`)
	put(t, m.app, "urn:li:dataHubPolicy:excludes", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["EDIT_ENTITY_TAGS"],"actors":{"users":["`+nobodyURN+`"]},
		"resources":{"filter":{"criteria":[{"field":"CONTAINER","condition":"NOT_EQUALS","values":["urn:li:container:root"]}]}}}`)
	place := func(u urn.URN) string {
		return ask(t, m.app, asTheSystem, "GET", "/openapi/v3/entity/container/"+url.PathEscape(string(u))+"/container", "").body
	}
	tried := 0
	for who, credential := range map[string]string{"holder": m.holder, "token": scopedToken(t, m.app, `{resources: [{field: "TYPE", values: ["container"], condition: EQUALS}]}`)} {
		for n, w := range writers {
			u := urn.URN(fmt.Sprintf("urn:li:container:by-%s-%d", who, n))
			f := &fact{entity: entity, spec: spec, urn: u, value: `{"container":"urn:li:container:root"}`, run: fmt.Sprintf("run-%s-%d", who, n)}
			if w.unless != nil && w.unless(f) {
				continue
			}
			tried++
			put(t, m.app, fmt.Sprintf("urn:li:dataset:(urn:li:dataPlatform:hive,by.%s.%d,PROD)", who, n), "container", `{"container":"`+string(u)+`"}`)
			if w.removes {
				mustAsk(t, m.app, asTheSystem, "POST", "/aspects?action=ingestProposal", `{"proposal":{"entityType":"container","entityUrn":"`+string(u)+`","changeType":"UPSERT","aspectName":"container",
					"aspect":{"contentType":"application/json","value":"{\"container\":\"urn:li:container:root\"}"},"systemMetadata":{"runId":"`+f.run+`"}},"async":"false"}`)
			}
			before := place(u)
			path, body := w.request(f)
			got := ask(t, m.app, credential, w.method, path, body)
			if after := place(u); after != before {
				t.Errorf("%s by %s: answered %d %.200s, was %.120s, is %.120s", who, w.operation, got.status, got.body, before, after)
			}
		}
	}
	t.Logf("%d requests", tried)
	if tried < 2*len(writers)-10 {
		t.Errorf("only %d requests were sent", tried)
	}
}

// TestWhatIsHiddenIsNotMovedToWhereItIsSeen moves a hidden domain, term and node below others that
// the actor may view, with the privileges over all domains and the glossary: actors who may view
// those would then view the moved ones as well.
func TestWhatIsHiddenIsNotMovedToWhereItIsSeen(t *testing.T) {
	t.Parallel()
	cfg := settings(t.TempDir())
	cfg.Auth.ViewAuthorization = true
	m := newMatrixOf(t, serve(t, cfg))
	put(t, m.app, "urn:li:dataHubPolicy:manages", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"PLATFORM","privileges":["MANAGE_DOMAINS","MANAGE_GLOSSARIES"],"actors":{"users":["`+holderURN+`"]}}`)
	put(t, m.app, "urn:li:dataHubPolicy:views", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["VIEW_ENTITY_PAGE"],"actors":{"users":["`+holderURN+`"]},
		"resources":{"filter":{"criteria":[{"field":"URN","values":["urn:li:domain:V","urn:li:domain:shown","urn:li:glossaryNode:V","urn:li:glossaryNode:shown"]}]}}}`)
	put(t, m.app, "urn:li:dataHubPolicy:edits", "dataHubPolicyInfo", `{"displayName":"P","description":"","state":"ACTIVE","type":"METADATA","privileges":["EDIT_ENTITY"],"actors":{"users":["`+holderURN+`"]},
		"resources":{"filter":{"criteria":[{"field":"URN","values":["urn:li:domain:shown","urn:li:glossaryNode:shown"]}]}}}`)
	value := func(u, parent string) (aspect, value string) {
		switch {
		case strings.HasPrefix(u, "urn:li:domain:"):
			return "domainProperties", `{"name":"` + u + `"` + strings.ReplaceAll(parent, "PARENT", "parentDomain") + `}`
		case strings.HasPrefix(u, "urn:li:glossaryNode:"):
			return "glossaryNodeInfo", `{"name":"` + u + `","definition":""` + strings.ReplaceAll(parent, "PARENT", "parentNode") + `}`
		}
		return "glossaryTermInfo", `{"name":"` + u + `","definition":"","termSource":"INTERNAL"` + strings.ReplaceAll(parent, "PARENT", "parentNode") + `}`
	}
	for _, u := range []string{"urn:li:domain:V", "urn:li:glossaryNode:V", "urn:li:domain:shown", "urn:li:glossaryNode:shown", "urn:li:domain:hidden", "urn:li:glossaryNode:hidden", "urn:li:glossaryTerm:hidden"} {
		aspect, text := value(u, "")
		put(t, m.app, u, aspect, text)
	}
	for u, hidden := range map[string]bool{"urn:li:domain:shown": false, "urn:li:glossaryNode:shown": false, "urn:li:domain:hidden": true, "urn:li:glossaryNode:hidden": true, "urn:li:glossaryTerm:hidden": true} {
		kind := strings.Split(u, ":")[2]
		parent, operation := "urn:li:glossaryNode:V", `updateParentNode(input: {resourceUrn: "`+u+`", parentNode: "urn:li:glossaryNode:V"})`
		if kind == "domain" {
			parent, operation = "urn:li:domain:V", `moveDomain(input: {resourceUrn: "`+u+`", parentDomain: "urn:li:domain:V"})`
		}
		aspect, text := value(u, `,"PARENT":"`+parent+`"`)
		for name, got := range map[string]answer{
			"GraphQL": ask(t, m.app, m.holder, "POST", "/api/graphql", graphqlBody("mutation { "+operation+" }")),
			"OpenAPI": ask(t, m.app, m.holder, "POST", "/openapi/v3/entity/"+strings.ToLower(kind)+"?async=false", `[{"urn":"`+u+`","`+aspect+`":{"value":`+text+`}}]`),
		} {
			if refused := got.status >= 400 || strings.Contains(got.body, `"errors"`); refused != hidden {
				t.Errorf("%s by %s: %d %.300s", u, name, got.status, got.body)
			}
		}
		stored := ask(t, m.app, asTheSystem, "GET", "/openapi/v3/entity/"+strings.ToLower(kind)+"/"+url.PathEscape(u)+"/"+aspect, "").body
		if moved := strings.Contains(stored, parent); moved == hidden {
			t.Errorf("%s: %s", u, stored)
		}
	}
}
