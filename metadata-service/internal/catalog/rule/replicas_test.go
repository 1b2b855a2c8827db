package rule_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/urn"
)

// onReplicas runs a test with two independent catalogs on one store.
func onReplicas(t *testing.T, story func(t *testing.T, replicas [2]*catalogtest.Fixture)) {
	t.Parallel()
	for name, on := range map[string]func() catalogtest.Drivers{"memory": catalogtest.InMemory, "bolt": func() catalogtest.Drivers { return catalogtest.OnDisk(t) }} {
		t.Run(name, func(t *testing.T) {
			drivers := on()
			replicas := [2]*catalogtest.Fixture{catalogtest.New(t, drivers), catalogtest.New(t, drivers)}
			replicas[0].Must(modelTypes()...)
			story(t, replicas)
		})
	}
}

// race lets both replicas write many proposals at the same time and returns the URNs of the
// accepted ones.
func race(t *testing.T, replicas [2]*catalogtest.Fixture, n int, proposal func(i int) catalog.Proposal) []urn.URN {
	t.Helper()
	var wait sync.WaitGroup
	var mu sync.Mutex
	var taken []urn.URN
	for i := range n {
		wait.Go(func() {
			f, p := replicas[i%2], proposal(i)
			if _, err := f.Write(f.As(root), []catalog.Proposal{p}, catalog.WriteOptions{UniqueNames: true}); err == nil {
				mu.Lock()
				defer mu.Unlock()
				taken = append(taken, urn.URN(p.URN))
			}
		})
	}
	wait.Wait()
	return taken
}

func TestWhatIsUniqueIsUniqueAmongReplicas(t *testing.T) {
	for name, proposal := range map[string]func(i int) catalog.Proposal{
		"the name of a domain": func(i int) catalog.Proposal {
			return catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:domain:d%d", i)), "domainProperties", `{"name":"Sales"}`)
		},
		"the name of a glossary term": func(i int) catalog.Proposal {
			return catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:glossaryTerm:t%d", i)), "glossaryTermInfo", `{"name":"Sales","definition":"","termSource":"INTERNAL"}`)
		},
		"the badge of assets": func(i int) catalog.Proposal {
			return catalogtest.Proposal(urn.URN(fmt.Sprintf("urn:li:structuredProperty:p%d", i)), "structuredPropertySettings", `{"showAsAssetBadge":true}`)
		},
		"a sort id in a version set": func(i int) catalog.Proposal {
			return version(catalogtest.Table(fmt.Sprintf("v%d", i)), "a", fmt.Sprint(i), "")
		},
		"a search field of a property": func(i int) catalog.Proposal {
			name := strings.Replace("a.b.c.d.e.f", ".", "_", i%6)
			return catalogtest.Proposal(urn.URN("urn:li:structuredProperty:"+name), "propertyDefinition", fmt.Sprintf(
				`{"qualifiedName":%q,"valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`, name))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onReplicas(t, func(t *testing.T, replicas [2]*catalogtest.Fixture) {
				if taken := race(t, replicas, 6, proposal); len(taken) != 1 {
					t.Errorf("%d have it: %v", len(taken), taken)
				}
			})
		})
	}
}

// Each move is valid by itself, but all of them together would create a cycle.
func TestMovesAtTheSameTimeMakeNoCircle(t *testing.T) {
	onReplicas(t, func(t *testing.T, replicas [2]*catalogtest.Fixture) {
		const n = 5
		domain := func(i int) urn.URN { return urn.URN(fmt.Sprintf("urn:li:domain:d%d", i%n)) }
		for i := range n {
			replicas[0].Put(domain(i), "domainProperties", fmt.Sprintf(`{"name":"D%d"}`, i))
		}
		moved := race(t, replicas, n, func(i int) catalog.Proposal {
			return catalogtest.Proposal(domain(i), "domainProperties", fmt.Sprintf(`{"name":"D%d","parentDomain":%q}`, i, domain(i+1)))
		})
		if len(moved) != n-1 {
			t.Errorf("%d of %d moves were made: %v", len(moved), n, moved)
		}
	})
}
