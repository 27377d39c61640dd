package intent

import (
	"strings"
	"testing"
)

// What Chinese, Japanese, Korean and Vietnamese say of numbers that has no like in most other languages.
func TestEastAsian(t *testing.T) {
	films := []Field{{Name: "year", Type: Number}, {Name: "rating", Type: Number}, {Name: "runtime_min", Type: Number}, {Name: "price", Type: Number}}
	flats := []Field{{Name: "rent", Type: Number}, {Name: "area_m2", Type: Number}, {Name: "floor", Type: Number}, {Name: "build_year", Type: Number}}
	cars := []Field{{Name: "price", Type: Number}, {Name: "mileage_km", Type: Number}, {Name: "year", Type: Number}}
	books := []Field{{Name: "pages", Type: Number}, {Name: "published_year", Type: Number}, {Name: "price", Type: Number}}
	jobs := []Field{{Name: "salary", Type: Number}, {Name: "experience_years", Type: Number}}
	shops := []Field{{Name: "sales", Type: Number}, {Name: "review_count", Type: Number}, {Name: "price", Type: Number}, {Name: "battery_mah", Type: Number}, {Name: "released", Type: Date}}
	hotels := []Field{{Name: "stars", Type: Number}, {Name: "review_score", Type: Number}, {Name: "price", Type: Number}}
	for _, tt := range []struct {
		language string
		fields   []Field
		q, want  string
	}{
		// Years before what compares them, and decades.
		{"ja", books, "2015年以降の小説", `!published_year >= 2015 (2015年以降の)`},
		{"ja", books, "2015年から 小説", `!published_year >= 2015 (2015年から)`},
		{"ja", books, "1990年代の本", `~published_year 1990..1999 (1990年代の)`},
		{"zh", films, "2010年以后的科幻片", `!year >= 2010 (2010年以后的)`},
		{"zh", films, "科幻 2010年以前", `!year <= 2010 (2010年以前)`},
		{"zh", films, "2010年之后的科幻", `!year >= 2010 (2010年之后的)`},
		{"zh", films, "90年代的爱情片", `~year 1990..1999 (90年代的)`},
		{"zh", films, "2000年到2010年的科幻", `!year 2000..2010 (2000年到2010年的)`},
		{"zh", films, "1994年的电影", `~year = 1994 (1994年的)`},
		{"zh", shops, "2024年上市的手机", `~released >= 2024-01-01 AND released < 2025-01-01 (2024年)`},
		{"ko", cars, "2018년 이후 하이브리드", `!year >= 2018 (2018년 이후)`},
		{"ko", cars, "2018년부터 하이브리드", `!year >= 2018 (2018년부터)`},
		{"ko", cars, "2018년식 이상 하이브리드", `!year >= 2018 (2018년식 이상)`},
		{"ko", cars, "2010년대 현대", `~year 2010..2019 (2010년대)`},
		{"ko", cars, "2015년에서 2020년 사이", `!year 2015..2020 (2015년에서 2020년)`},
		{"zh", films, "2010年前的电影", `!year < 2010 (2010年前的)`},
		{"ja", books, "2010年より前", `!published_year < 2010 (2010年より前)`},
		{"ko", cars, "2019년 이전", `!year <= 2019 (2019년 이전)`},
		{"ja", books, "2年", ``},
		// Amounts from one round number to the next.
		{"ja", films, "3万円台のテレビ", `!price:[30000 TO 40000} (3万円台の)`},
		{"ko", cars, "1000만원대 중고차", `!price:[10000000 TO 20000000} (1000만원대)`},
		{"ko", cars, "1500만원대", `!price:[15000000 TO 16000000} (1500만원대)`},
		{"ko", cars, "3만원 대형", `~price = 30000 (3만원)`},
		// Names of what is measured, with a particle or without.
		{"zh", films, "评分4.5以上的连衣裙", `!rating >= 4.5 (评分4.5以上的)`},
		{"zh", films, "评分9分以上的剧情片", `!rating >= 9 (评分9分以上的)`},
		{"zh", films, "价格2000到4000", `!price 2000..4000 (价格2000到4000)`},
		{"zh", flats, "月租5000以下", `!rent <= 5000 (月租5000以下)`},
		{"ja", flats, "家賃が8万円以内", `!rent <= 80000 (家賃が8万円以内)`},
		{"ja", flats, "50平米以上", `!area_m2 >= 50 (50平米以上)`},
		{"ja", flats, "2階以上", `!floor >= 2 (2階以上)`},
		{"ja", books, "300ページ以下の本", `!pages <= 300 (300ページ以下の)`},
		{"ja", hotels, "口コミ評価の高い旅館", `!EXISTS review_score (口コミ評価の高い)`},
		{"ko", jobs, "연봉 5000만원 이상", `!salary >= 50000000 (연봉 5000만원 이상)`},
		{"ko", jobs, "경력 3년 이하", `!experience_years <= 3 (경력 3년 이하)`},
		{"ko", cars, "주행거리 3만 이하", `~mileage_km <= 30000 (주행거리 3만 이하)`},
		{"zh", shops, "电池5000以上", `!battery_mah >= 5000 (电池5000以上)`},
		{"zh", shops, "5000毫安以上手机", `!battery_mah >= 5000 (5000毫安以上)`},
		// Powers of ten behind each other, and in Hangul.
		{"ko", cars, "2천만원 이하", `!price <= 20000000 (2천만원 이하)`},
		{"ko", cars, "2천만 원 이하", `!price <= 20000000 (2천만 원 이하)`},
		{"ko", cars, "천만원 이하", `!price <= 10000000 (천만원 이하)`},
		{"ko", cars, "만 원 이하", `!price <= 10000 (만 원 이하)`},
		{"ko", cars, "1천5백만원", `~price = 15000000 (1천5백만원)`},
		{"ko", cars, "3억 5천만원 이하", `!price <= 350000000 (3억 5천만원 이하)`},
		{"ko", cars, "1천만원에서 2천만원 사이", `!price 10000000..20000000 (1천만원에서 2천만원)`},
		{"ko", jobs, "연봉 4천~6천만원", `!salary 40000000..60000000 (연봉 4천~6천만원)`},
		{"ko", cars, "사원 모집", ``},
		{"ko", cars, "천원숍", ``},
		{"ko", cars, "이천 원룸", ``},
		{"ja", films, "1億円以下", `!price <= 100000000 (1億円以下)`},
		{"ja", films, "1万5000円以下", `!price <= 15000 (1万5000円以下)`},
		{"zh", films, "价格1万5以下", `!price <= 15000 (价格1万5以下)`},
		// Superlatives that the name stands before.
		{"zh", flats, "面积最大的三室", `!EXISTS area_m2 (面积最大的)`},
		{"zh", flats, "租金最低的房子", `!EXISTS rent (租金最低的)`},
		{"zh", flats, "面积 最大", `!EXISTS area_m2 (面积 最大)`},
		{"zh", flats, "最大的", `!EXISTS area_m2 (最大的)`},
		{"zh", films, "最高法院", ``},
		{"zh", shops, "销量最高的毛衣", `!EXISTS sales (销量最高的)`},
		{"zh", films, "最长的电影", `!EXISTS runtime_min (最长的)`},
		{"ja", flats, "家賃が一番安い部屋", `!EXISTS rent (家賃が一番安い)`},
		{"ja", flats, "一番広い部屋", `!EXISTS area_m2 (一番広い)`},
		{"ja", books, "一番長い小説", `!EXISTS pages (一番長い)`},
		{"ja", shops, "レビュー数が一番多い", `!EXISTS review_count (レビュー数が一番多い)`},
		{"ko", cars, "주행거리가 가장 짧은 아반떼", `!EXISTS mileage_km (주행거리가 가장 짧은)`},
		{"ko", jobs, "연봉 가장 높은", `!EXISTS salary (연봉 가장 높은)`},
		{"ko", shops, "리뷰가 가장 많은", `!EXISTS review_count (리뷰가 가장 많은)`},
		{"vi", flats, "căn hộ diện tích lớn nhất", `!EXISTS area_m2 (diện tích lớn nhất)`},
		{"vi", jobs, "mức lương cao nhất", `!EXISTS salary (mức lương cao nhất)`},
		{"vi", flats, "diện tích trên 50 m2", `!area_m2 > 50 (diện tích trên 50 m2)`},
	} {
		d := NewDomain(NewCues(tt.language), tt.fields, nil)
		got := understood(t, d, nil, tt.q)
		if at := strings.Index(got, "; "); at >= 0 {
			t.Errorf("%s %q: more than one part: %s", tt.language, tt.q, got)
		} else if got != tt.want {
			t.Errorf("%s %q:\n got %s\nwant %s", tt.language, tt.q, got, tt.want)
		}
	}
}

// TestTextsAreCutAtLess: an index without fields of numbers has texts, in which years and superlatives are
// parts of names.
func TestTextsAreCutAtLess(t *testing.T) {
	all, texts := NewCues("zh", "ja"), NewCues("zh", "ja", Texts)
	for _, q := range []string{"2008年奥运会", "3亿人口", "面积最大的国家", "一番長い川", "90年代の音楽"} {
		if got := texts.Cut(q); got != nil {
			t.Errorf("of texts %q is cut at %v", q, got)
		}
		if all.Cut(q) == nil {
			t.Errorf("%q is not cut", q)
		}
	}
	if got := texts.Cut("2000元以下手机"); len(got) != 1 {
		t.Errorf("a price is cut at %v", got)
	}
}
