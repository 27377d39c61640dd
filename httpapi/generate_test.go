package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// operation is a method of a path in the OpenAPI document.
type operation struct {
	method, pattern string
	spec            object
	params          []object // those of the path included
}

// public tells whether an operation needs no key. Such ones answer machines
// that put parameters of their own into every URL.
func (o operation) public() bool {
	return o.spec["security"] != nil && len(o.spec["security"].([]any)) == 0
}

func (o operation) name() string { return o.method + " " + o.pattern }

// documented lists those of the document in a fixed order.
func documented() []operation {
	var list []operation
	paths := document()["paths"].(object)
	for _, pattern := range slices.Sorted(maps.Keys(paths)) {
		item := paths[pattern].(object)
		shared, _ := item["parameters"].([]any)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			if method == "parameters" {
				continue
			}
			o := operation{method: strings.ToUpper(method), pattern: pattern, spec: item[method].(object)}
			own, _ := o.spec["parameters"].([]any)
			for _, p := range slices.Concat(shared, own) {
				o.params = append(o.params, resolve(p))
			}
			list = append(list, o)
		}
	}
	return list
}

// generator makes requests from what the document says of an operation. What
// is named in words has values that mean something to the service under test,
// so that requests get further than its first check.
type generator struct {
	rnd   *rand.Rand
	words map[string][]any // by the name of a member or parameter
	paths map[string][]any // values for {id}, by the first segment of the path
}

// generated is a request. It is valid if the document allows all of it.
type generated struct {
	op      operation
	path    string
	headers map[string]string
	media   string
	body    string
	valid   bool
	what    string // was done to it to make it invalid
}

func (g *generated) String() string {
	return fmt.Sprintf("%s %s (%s) %v %s %.2000s", g.op.method, g.path, g.what, g.headers, g.media, g.body)
}

// request makes a request of what was generated.
func (g *generated) request() *http.Request {
	r := httptest.NewRequest(g.op.method, g.path, strings.NewReader(g.body))
	if g.media != "" {
		r.Header.Set("Content-Type", g.media)
	}
	for name, v := range g.headers {
		r.Header.Set(name, v)
	}
	return r
}

// make generates a request; spoil has one thing of it changed, which may leave
// it valid.
func (g *generator) make(op operation, spoil bool) *generated {
	r := &generated{op: op, path: op.pattern, headers: map[string]string{}, valid: true, what: "as it should be"}
	body := resolve(op.spec["requestBody"])
	places := len(op.params) + 1
	if body != nil {
		places += 2 + 2*len(op.params) // bodies have more to spoil
	}
	place := -1
	if spoil {
		place = g.rnd.IntN(places)
	}
	query := url.Values{}
	for i, p := range op.params {
		g.param(r, p, query, i == place)
	}
	if place == len(op.params) {
		query.Add([]string{"limt", "api_key", "filtr", "", "Index"}[g.rnd.IntN(5)], g.hostile())
		r.what, r.valid = "a parameter more", op.public()
	}
	if body != nil {
		g.body(r, body, place > len(op.params))
	}
	if len(query) > 0 {
		r.path += "?" + query.Encode()
	}
	return r
}

// param sets a parameter, most of the time; path parameters always.
func (g *generator) param(r *generated, p object, query url.Values, spoil bool) {
	name, in := p["name"].(string), p["in"].(string)
	if in != "path" && p["required"] != true && !spoil && g.rnd.IntN(2) == 0 {
		return
	}
	v := g.value(p["schema"], g.hintOf(r.op, name, in), 0)
	if spoil {
		v = g.hostile()
		r.what = "parameter " + name
		if g.rnd.IntN(4) == 0 && in == "query" && p["required"] == true {
			r.valid = false
			return
		}
	}
	text := fmt.Sprint(v)
	if in == "path" && (text == "" || text == "." || text == "..") {
		text = "x" // another path
	}
	if spoil && in != "header" && conforms(p["schema"], asParameter(p["schema"], text), "") != nil {
		r.valid = false
	}
	switch in {
	case "path":
		r.path = strings.Replace(r.path, "{"+name+"}", url.PathEscape(text), 1)
	case "query":
		query.Add(name, text)
		if spoil && g.rnd.IntN(8) == 0 {
			query.Add(name, text)
			r.what, r.valid = "parameter "+name+" twice", false
		}
	case "header":
		r.headers[name] = strings.Map(func(c rune) rune {
			if c < ' ' || c > '~' {
				return 'x'
			}
			return c
		}, text)
		r.valid = r.valid && conforms(p["schema"], r.headers[name], "") == nil
	}
}

