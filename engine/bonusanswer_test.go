package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestUnitsAsked(t *testing.T) {
	for query, want := range map[string]string{
		"東京の人口は何人ですか": "人", "何年に何回": "年 回", "高さは何メートル": "メ",
		"首都はいつできたか": "年 月 日 世", "いつも何が": "", "誰が何を": "", "何者か": "", "東京": "",
		"有多少人": "人", "得了多少分": "分", "几次": "次", "多少？": "", "什么时候建立": "年 月 日 世", "哪年": "年 月 日 世", "何时何地": "年 月 日 世",
		"": "", "何": "", "\xe4\xbd": "",
	} {
		if got := strings.Join(unitsAsked(nil, query), " "); got != want {
			t.Errorf("%q: %q, not %q", query, got, want)
		}
	}
	var long strings.Builder
	for i := range 100 {
		long.WriteString("何" + string(rune(0x5000+i)))
	}
	if got := unitsAsked(nil, long.String()); len(got) != maxUnits {
		t.Errorf("a long query: %d units", len(got))
	}
}

func TestCountedThings(t *testing.T) {
	for text, want := range map[string]bool{
		"約15人": true, "１５人": true, "15 人": true, "十五人": true, "三万人": true, "ある人と5人": true,
		"人": false, "ある人": false, "15": false, "15個と人": false, "15  人": false, "": false,
	} {
		c := countedThings{units: []string{"回", "人"}}
		if c.scan([]byte(text)); c.found != want {
			t.Errorf("%q: %v", text, c.found)
		}
	}
}

// TestAnswerBonus: a record with a number of what is asked the number of gets a bonus,
// whatever else it says, and only for such questions.
func TestAnswerBonus(t *testing.T) {
	e := titled(t, "none", "text: 東京都の人口、一千万人", "text: 東京都の人口と川", "text: 東京都の人口、数は十万 人", "text: 東京都の人口、1889年")
	of := func(r Request) (got []string) {
		r.Match, r.Explain = MatchAny, true
		for _, h := range find(t, e, &r).Hits {
			if stages(h)[StageAnswer] > 0 {
				got = append(got, h.ID)
			}
		}
		slices.Sort(got)
		return got
	}
	for _, c := range []struct {
		r    Request
		want string
	}{
		{Request{Query: "東京都の人口は何人ですか"}, "1 3"},
		{Request{Query: "東京都の人口はいつ"}, "4"},
		{Request{Query: "東京都の人口"}, ""},
		{Request{Query: "はいつ"}, ""}, {Request{Query: "のいはいつ"}, ""}, // filler alone, and without Chinese characters
		{Request{Query: "東京都の人口は何人ですか", Tuning: Tuning{Answer: -1}}, ""},
		{Request{Query: "東京都の人口は何人ですか", Tuning: Tuning{Character: -1}}, "1 3"},
		{Request{Query: "東京都の人口は何人ですか", Ranking: RankingBM25}, ""},
		{Request{Query: `"東京都の人口"何人`, Fields: []FieldWeight{{Field: "title"}}}, ""},
	} {
		if got := strings.Join(of(c.r), " "); got != c.want {
			t.Errorf("%q, %+v: records %q, not %q", c.r.Query, c.r.Tuning, got, c.want)
		}
	}
}
