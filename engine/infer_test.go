package engine

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestInferOfBadSamples(t *testing.T) {
	_, err := Infer([][]byte{[]byte(`{"a":1}`), []byte(`[1]`), []byte(`{"a":`)}, "")
	var invalid *InvalidError
	if !errors.As(err, &invalid) || invalid.Total != 2 {
		t.Fatalf("%v, want two problems", err)
	}
	for i, want := range []Problem{
		{Code: CodeInvalidRequest, Position: 1, Detail: "a record is a JSON object"},
		{Code: CodeMalformedJSON, Position: 2, Detail: "the JSON ends too early"},
	} {
		if got := invalid.Problems[i]; got != want {
			t.Errorf("problem %d: %+v, want %+v", i, got, want)
		}
	}
}

// TestInferTopics: a short question is a title, one of many sentences is text.
func TestInferTopics(t *testing.T) {
	for want, question := range map[float64]string{titleWeight: "Can I get a refund without a receipt?", 0: strings.Repeat("I bought it in May and lost the receipt. ", 6)} {
		samples := [][]byte{[]byte(`{"id":"1","question":"Who pays?","answer":"The seller does."}`), fmt.Appendf(nil, `{"id":"2","question":%q,"answer":"Yes."}`, question)}
		s, err := Infer(samples, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Fields[s.Field("question")].Weight; got != want {
			t.Errorf("questions such as %q weigh %v, want %v", question, got, want)
		}
	}
}

// TestInferLanguage: the language of the samples is that of their texts, and nothing is said of
// it where they do not tell, or are English.
func TestInferLanguage(t *testing.T) {
	for want, text := range map[string]string{
		"es": "El hombre estaba en la casa cuando la mujer llegó de la ciudad con sus hijos, y no sé si hay alguien que quiera comprar este coche.",
		"ru": "Мужчина был в доме, когда женщина приехала из города со своими детьми, и я не знаю, есть ли кто-то, кто хочет купить эту машину.",
		"":   "The man was in the house when the woman came from the city with her children, and I do not know whether anybody wants to buy this car.",
	} {
		var samples [][]byte
		for i := range 10 {
			samples = append(samples, fmt.Appendf(nil, `{"id":"%d","title":"Nike Air %d","text":%q,"tags":["the of and",%q]}`, i, i, text, text))
		}
		s, err := Infer(samples, "")
		if err != nil || s.Language != want {
			t.Errorf("language %q, want %q (%v)", s.Language, want, err)
		}
		if s, err := Infer(samples[:1], ""); err != nil || s.Language != want && s.Language != "" {
			t.Errorf("one sample: language %q, want %q or none (%v)", s.Language, want, err)
		}
	}
	for want, record := range map[string]string{
		"de": `{"id":"1","name":"Gartenstuhl aus Teakholz","description":"Klappstuhl für die Terrasse mit weichem Polster"}`,
		"es": `{"id":"1","name":"Silla de jardín","description":"Silla plegable para la terraza con cojín blando","brand":"Jack & Jones"}`,
		"pl": `{"id":"1","name":"Krzesło ogrodowe z drewna","description":"Składane krzesło na taras z miękką poduszką"}`,
		"cs": `{"id":"1","name":"Zahradní židle ze dřeva","description":"Skládací židle na terasu s měkkým polštářem"}`,
		"uk": `{"id":"1","name":"Садовий стілець із дерева","description":"Складний стілець для тераси з м'якою подушкою"}`,
		"":   `{"id":"1","name":"Garden chair","description":"A chair of teak that folds flat","brand":"Jardín y Casa"}`,
	} {
		if s, err := Infer([][]byte{[]byte(record)}, ""); err != nil || s.Language != want {
			t.Errorf("a short record: language %q, want %q (%v)", s.Language, want, err)
		}
	}
	for text, want := range map[string]string{"木製ガーデンチェア、テラスで使える折りたたみ式の椅子": "ja", "เก้าอี้พับสำหรับระเบียง": "none", "원목 정원 의자, 테라스에서 쓰는 접이식 의자": "ko"} {
		if s, err := Infer([][]byte{fmt.Appendf(nil, `{"id":"1","name":%q}`, text)}, ""); err != nil || s.Language != want {
			t.Errorf("%s: language %q, want %s (%v)", text, s.Language, want, err)
		}
	}
	var late [][]byte // what tells comes behind many records that do not
	for i := range 4000 {
		record := fmt.Appendf(nil, `{"id":"%d","price":%d,"sizes":["S","M","L","XL"]}`, i, i)
		if i >= 2000 {
			record = fmt.Appendf(nil, `{"id":"%d","text":"Der Mann war im Haus, als die Frau mit ihren Kindern aus der Stadt kam."}`, i)
		}
		late = append(late, record)
	}
	if s, err := Infer(late, ""); err != nil || s.Language != "de" {
		t.Errorf("texts behind numbers: language %q, want de (%v)", s.Language, err)
	}
	if s, err := Infer([][]byte{[]byte(`{"id":"1","title":"de"}`)}, ""); err != nil || s.Language != "" {
		t.Errorf("a word: language %q (%v)", s.Language, err)
	}
}

// TestFirstRecordsTellTheLanguage: an index that its first batch makes is in the language of the
// texts of this batch, whatever comes later, and after the next start.
func TestFirstRecordsTellTheLanguage(t *testing.T) {
	d := newDisk(t, Options{})
	text := func(id, text string) string { return fmt.Sprintf(`{"id":%q,"text":%q}`, id, text) }
	german := "Der Mann war im Haus, als die Frau mit ihren Kindern aus der Stadt kam, und ich weiß nicht, ob jemand dieses Auto kaufen will, das vor der Tür steht."
	english := "The man was in the house when the woman came from the city with her children, and I do not know whether anybody wants to buy this car."
	var first, other Batch
	for i := range 3 {
		first.Put("de", []byte(text(fmt.Sprint(i), german)))
		first.Put("en", []byte(text(fmt.Sprint(i), english)))
		other.Put("de", []byte(text(fmt.Sprint("other", i), english)))
		other.Put("short", []byte(text(fmt.Sprint(i), "das Haus der Frau")))
	}
	apply(t, d.e, &first)
	apply(t, d.e, &other)
	d.states("de", func(t *testing.T, e *Engine) {
		for name, want := range map[string]string{"de": "de", "en": "", "short": ""} {
			info, err := e.Index(name)
			if err != nil || info.Schema.Language != want {
				t.Errorf("%s: language %q, want %q (%v)", name, info.Schema.Language, want, err)
			}
		}
		if got := len(find(t, e, &Request{Indexes: []string{"de"}, Query: "Häuser "}).Hits); got != 3 {
			t.Errorf("%d hits for another form of a word, want 3", got)
		}
	})
}

// The fields that one record adds are those that as many records would.
func TestFieldsOfOneRecord(t *testing.T) {
	e := newEngine(t, nil)
	s := Schema{Dynamic: true, Fields: []Field{{Name: "first", Type: Text, Search: true, Language: "de"}}}
	create(t, e, "one", s)
	create(t, e, "many", s)
	var all []string
	var b Batch
	for i := range 200 {
		value := [...]string{`"word %d"`, `%d`, `%d.5`, `true`, `[%d, 1.5]`, `"2026-01-02"`}[i%6]
		if strings.Contains(value, "%d") {
			value = fmt.Sprintf(value, i)
		}
		field := fmt.Sprintf(`"f%d":%s`, i, value)
		all = append(all, field)
		b.Put("many", []byte(`{"id":"1",`+field+`}`))
	}
	b.Put("many", []byte(`{"id":"1",`+strings.Join(all, ",")+`}`))
	b.Put("one", []byte(`{"id":"1",`+strings.Join(all, ",")+`,"title":"Über"}`))
	b.Put("many", []byte(`{"id":"1",`+strings.Join(all, ",")+`,"title":"Über"}`))
	apply(t, e, &b)
	one, _ := e.Index("one")
	many, _ := e.Index("many")
	if !reflect.DeepEqual(one.Schema.Fields, many.Schema.Fields) || len(one.Schema.Fields) != 202 {
		t.Errorf("%d fields, not as these %d:\n%+v\n%+v", len(one.Schema.Fields), len(many.Schema.Fields), one.Schema.Fields, many.Schema.Fields)
	}
	for _, req := range []*Request{{Query: "word 30"}, {Query: "f6:word", Syntax: SyntaxQuery}, {Filter: "f1 = 1"}, {Filter: "f4 = 1.5"}, {Query: "title:uber", Syntax: SyntaxQuery}} {
		for _, index := range []string{"one", "many"} {
			if req.Indexes = []string{index}; find(t, e, req).Total != 1 {
				t.Errorf("%s: %q %q finds nothing", index, req.Query, req.Filter)
			}
		}
	}
}