// asParameter reads a parameter as its schema wants it, if that goes.
func asParameter(schema any, text string) any {
	if resolve(schema)["type"] == "integer" {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return float64(n)
		}
	}
	return text
}

// hintOf names the words for a parameter.
func (g *generator) hintOf(op operation, name, in string) string {
	if in == "path" && (name == "id" || name == "delivery") {
		return "path:" + strings.Split(op.pattern, "/")[2] + ":" + name
	}
	return in + ":" + name
}

// body adds a body of one of the media types of the operation.
func (g *generator) body(r *generated, spec object, spoil bool) {
	content := spec["content"].(object)
	media := slices.Sorted(maps.Keys(content))
	r.media = media[0]
	if len(media) > 1 && g.rnd.IntN(3) == 0 {
		r.media = media[g.rnd.IntN(len(media))]
	}
	schema := content[r.media].(object)["schema"]
	if r.media != mediaJSON {
		r.body = g.lines(r.media)
		if spoil {
			r.body, r.what = g.garble(r.body), "the text of the lines"
		}
		return
	}
	v := g.value(schema, "", 0)
	if spoil && g.rnd.IntN(6) > 0 {
		v, r.what = g.spoil(v)
		hurry(v)
		r.valid = r.valid && conforms(schema, v, "") == nil
	}
	hurry(v)
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	r.body = string(text)
	if spoil && r.what == "as it should be" {
		r.body, r.what = g.garble(r.body), "the text of the body"
		var any any
		if r.body == "" && spec["required"] != true {
			return
		}
		if !utf8.ValidString(r.body) || json.Unmarshal([]byte(r.body), &any) != nil || conforms(schema, any, "") != nil {
			r.valid = false
		}
	}
}

// hurry keeps searches from waiting for versions that will never be.
func hurry(v any) {
	switch v := v.(type) {
	case object:
		if _, waits := v["min_version"]; waits {
			v["timeout_ms"] = float64(1)
		}
		for _, m := range v {
			hurry(m)
		}
	case []any:
		for _, e := range v {
			hurry(e)
		}
	}
}

// value makes a value of a schema. name is that of the member it belongs to.
func (g *generator) value(schema any, name string, depth int) any {
	s := resolve(schema)
	if words := g.words[name]; len(words) > 0 && g.rnd.IntN(8) > 0 {
		if v := words[g.rnd.IntN(len(words))]; conforms(s, v, "") == nil {
			return v
		}
	}
	if words := g.paths[name]; len(words) > 0 && g.rnd.IntN(8) > 0 {
		return words[g.rnd.IntN(len(words))]
	}
	if all, ok := s["allOf"].([]any); ok {
		s = joined(all)
	}
	if any, ok := s["anyOf"].([]any); ok {
		return g.value(any[g.rnd.IntN(len(any))], name, depth)
	}
	if enum, ok := s["enum"].([]any); ok {
		return enum[g.rnd.IntN(len(enum))]
	}
	kind, _ := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok {
		kind = kinds[g.rnd.IntN(len(kinds))].(string)
	}
	switch kind {
	case "object":
		return g.object(s, depth)
	case "array":
		least, most := bound(s, "minItems", 0), bound(s, "maxItems", 1000)
		n := min(least+g.rnd.IntN(4), most)
		list := []any{}
		for range n {
			list = append(list, g.value(s["items"], name, depth+1))
		}
		return list
	case "string":
		return g.text(s)
	case "integer":
		least, most := bound(s, "minimum", -3), bound(s, "maximum", 2000)
		return float64([]int{least, most, least + g.rnd.IntN(most-least+1), least + g.rnd.IntN(min(20, most-least+1))}[g.rnd.IntN(4)])
	case "number":
		least, most := bound(s, "minimum", -100), bound(s, "maximum", 100)
		return float64(least) + g.rnd.Float64()*float64(most-least)
	case "boolean":
		return g.rnd.IntN(2) == 0
	}
	return nil
}

// joined makes one object schema of the parts of allOf.
func joined(all []any) object {
	whole := object{"type": "object"}
	props := object{}
	var required []any
	for _, part := range all {
		part := resolve(part)
		for k, v := range part {
			whole[k] = v
		}
		more, _ := part["properties"].(object)
		maps.Copy(props, more)
		required = appendAny(required, part["required"])
	}
	whole["properties"], whole["required"] = props, required
	return whole
}

