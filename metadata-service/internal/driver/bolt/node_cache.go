package bolt

import (
	"sync"

	"github.com/cartulary/cartulary/pkg/urn"
)

// nodeCache caches the numbers of nodes that were expanded lately: a walk
// asks for the number of each node that it got the name of a moment ago. It
// knows committed numbers only, which never change. It is bounded: when full
// it forgets the older half.
type nodeCache struct {
	mu         sync.RWMutex
	young, old nodeGeneration
}

type nodeGeneration struct {
	numbers map[urn.URN]uint64
	urns    map[uint64]urn.URN
}

const nodeCacheSize = 1 << 16 // in each half; an entry takes some 200 bytes

// lookUp fills in the numbers it knows, leaving 0 where it does not, and tells
// how many are left.
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
