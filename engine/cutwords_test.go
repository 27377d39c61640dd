package engine

import (
	"slices"
	"strings"
	"testing"
)

// TestQueriesWithoutSpaces: prices, superlatives and what is not wanted are understood where no space
// stands beside them.
func TestQueriesWithoutSpaces(t *testing.T) {
	for language, c := range map[string]struct {
		records []string
		want    map[string]string
	}{
		"ja": {
			[]string{
				`{"id":"1","title":"ナイキ スニーカー 白","price":14300}`, `{"id":"2","title":"アディダス スニーカー","price":9800}`,
				`{"id":"3","title":"圧力IH炊飯器","price":19800}`, `{"id":"4","title":"炊飯器 3合","price":7980}`,
			},
			map[string]string{
				"ナイキ以外のスニーカー": "2", "1万円以内の炊飯器": "4", "一番安い炊飯器": "4 3", "1万円以上の炊飯器": "3", "炊飯器": "4 3",
				"スニーカー 1万円以下": "2", "一万円以内の炊飯器": "4", "二万円以上": "", "一万五千円以上の炊飯器": "3", "ナイキ以外": "1",
			},
		},
		"zh": {
			[]string{
				`{"id":"1","title":"罗技 无线鼠标","price":59}`, `{"id":"2","title":"罗技 有线鼠标","price":99}`,
				`{"id":"3","title":"华为 手机","price":4999}`, `{"id":"4","title":"小米 手机","price":1499}`,
			},
			map[string]string{"不要无线的鼠标": "2", "2000元以下手机": "4", "最贵的手机": "3 4", "手机 ￥2000以下": "4", "两千元以下手机": "4", "一百元以下的鼠标": "1 2", "六十块以内": "1", "手机五千元以下": "3 4", "最便宜的鼠标": "1 2"},
		},
		"ko": {
			[]string{
				`{"id":"1","title":"나이키 운동화","price":129000}`, `{"id":"2","title":"아디다스 운동화","price":45000}`,
			},
			map[string]string{"나이키 아닌 운동화": "2", "나이키 말고 운동화": "2", "5만원 이하 운동화": "2", "제일 비싼 운동화": "1 2", "운동화 10만원이상": "1"},
		},
		"pl": {
			[]string{
				`{"id":"1","title":"Słuchawki przewodowe","price":89}`, `{"id":"2","title":"Słuchawki bezprzewodowe","price":399}`,
			},
			map[string]string{"słuchawki do 100 zł": "1", "najdroższe słuchawki": "2 1", "słuchawki powyżej 200 zł": "2"},
		},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: language, Fields: []Field{
			{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "price", Type: Int, Filter: true, Facet: true, Sort: true},
		}})
		apply(t, e, puts("i", c.records...))
		for q, want := range c.want {
			if got := idsOf(find(t, e, &Request{Query: q})); got != want {
				t.Errorf("%s %q finds %q, want %q", language, q, got, want)
			}
		}
	}
}

// TestTitlesWithoutSpaces: a title that says something of a price, or denies something, is found.
func TestTitlesWithoutSpaces(t *testing.T) {
	e := newEngine(t, nil)
	schema := Schema{Fields: []Field{{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "price", Type: Float, Filter: true, Sort: true}}}
	for _, language := range []string{"zh", "ja"} {
		schema.Language = language
		create(t, e, language, schema)
	}
	apply(t, e, puts("zh", `{"id":"t","title":"除了你我都不要"}`, `{"id":"u","title":"不要回答"}`, `{"id":"v","title":"我不要你的爱"}`, `{"id":"p","title":"100元以下的爱情","price":200}`, `{"id":"q","title":"爱情","price":5}`))
	apply(t, e, puts("ja", `{"id":"t","title":"私以外の女"}`, `{"id":"u","title":"女の人"}`, `{"id":"v","title":"君以外はいらない"}`, `{"id":"p","title":"1万円以下の恋","price":20000}`, `{"id":"q","title":"恋","price":5}`))
	for _, c := range [][3]string{
		{"zh", "除了你我都不要", "t"}, {"zh", "我不要你的爱", "v"}, {"zh", "100元以下的爱情", "p"},
		{"ja", "私以外の女", "t"}, {"ja", "君以外はいらない", "v"}, {"ja", "1万円以下の恋", "p"},
	} {
		for _, restrict := range [][]string{nil, {"price >= 0 OR NOT EXISTS price"}} {
			r := find(t, e, &Request{Indexes: []string{c[0]}, Query: c[1], Restrict: restrict})
			if len(r.Hits) == 0 || r.Hits[0].ID != c[2] {
				t.Errorf("%s, restricted to %q: %q, want %s first", c[1], restrict, idsOf(r), c[2])
			}
		}
	}
}

