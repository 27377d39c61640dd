package tokenize

import "testing"

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"red shoes":                         "red shoes",
		"crème brûlée":                      "crème brûlée",
		"cre\u0300me bru\u0302le\u0301e":    "crème brûlée",
		"nach\u00adhaltig":                  "nachhaltig",
		"\ufeffshoes\u200e \u2067red\u2069": "shoes red",
		"می\u200cخواهم":                     "میخواهم",
		"ｉＰｈｏｎｅ １５　ケース":                     "iPhone 15　ケース",
		"－ｒｅｄ ＂ｓｈｏｅ＂":                       "－red ＂shoe＂",
		"I can´t, can`t, canʼt, can’t":      "I can't, can't, can't, can’t",
		"`ls` ´x´ a ` b 5´6":                "`ls` ´x´ a ` b 5´6",
		"ภา\u200bษา":                        "ภา\u200bษา",
		"👩\u200d💻 ❤\ufe0f":                  "👩\u200d💻 ❤\ufe0f",
		"in\u2011app – wi\u2010fi":          "in-app – wi-fi",
		"a\xffb":                            "a\xffb",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}
