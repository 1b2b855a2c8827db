package bolt

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/urn"
)

// nodeCache caches the numbers and URNs of nodes that were expanded recently: a walk looks up the
// number of each node whose URN it read a moment before. It holds only committed numbers, which
// never change. Its size is limited: when the young half is full, the old half is dropped.
type nodeCache struct {
	mu         sync.RWMutex
	young, old nodeGeneration
}

type nodeGeneration struct {
	numbers map[urn.URN]uint64
	urns    map[uint64]urn.URN
}

const nodeCacheSize = 1 << 16 // in each half; an entry takes some 200 bytes

// lookUp sets the numbers of cached nodes, leaves 0 for the others, and returns how many are
// missing.
func (n *nodeCache) lookUp(nodes []urn.URN, numbers []uint64) (left int) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for i, u := range nodes {
		number, known := n.young.numbers[u]
		if !known {
			number, known = n.old.numbers[u]
		}
		if numbers[i] = number; !known {
			left++
		}
	}
	return left
}

func (n *nodeCache) urn(number uint64) (urn.URN, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	u, known := n.young.urns[number]
	if !known {
		u, known = n.old.urns[number]
	}
	return u, known
}

func (n *nodeCache) add(number uint64, u urn.URN) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.young.numbers == nil || len(n.young.numbers) >= nodeCacheSize {
		n.old = n.young
		n.young = nodeGeneration{numbers: map[urn.URN]uint64{}, urns: map[uint64]urn.URN{}}
	}
	n.young.numbers[u], n.young.urns[number] = number, u
}
