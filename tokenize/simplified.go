package tokenize

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// Chinese is written in simplified and in traditional characters. Terms are made of simplified
// ones, so that either finds the other.

// simplifiedCharacters has a line for each simplified character, with the traditional ones that
// it stands for behind it: see data/simplified-zh.copyright.
//
//go:embed data/simplified-zh.txt
var simplifiedCharacters string

// simplified returns the simplified characters of traditional ones.
var simplified = sync.OnceValue(func() map[rune]rune {
	out := make(map[rune]rune, 1<<12)
	for line := range strings.Lines(simplifiedCharacters) {
		to, n := utf8.DecodeRuneInString(line)
		for _, r := range strings.TrimSuffix(line[n:], "\n") {
			out[r] = to
		}
	}
	return out
})

// simplify writes folded text in simplified characters, in place: these are as long as the
// others.
func simplify(b []byte, of map[rune]rune) {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if to, ok := of[r]; ok {
			utf8.EncodeRune(b[i:i+n], to)
		}
		i += n
	}
}
