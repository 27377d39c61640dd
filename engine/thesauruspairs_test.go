package engine

import (
	"fmt"
	"slices"
	"testing"
)

// TestThesaurusOfPairs: words of text without spaces, which are pairs of characters, are found,
// told of and marked as words are.
func TestThesaurusOfPairs(t *testing.T) {
	for _, c := range []struct {
		language, query string
		told            Correction
		records         []string // the first is found, the others are not
		mark            string   // in the first
	}{
		{"zh", "手机壳", Correction{"手机壳", "保护套"}, []string{"透明保护套", "三明治"}, "透明<mark>保护套</mark>"},
		{"zh", "邮费多少", Correction{"邮费", "运费"}, []string{"运费说明", "发票"}, "<mark>运费</mark>说明"},
		{"zh", "想注销账号", Correction{"注销账号", "删除账号"}, []string{"如何删除账号", "修改头像"}, "如何<mark>删除账号</mark>"},
		{"ja", "取説はどこ", Correction{"取説", "説明書"}, []string{"製品の説明書", "保証"}, "製品の<mark>説明書</mark>"},
		{"ja", "留守だった", Correction{"留守", "不在"}, []string{"ご不在の場合", "交換"}, "ご<mark>不在</mark>の場合"},
		{"ja", "スマートフォン", Correction{"スマートフォン", "スマホ"}, []string{"軽いスマホ", "電子レンジ"}, "軽い<mark>スマホ</mark>"},
		{"ja", "オレンジ", Correction{"オレンジ", "みかん"}, []string{"みかん五個", "電子調理器"}, "<mark>みかん</mark>五個"},
		{"ko", "핸드폰을", Correction{"핸드폰", "휴대폰"}, []string{"새 휴대폰", "냉장고"}, "새 <mark>휴대폰</mark>"},
		{"ko", "반품 방법", Correction{"반품 방법", "반품신청"}, []string{"반품신청 안내", "배송"}, "<mark>반품신청</mark> 안내"},
		{"pl", "kalosze", Correction{"kalosze", "gumowce"}, []string{"czarne gumowce", "lampa"}, "czarne <mark>gumowce</mark>"},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: c.language, Fields: []Field{{Name: "title", Type: Text, Search: true}}})
		for i, title := range c.records {
			apply(t, e, puts("i", fmt.Sprintf(`{"id":"%c","title":%q}`, 'a'+i, title)))
		}
		res := find(t, e, &Request{Query: c.query + " ", Highlight: &HighlightRequest{}, Explain: true})
		if got := idsOf(res); got != "a" {
			t.Errorf("%s: %q finds %q, as %v", c.language, c.query, got, res.Query.Thesaurus)
			continue
		}
		if !slices.Contains(res.Query.Thesaurus, c.told) {
			t.Errorf("%s: %q is read as %v, want %v", c.language, c.query, res.Query.Thesaurus, c.told)
		}
		if h := res.Hits[0].Highlight; len(h) != 1 || h[0].Text != c.mark {
			t.Errorf("%s: %q: highlights %v, want %q", c.language, c.query, h, c.mark)
		}
		if !slices.ContainsFunc(res.Hits[0].Explain.Parts, func(p ScorePart) bool { return p.From == c.told.From && p.Score > 0 }) {
			t.Errorf("%s: %q: explained by %+v", c.language, c.query, res.Hits[0].Explain.Parts)
		}
	}
}

// TestPhraseOverRuns: phrases in quotes are found where spaces stand between what is cut into
// pairs.
func TestPhraseOverRuns(t *testing.T) {
	for language, c := range map[string]struct{ text, phrase string }{
		"ko": {"새 휴대폰 케이스 하나", "휴대폰 케이스"},
		"zh": {"新款手机 保护套 红色", "手机 保护套"},
		"ja": {"防水 iPhoneケース 赤", "防水 iPhoneケース"},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "title", Type: Text, Search: true}}})
		apply(t, e, puts("i", `{"id":"a","title":"`+c.text+`"}`))
		if got := idsOf(find(t, e, &Request{Query: `"` + c.phrase + `"`})); got != "a" {
			t.Errorf("%s: %q finds %q", language, c.phrase, got)
		}
	}
}

func TestIsWord(t *testing.T) {
	pairs := func(text string) (items []item) {
		runes := []rune(text)
		at := 0
		for i := range len(runes) - 1 {
			pair := string(runes[i : i+2])
			items = append(items, item{term: pair, typed: pair, pair: true, start: at, end: at + len(pair)})
			at += len(string(runes[i]))
		}
		return items
	}
	for _, c := range []struct {
		text      string
		from, end int // pairs
		want      bool
	}{
		{"オレンジ", 1, 3, false},
		{"スタイル", 1, 2, false},
		{"スマホケース", 0, 2, false}, // short, so that only lists may have it
		{"イヤホンケース", 0, 3, true},
		{"軽いスマホを", 2, 4, true},
		{"おいすしの", 1, 2, false},
		{"赤いりんごが", 2, 4, true},
		{"物が壊れた", 2, 3, true},
		{"买手机壳", 1, 3, true},
		{"핸드폰을", 0, 2, true},
		{"무선이어폰", 2, 4, true},
		{"휴가구함을", 1, 2, false},
	} {
		if got := isWord(pairs(c.text), c.from, c.end, -1); got != c.want {
			t.Errorf("%s, %d to %d: %v", c.text, c.from, c.end, got)
		}
	}
	if items := pairs("휴대폰가방을"); !isWord(items, 3, 4, items[1].end) {
		t.Error("a word right behind another is none")
	}
}