func bound(s object, name string, missing int) int {
	if v, ok := s[name].(float64); ok {
		return int(v)
	}
	return missing
}

func (g *generator) object(s object, depth int) any {
	props, _ := s["properties"].(object)
	if props == nil && s["additionalProperties"] == nil || s["additionalProperties"] == true {
		return g.record()
	}
	required, _ := s["required"].([]any)
	o := object{}
	chance := 2 + 2*depth + len(props)/4
	for _, name := range slices.Sorted(maps.Keys(props)) {
		if slices.Contains(required, any(name)) || g.rnd.IntN(chance) == 0 {
			o[name] = g.value(props[name], name, depth+1)
		}
	}
	if more, ok := s["additionalProperties"].(object); ok {
		for range g.rnd.IntN(3) {
			o["p"+strconv.Itoa(g.rnd.IntN(5))] = g.value(more, "", depth+1)
		}
	}
	return o
}

// record makes a record that mostly fits the schema of the tests.
func (g *generator) record() object {
	o := object{}
	for name, make := range map[string]func() any{
		"id":    func() any { return "r" + strconv.Itoa(g.rnd.IntN(40)) },
		"title": func() any { return g.phrase() },
		"price": func() any { return float64(g.rnd.IntN(1000)) / 10 },
		"stock": func() any { return float64(g.rnd.IntN(9)) },
		"brand": func() any { return []string{"Nike", "Asics", "Éclair", "b&w"}[g.rnd.IntN(4)] },
		"tags":  func() any { return []any{g.phrase(), g.phrase()} },
		"loc":   func() any { return object{"lat": g.rnd.Float64()*180 - 90, "lon": g.rnd.Float64()*360 - 180} },
		"day":   func() any { return "2026-11-21T13:00:00Z" },
		"more":  func() any { return object{"a": g.hostile(), "b": nil} },
		"odd":   func() any { return g.hostile() },
	} {
		if g.rnd.IntN(2) == 0 && (name != "odd" || g.rnd.IntN(8) == 0) {
			o[name] = make()
		}
	}
	return o
}

func (g *generator) phrase() string {
	words := []string{"red", "running", "shoes", "hat", "the", "straße", "北京", "обувь", "can't", "3.5", "x", "a-b_c", "wi‑fi"}
	var list []string
	for range 1 + g.rnd.IntN(4) {
		list = append(list, words[g.rnd.IntN(len(words))])
	}
	return strings.Join(list, " ")
}

func (g *generator) text(s object) string {
	switch {
	case s["format"] == "date-time":
		return fmt.Sprintf("20%02d-0%d-11T10:00:00Z", g.rnd.IntN(99), 1+g.rnd.IntN(9))
	case s["pattern"] != nil:
		return "x1"
	}
	text := g.phrase()
	if g.rnd.IntN(10) == 0 {
		text = g.hostile()
	}
	for len([]rune(text)) < bound(s, "minLength", 0) {
		text += "x"
	}
	if most := bound(s, "maxLength", 1<<30); len([]rune(text)) > most {
		text = string([]rune(text)[:most])
	}
	return text
}

