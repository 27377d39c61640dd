package tokenize

import (
	"testing"
	"unicode/utf8"
)

// TestSimplified: traditional characters and simplified ones are one term in Chinese, and stay
// what they are in texts without a language, and in Japanese.
func TestSimplified(t *testing.T) {
	for _, pair := range [][2]string{{"電飯鍋", "电饭锅"}, {"退貨", "退货"}, {"髮", "发"}, {"手機殼,頭髮", "手机壳,头发"}, {"手机", "手机"}} {
		for language, same := range map[string]bool{"zh": true, "": pair[0] == pair[1], "ja": pair[0] == pair[1]} {
			a := mustNew(t, Options{Language: language})
			x, y := terms(a.Analyze(pair[0])), terms(a.Analyze(pair[1]))
			if (x == y) != same {
				t.Errorf("%q: %s is %s, and %s is %s", language, pair[0], x, pair[1], y)
			}
		}
	}
	for from, to := range simplified() {
		if utf8.RuneLen(from) != utf8.RuneLen(to) || from == to {
			t.Errorf("%c becomes %c", from, to)
		}
	}
	if n := len(simplified()); n < 2500 {
		t.Errorf("%d characters", n)
	}
}
