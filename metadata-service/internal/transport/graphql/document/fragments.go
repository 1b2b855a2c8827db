package document

import "github.com/vektah/gqlparser/v2/ast"

const (
	maxFragments = 1000
	// maxKeyBytes bounds the length of response keys in bytes. Each entry of a list repeats the
	// key, so a long one would produce a large response from a small document.
	maxKeyBytes = 128
	// maxValidationSteps bounds the selections that validation visits. Validation enters every
	// fragment once from each definition that reaches it.
	maxValidationSteps = 250_000
)

// checkFragments refuses documents whose validation would be expensive, before validation starts.
// It does not use the schema. It counts the aliases in the text, which may be fewer than those
// after the expansion of fragments.
func checkFragments(doc *ast.QueryDocument, maxAliases int) Errors {
	if n := len(doc.Fragments); n > maxFragments {
		return overBudget("fragments", n, maxFragments)
	}
	sh := newFragmentGraph(doc)
	for i := range sh.nodes {
		if n := sh.nodes[i].maxKeyLength; n > maxKeyBytes {
			return overBudget("name length", n, maxKeyBytes)
		}
		if n := sh.nodes[i].aliases; n > maxAliases {
			return overBudget("aliases", n, maxAliases)
		}
	}
	work := 0
	for i := range sh.nodes {
		work += sh.reach(i, maxValidationSteps-work)
		if work > maxValidationSteps {
			return overBudget("validation steps", work, maxValidationSteps)
		}
	}
	return nil
}

// fragmentGraph is the graph of definitions: operations first, then fragments.
type fragmentGraph struct {
	nodes []definitionNode
	seen  []int
	round int
}

type definitionNode struct {
	size         int
	maxKeyLength int // of a key, in bytes
	aliases      int
	spreads      []int
}

func newFragmentGraph(doc *ast.QueryDocument) *fragmentGraph {
	sh := &fragmentGraph{nodes: make([]definitionNode, len(doc.Operations)+len(doc.Fragments))}
	sh.seen = make([]int, len(sh.nodes))
	index := make(map[string]int, len(doc.Fragments))
	for i, f := range doc.Fragments {
		if _, ok := index[f.Name]; !ok {
			index[f.Name] = len(doc.Operations) + i
		}
	}
	for i, op := range doc.Operations {
		sh.nodes[i].add(op.SelectionSet, index)
	}
	for i, f := range doc.Fragments {
		sh.nodes[len(doc.Operations)+i].add(f.SelectionSet, index)
	}
	return sh
}

func (n *definitionNode) add(set ast.SelectionSet, index map[string]int) {
	for _, sel := range set {
		n.size++
		switch sel := sel.(type) {
		case *ast.Field:
			n.maxKeyLength = max(n.maxKeyLength, len(sel.Alias))
			if sel.Alias != sel.Name {
				n.aliases++
			}
			n.add(sel.SelectionSet, index)
		case *ast.InlineFragment:
			n.add(sel.SelectionSet, index)
		case *ast.FragmentSpread:
			if to, ok := index[sel.Name]; ok {
				n.spreads = append(n.spreads, to)
			}
		}
	}
}

// reach counts the selections of a definition and of all fragments it spreads, each fragment
// once, and stops counting above limit.
func (sh *fragmentGraph) reach(from, limit int) int {
	sh.round++
	sh.seen[from] = sh.round
	total := 0
	for pending := []int{from}; len(pending) > 0 && total <= limit; {
		n := sh.nodes[pending[len(pending)-1]]
		pending = pending[:len(pending)-1]
		total += n.size
		for _, to := range n.spreads {
			if sh.seen[to] != sh.round {
				sh.seen[to] = sh.round
				pending = append(pending, to)
			}
		}
	}
	return total
}