// lines makes a body of records for the media types that are none of JSON.
func (g *generator) lines(media string) string {
	var b strings.Builder
	if media == mediaCSV {
		b.WriteString("id,title,price\n")
	}
	for range g.rnd.IntN(5) {
		if media == mediaCSV {
			fmt.Fprintf(&b, "r%d,%s,%d\n", g.rnd.IntN(40), g.phrase(), g.rnd.IntN(100))
			continue
		}
		text, _ := json.Marshal(g.record())
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// hostile returns a text that programs stumble over.
func (g *generator) hostile() string {
	list := []string{
		"", " ", "\x00", "a\x00b", "-1", "0", "99999999999999999999", "1e999", "NaN", "null", "true", "[]", "{}", "\"", "'", "`", "\\", "%", "%00", "%2e%2e",
		"../../etc/passwd", "é", "e\u0301", "👩‍👩‍👧‍👦", "\u202eabc", "\ufeff", "\uffff", "\U0010ffff", "İı", "ǆ", "ﬁ", "\u2028", "\r\n", "<script>", "';--", "*", "**", "a*", "*a", "?",
		"(", ")", "((", "AND", "OR NOT", "a AND", "~", "a~9", "^", "a^1e99", ":", "a:", ":a", "[* TO", "\"a", "a\"", "-", "+", "-a", "price <", "geo(loc,", "title:\"", "score:up", "_", ".", "..",
		strings.Repeat("a", 300), strings.Repeat("é", 600), strings.Repeat("(", 200), strings.Repeat("a ", 100), strings.Repeat("-", 70), strings.Repeat("\u0301", 90),
		strings.Repeat("x", 5000),
	}
	return list[g.rnd.IntN(len(list))]
}

// garble damages a text.
func (g *generator) garble(text string) string {
	if text == "" {
		return "{"
	}
	at := g.rnd.IntN(len(text))
	switch g.rnd.IntN(7) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + string(byte(g.rnd.IntN(256))) + text[at+1:]
	case 2:
		return text[:at] + "\x00" + text[at:]
	case 3:
		return text + text
	case 4:
		return text[:at] + strings.Repeat("[", 40) + text[at:]
	case 5:
		return text[:at] + text[min(len(text), at+1+g.rnd.IntN(5)):]
	}
	return "\ufeff\ufeff" + text // one may be there
}

// spoil changes one place of a value and says how.
func (g *generator) spoil(v any) (any, string) {
	var places []func(any)
	var values []any
	var names []string
	var walk func(v any, at string, set func(any))
	walk = func(v any, at string, set func(any)) {
		places, values, names = append(places, set), append(values, v), append(names, at)
		switch v := v.(type) {
		case object:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name], at+"/"+name, func(x any) {
					if x == nil {
						delete(v, name)
					} else {
						v[name] = x
					}
				})
			}
		case []any:
			for i := range v {
				walk(v[i], at+"/"+strconv.Itoa(i), func(x any) { v[i] = x })
			}
		}
	}
	v = clone(v)
	root := v
	walk(v, "", func(x any) { root = x })
	i := g.rnd.IntN(len(places))
	old := values[i]
	how := []string{"type", "null", "missing", "extra", "huge", "unicode", "NUL"}[g.rnd.IntN(7)]
	switch how {
	case "type":
		places[i]([]any{float64(7), "seven", true, []any{}, object{}, []any{[]any{}}, -1.5, object{"a": 1.0}}[g.rnd.IntN(8)])
	case "null":
		places[i](null)
	case "missing":
		if i > 0 {
			places[i](nil)
		}
	case "extra":
		if o, ok := old.(object); ok {
			o[[]string{"limt", "", "Q", "__proto__", "a/b~c", "constructor", "\x00", "records"}[g.rnd.IntN(8)]] = float64(1)
		} else if list, ok := old.([]any); ok {
			places[i](append(list, g.hostile()))
		}
	case "huge":
		places[i](g.huge(old))
	case "unicode":
		places[i](g.hostile())
	case "NUL":
		if text, ok := old.(string); ok {
			places[i](text + "\x00")
		} else {
			places[i]("\x00")
		}
	}
	return plain(root), how + " at " + names[i]
}

// null stands for JSON's null while nil removes a member.
var null = new(int)

func plain(v any) any {
	switch v := v.(type) {
	case *int:
		return nil
	case object:
		for name, m := range v {
			v[name] = plain(m)
		}
	case []any:
		for i, e := range v {
			v[i] = plain(e)
		}
	}
	return v
}

func clone(v any) any {
	switch v := v.(type) {
	case object:
		c := object{}
		for name, m := range v {
			c[name] = clone(m)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	}
	return v
}

func (g *generator) huge(old any) any {
	switch v := old.(type) {
	case float64:
		return []float64{1e308, -1e308, 1 << 53, 1 << 63, -1 << 63, 1e-308, 4294967296, 1001, 10001}[g.rnd.IntN(9)]
	case []any:
		if len(v) == 0 {
			v = []any{"x"}
		}
		list := []any{}
		for range 2000 {
			list = append(list, clone(v[len(list)%len(v)]))
		}
		return list
	case object:
		o := clone(v).(object)
		for i := range 1500 {
			o["member"+strconv.Itoa(i)] = float64(i)
		}
		return o
	}
	return strings.Repeat("word ", []int{20, 100, 1000, 20_000}[g.rnd.IntN(4)])
}

// filled is a body of about n bytes: element over and over between two ends,
// with # standing for its number.
func filled(n int, begin, element, separator, end string) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(strings.ReplaceAll(element, "#", strconv.Itoa(i)))
	}
	b.WriteString(end)
	return b.String()
}