// TestQuestionsWithoutSpaces: what a question denies is as often what its answer speaks of, so that
// only values of fields are left out, and what denies may be a part of another word.
func TestQuestionsWithoutSpaces(t *testing.T) {
	for language, c := range map[string]struct {
		records []string
		want    map[string]string
	}{
		"zh": {
			[]string{
				`{"id":"1","text":"特斯拉除科学成就外，还以表演闻名。","brand":"特斯拉"}`, `{"id":"2","text":"爱迪生的公司很大。","brand":"通用"}`,
				`{"id":"3","text":"最高法院废除了学校的种族隔离制度。"}`, `{"id":"4","text":"打印机怎样排除故障"}`,
			},
			map[string]string{
				"除了科学成就，特斯拉还有什么出名的？": "1", "哪个法院废除了种族隔离制度？": "3", "废除了学校": "3", "打印机排除故障": "4",
				"特斯拉是不是以表演闻名": "1", "除了特斯拉还有什么公司？": "2",
			},
		},
		"ja": {
			[]string{`{"id":"1","text":"外国人が居留地以外に居住できる区域を雑居地と呼ぶ。"}`, `{"id":"2","text":"銀の鉱山は後に銅で有名になった。"}`},
			map[string]string{"外国人が居留地以外に居住する区域を何というか": "1", "鉱山は銀ではなく何で有名になりましたか": "2", "雑居地ではないか": "1"},
		},
		"ko": {
			[]string{`{"id":"1","text":"카드 말고 다른 방법으로 결제할 수 있습니다"}`},
			map[string]string{"카드 말고 어떻게 결제하나요": "1"},
		},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "text", Type: Text, Search: true}, {Name: "brand", Type: Text, Facet: true}}})
		apply(t, e, puts("i", c.records...))
		for q, want := range c.want {
			if r := find(t, e, &Request{Query: q}); len(r.Hits) == 0 || r.Hits[0].ID != want {
				t.Errorf("%s %q finds %q, want %s first", language, q, idsOf(r), want)
			}
		}
	}
}

// TestDenialsThatAreNoQuestions: words of questions may be parts of others.
func TestDenialsThatAreNoQuestions(t *testing.T) {
	for language, c := range map[string]struct {
		records []string
		want    map[string]string
	}{
		"ja": {
			[]string{`{"id":"1","text":"ぶどうジュース"}`, `{"id":"2","text":"りんごジュース"}`, `{"id":"3","text":"どうぶつの絵本"}`, `{"id":"4","text":"のりもの絵本"}`, `{"id":"5","text":"いくら寿司"}`, `{"id":"6","text":"まぐろ寿司"}`},
			map[string]string{"ぶどう以外のジュース": "2", "どうぶつ以外の絵本": "4", "いくら以外の寿司": "6"},
		},
		"zh": {
			[]string{`{"id":"1","text":"玻璃茶几"}`, `{"id":"2","text":"木头茶几"}`, `{"id":"3","text":"哪吒电影"}`, `{"id":"4","text":"哪吒漫画"}`, `{"id":"5","text":"警方排除了谋杀"}`},
			map[string]string{"茶几不要玻璃": "2", "哪吒不要电影": "4", "警方排除了谋杀": "5"},
		},
		"ko": {
			[]string{`{"id":"1","text":"누가 초콜릿"}`, `{"id":"2","text":"밀크 초콜릿"}`},
			map[string]string{"누가 말고 초콜릿": "2"},
		},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: language, Fields: []Field{{Name: "text", Type: Text, Search: true}}})
		apply(t, e, puts("i", c.records...))
		for q, want := range c.want {
			if got := idsOf(find(t, e, &Request{Query: q})); got != want {
				t.Errorf("%s %q finds %q, want %s", language, q, got, want)
			}
		}
	}
}

