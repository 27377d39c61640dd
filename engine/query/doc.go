// Package query holds what was asked as plain data: a tree of nodes, the
// parsers that make it from text, and the printer that turns it back.
//
// There are three parsers. [ParseSimple] reads what people type into a search
// box and finds a meaning in everything. [ParseQuery] reads a syntax with
// operators, fields, ranges and boosts, and [ParseFilter] (with
// [ParseFilterList]) the conditions of a filter; both are exact, and report
// what they do not understand as an [Error] with a column. All of them bound
// the size, the depth and the number of operators by [Limits], so that text
// from strangers is safe to parse.
//
// The result is a [Node]. The words in a [Text] are as they were written: the
// package knows no analyzer, no schema and no index. Whether a field exists and
// whether a [Value] suits its type is for the caller to check; [Fields] and
// [Walk] find what there is to check. [Simplify] makes a tree smaller,
// [Rewrite] replaces nodes by others, and [String] prints a tree so that
// parsing the text gives the tree again.
//
// One example of each parser, with the tree in the form Type(content):
//
//	ParseSimple   red +shoes       Bool(Must: Text(shoes), Should: Text(red))
//	ParseQuery    red OR title:a*  Bool(Should: Text(red), Text(title: prefix a), MinShould: 1)
//	ParseFilter   a = 1 AND b..5   And(Compare(a = 1), Range(b up to and with 5))
//
// Nodes are values and the functions of the package keep no state, so all of
// them may be called concurrently. Callers that share a tree may not change its
// slices.
package query
