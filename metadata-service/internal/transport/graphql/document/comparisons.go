package document

// comparisonCounter predicts the number of comparisons that the library performs on each request.
// The library compares the selections of one place in pairs. It compares a fragment next to other
// selections field by field with each of them, whatever its type, so this part of its work grows
// with the square of the number of conditional selections of a place.
type comparisonCounter struct {
	limit, count int
}

// checkPairs refuses an operation for which the library would perform too many comparisons.
func (s *Stage) checkPairs(sp *specialiser) Errors {
	p := &comparisonCounter{limit: s.cfg.MaxComparisons}
	done := map[*node]bool{}
	for _, v := range sp.order {
		p.countPlace(v.nodes, done)
	}
	if p.count > p.limit {
		return overBudget("comparisons", p.count, p.limit)
	}
	return nil
}

func (p *comparisonCounter) exhausted() bool { return p.count > p.limit }

// side is one of the selections that are compared. ownFields counts its own fields, which are
// compared by key with fields of other sides. allFields counts its fields including those of its
// fragments, which are compared with all fields of other sides.
type side struct {
	fields               []*field
	ownFields, allFields int
}

func (p *comparisonCounter) sideOf(nodes []node) side {
	var s side
	s.fields = p.fieldsOf(nil, nodes)
	for _, n := range nodes {
		if _, ok := n.(*field); ok {
			s.ownFields++
		}
	}
	s.allFields = len(s.fields)
	return s
}

func (p *comparisonCounter) fieldsOf(fields []*field, nodes []node) []*field {
	for _, n := range nodes {
		if p.count++; p.exhausted() {
			return fields
		}
		switch n := n.(type) {
		case *field:
			fields = append(fields, n)
		case *group:
			fields = p.fieldsOf(fields, n.nodes)
		case *spread:
			fields = p.fieldsOf(fields, n.variant.nodes)
		}
	}
	return fields
}

// countPlace counts the comparisons for a selection set and everything below it.
func (p *comparisonCounter) countPlace(nodes []node, done map[*node]bool) {
	if len(nodes) == 0 || done[&nodes[0]] || p.exhausted() {
		return
	}
	done[&nodes[0]] = true
	var plain side
	var sides []side
	for _, n := range nodes {
		switch n := n.(type) {
		case *field:
			plain.fields = append(plain.fields, n)
			p.countPlace(n.below, done)
		case *group:
			p.countPlace(n.nodes, done)
			inner := p.sideOf(n.nodes)
			inner.ownFields = 0
			sides = append(sides, inner)
		case *spread:
			inner := p.sideOf(n.variant.nodes)
			inner.ownFields = 0
			sides = append(sides, inner)
		}
	}
	plain.ownFields, plain.allFields = len(plain.fields), len(plain.fields)
	p.compareRepeats(plain.fields)
	p.compare(append(sides, plain))
}

// compareRepeats counts the comparisons between fields of one place that share a key because they
// have different conditions.
func (p *comparisonCounter) compareRepeats(fields []*field) {
	repeats := map[string][]*field{}
	for _, f := range fields {
		repeats[f.key] = append(repeats[f.key], f)
	}
	for _, list := range repeats {
		if len(list) < 2 {
			continue
		}
		p.count = addSaturated(p.count, multiplySaturated(len(list), len(list)-1)/2)
		sides := make([]side, len(list))
		for i, f := range list {
			sides[i] = p.sideOf(f.below)
		}
		p.compare(sides)
	}
}

// compare counts the comparisons of each side with each other side, and descends into fields
// whose keys several sides share.
func (p *comparisonCounter) compare(sides []side) {
	if len(sides) < 2 || p.exhausted() {
		return
	}
	all, allSquares, own, ownSquares := 0, 0, 0, 0
	for _, s := range sides {
		all, allSquares = addSaturated(all, s.allFields), addSaturated(allSquares, multiplySaturated(s.allFields, s.allFields))
		own, ownSquares = addSaturated(own, s.ownFields), addSaturated(ownSquares, multiplySaturated(s.ownFields, s.ownFields))
	}
	everything := (multiplySaturated(all, all) - allSquares) / 2
	byKey := (multiplySaturated(own, own) - ownSquares) / 2
	p.count = addSaturated(p.count, everything-byKey+multiplySaturated(own, len(sides)-1)/2)
	for _, shared := range p.sharedKeys(sides) {
		p.compare(shared)
	}
}

// sharedKeys returns, for each key that fields of the sides have, the selections of those fields.
func (p *comparisonCounter) sharedKeys(sides []side) [][]side {
	index := map[string]int{}
	var found [][]side
	for _, s := range sides {
		for _, f := range s.fields {
			if len(f.below) == 0 {
				continue
			}
			i, ok := index[f.key]
			if !ok {
				i = len(found)
				index[f.key] = i
				found = append(found, nil)
			}
			found[i] = append(found[i], p.sideOf(f.below))
		}
	}
	return found
}
