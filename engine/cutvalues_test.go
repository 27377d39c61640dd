package engine

import (
	"testing"
)

// TestValuesWithoutSpaces: values of fields are found where they stand beside each other, particles and
// superlatives with no space between, and what only begins with one is not cut.
func TestValuesWithoutSpaces(t *testing.T) {
	for language, c := range map[string]struct {
		records []string
		want    map[string]string // the hits, and what is told of the query
	}{
		"zh": {
			[]string{
				`{"id":"1","title":"小米手环8","brand":"小米","category":"手环","color":"黑色","price":239,"sales":17}`,
				`{"id":"2","title":"小米14","brand":"小米","category":"手机","color":"白色","price":3999,"sales":500}`,
				`{"id":"3","title":"红米12C","brand":"小米","category":"手机","color":"黑色","price":699,"sales":9}`,
				`{"id":"4","title":"iPhone 15","brand":"苹果","category":"手机","color":"黑色","price":5999,"sales":40}`,
				`{"id":"5","title":"iPhone 15 Pro","brand":"苹果","category":"手机","color":"白色","price":7999,"sales":20}`,
				`{"id":"6","title":"女士 智能 手环","brand":"华为","category":"手环","color":"白色","price":500,"sales":3}`,
				`{"id":"7","title":"女士手表","brand":"华为","category":"手表","color":"黑色","price":800,"sales":4}`,
			},
			map[string]string{
				"小米手机":         `boost: brand = "小米" (小米); boost: category = "手机" (手机)`,
				"小米的手机":        `boost: brand = "小米" (小米); boost: category = "手机" (手机)`,
				"黑色小米手机":       `boost: color = "黑色" (黑色); boost: brand = "小米" (小米); boost: category = "手机" (手机)`,
				"手机壳":          ``,
				"苹果手机壳":        ``,
				"最便宜的小米手机":     `filter: EXISTS price (最便宜的); filter: brand = "小米" (小米); filter: category = "手机" (手机)`,
				"销量最高的苹果手机":    `filter: EXISTS sales (销量最高的); filter: brand = "苹果" (苹果); filter: category = "手机" (手机)`,
				"最便宜的女士手环":     `filter: EXISTS price (最便宜的); filter: category = "手环" (手环)`,
				"3000到5000的手机": `filter: price 3000..5000 (3000到5000); boost: category = "手机" (手机)`,
			},
		},
		"ja": {
			[]string{
				`{"id":"1","title":"イヤホン A","brand":"ソニー","category":"イヤホン","color":"黒","price":9000,"sales":1}`,
				`{"id":"2","title":"イヤホン B","brand":"ソニー","category":"イヤホン","color":"白","price":5000,"sales":2}`,
				`{"id":"3","title":"洗濯機","brand":"東芝","category":"洗濯機","color":"白","price":60000,"sales":3}`,
				`{"id":"4","title":"洗濯機 小","brand":"東芝","category":"洗濯機","color":"黒","price":30000,"sales":4}`,
			},
			map[string]string{
				"黒いイヤホン":     `boost: color = "黒" (黒); boost: category = "イヤホン" (イヤホン)`,
				"黒のイヤホン":     `boost: color = "黒" (黒); boost: category = "イヤホン" (イヤホン)`,
				"一番安い東芝の洗濯機": `filter: EXISTS price (一番安い); filter: brand = "東芝" (東芝); filter: category = "洗濯機" (洗濯機)`,
				"東芝で一番安い洗濯機": `filter: brand = "東芝" (東芝); filter: EXISTS price (一番安い); filter: category = "洗濯機" (洗濯機)`,
				"黒いイヤホン以外":   ``,
				"黒幕":         ``,
			},
		},
		"ko": {
			[]string{
				`{"id":"1","title":"호텔 하늘","brand":"서울","category":"호텔","price":90000,"sales":1}`,
				`{"id":"2","title":"호텔 바다","brand":"서울","category":"호텔","price":50000,"sales":2}`,
				`{"id":"3","title":"펜션 바다","brand":"부산","category":"펜션","price":60000,"sales":3}`,
				`{"id":"4","title":"펜션 숲","brand":"부산","category":"펜션","price":30000,"sales":4}`,
			},
			map[string]string{
				"부산의 펜션":         `boost: brand = "부산" (부산); boost: category = "펜션" (펜션)`,
				"서울에서 가장 저렴한 호텔": `filter: brand = "서울" (서울); filter: EXISTS price (가장 저렴한); filter: category = "호텔" (호텔)`,
			},
		},
	} {
		e := newEngine(t, nil)
		create(t, e, "i", Schema{Language: language, Fields: []Field{
			{Name: "title", Type: Text, Search: true, Weight: 5}, {Name: "price", Type: Int, Filter: true, Facet: true, Sort: true},
			{Name: "sales", Type: Int, Filter: true, Facet: true, Sort: true},
			{Name: "brand", Type: Text, Search: true, Filter: true, Facet: true}, {Name: "category", Type: Text, Search: true, Filter: true, Facet: true},
			{Name: "color", Type: Keyword, Filter: true, Facet: true},
		}})
		apply(t, e, puts("i", c.records...))
		for q, want := range c.want {
			if got := find(t, e, &Request{Query: q}); told(&got.Query) != want {
				t.Errorf("%s %q is understood as %s, finds %q, want %s", language, q, told(&got.Query), idsOf(got), want)
			}
		}
		if language != "zh" {
			continue
		}
		for q, want := range map[string]string{
			"不要苹果手机": "2 3", "除了小米以外的手机": "4 5", "不要手机壳": "2 3 4 5", "不要苹果": "1 2 3 6 7",
		} {
			if got := sortedIDs(find(t, e, &Request{Query: q})); got != want {
				t.Errorf("%q finds %q, want %q", q, got, want)
			}
		}
	}
}
