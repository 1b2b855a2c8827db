// Package regexpsize estimates the compiled size of regular expressions before they are compiled: a
// text of a thousand bytes can be millions of instructions, since repetitions multiply.
package regexpsize

import "regexp/syntax"

// Of returns the number of instructions, of about 40 bytes, to which a regular expression compiles.
// The estimate is slightly high. Ten characters in the ranges of classes, which repetitions share,
// count as one instruction.
func Of(tree *syntax.Regexp) int {
	const perInstruction = 10
	return instructions(tree) + rangesIn(tree)/perInstruction + 2
}

func instructions(tree *syntax.Regexp) int {
	n := 0
	for _, part := range tree.Sub {
		n += instructions(part)
	}
	switch tree.Op {
	case syntax.OpLiteral:
		return len(tree.Rune)
	case syntax.OpConcat:
		return n
	case syntax.OpAlternate:
		return n + len(tree.Sub)
	case syntax.OpCapture:
		return n + 2
	case syntax.OpRepeat:
		return n*max(tree.Min, tree.Max, 1) + max(tree.Max-tree.Min, 1)
	}
	return n + 1
}

func rangesIn(tree *syntax.Regexp) int {
	n := 0
	if tree.Op == syntax.OpCharClass {
		n = len(tree.Rune)
	}
	for _, part := range tree.Sub {
		n += rangesIn(part)
	}
	return n
}