// TestDenialsWithoutSpaces: what a query without spaces denies is left out and told, also where it
// asks for nothing else, and where it is a list; what only looks like a denial is none.
func TestDenialsWithoutSpaces(t *testing.T) {
	for language, c := range map[string]struct {
		records []string
		want    map[string][2]string // hits, and what is told
	}{
		"zh": {
			[]string{
				`{"id":"1","title":"红色跑步鞋","color":"红色","brand":"耐克","material":"布"}`, `{"id":"2","title":"蓝色跑步鞋","color":"蓝色","brand":"安踏","material":"皮革"}`,
				`{"id":"3","title":"保温杯","color":"银色","brand":"膳魔师","material":"不锈钢"}`, `{"id":"4","title":"非洲象玩具","color":"灰色","brand":"乐高","material":"塑料"}`,
			},
			map[string][2]string{
				"不要红色": {"2 3 4", `NOT color = "红色"`}, "不要 红色": {"2 3 4", `NOT color = "红色"`}, "不要红色的": {"2 3 4", `NOT color = "红色"`},
				"不含皮革": {"1 3 4", `NOT material = "皮革"`}, "不要不锈钢": {"1 2 4", `NOT material = "不锈钢"`},
				"没有皮革的跑步鞋": {"1", "皮革"}, "除了耐克的跑步鞋": {"2", "耐克"}, "跑步鞋除了耐克": {"2", "耐克"}, "非红色跑步鞋": {"2", "红色"},
				"不要红色的跑步鞋": {"2", "红色"}, "不要红色或蓝色的跑步鞋": {"", "红色 蓝色"}, "非洲": {"4", ""}, "没有跑步鞋": {"1 2", ""},
			},
		},
		"ja": {
			[]string{
				`{"id":"1","title":"赤いシューズ","color":"赤","brand":"ナイキ"}`, `{"id":"2","title":"青いシューズ","color":"青","brand":"アシックス"}`, `{"id":"3","title":"炊飯器","color":"白","brand":"象印"}`,
			},
			map[string][2]string{
				"ナイキ以外": {"2 3", `NOT brand = "ナイキ"`}, "赤以外のシューズ": {"2", "赤"}, "赤くないシューズ": {"2", "赤"}, "赤か青以外のシューズ": {"", "赤 青"},
			},
		},
		"ko": {
			[]string{`{"id":"1","title":"빨간 운동화","color":"빨강"}`, `{"id":"2","title":"파란 운동화","color":"파랑"}`},
			map[string][2]string{"빨강 제외 운동화": {"2", "빨강"}, "빨강 제외": {"2", `NOT color = "빨강"`}},
		},
	} {
		e := newEngine(t, nil)
		keyword := func(name string) Field { return Field{Name: name, Type: Text, Facet: true, Search: true} }
		create(t, e, "i", Schema{Language: language, Fields: []Field{
			{Name: "title", Type: Text, Search: true, Weight: 5}, keyword("color"), keyword("brand"), keyword("material"),
		}})
		apply(t, e, puts("i", c.records...))
		for q, want := range c.want {
			r := find(t, e, &Request{Query: q})
			ids := strings.Fields(idsOf(r))
			slices.Sort(ids)
			told := strings.Join(append(r.Query.FiltersFromIntent, r.Query.Without...), " ")
			if got := strings.Join(ids, " "); got != want[0] || told != want[1] {
				t.Errorf("%s %q finds %q and tells %q, want %q", language, q, got, told, want)
			}
		}
	}
}
