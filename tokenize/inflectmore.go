package tokenize

import "strings"

// turkishBase spells forms that the algorithm does not take apart. Suffixes of loans in
// -at, -al and -ol have other vowels than it asks for: saatler, festivali, kontrolü. Of
// masası it takes ı and leaves the s, as of adresi, of arasındaki all that is behind it.
func turkishBase(word string) string {
	switch word {
	case "rengi", "rengin", "rengine":
		return "renk"
	}
	word = replaceEnding(word, []ending{{"ndaki", "nda", 2}, {"ndeki", "nde", 2}})
	for _, loan := range [...]string{"at", "al", "ol"} {
		if i := strings.Index(word, loan+"ler"); i > 0 {
			return word[:i+len(loan)]
		}
	}
	for _, e := range [...]ending{
		{"ası", "a", 2}, {"ısı", "ı", 2}, {"esi", "e", 2}, {"isi", "i", 2}, {"osu", "o", 2}, {"usu", "u", 2}, {"ösü", "ö", 2}, {"üsü", "ü", 2},
	} {
		rest, ok := strings.CutSuffix(word, e.from)
		if ok && syllables(rest) > 0 && !endsInTurkishS(rest+e.to+"s") {
			return rest + e.to
		}
	}
	return replaceEnding(word, []ending{{"ati", "at", 2}, {"ali", "al", 4}, {"olü", "ol", 1}})
}

// endsInTurkishS reports whether a word in a vowel and -s is a noun, of several syllables,
// and not a vowel with the beginning of a suffix.
func endsInTurkishS(word string) bool {
	switch word {
	case "adres", "albatros", "ananas", "atlas", "bonus", "domates", "ekspres", "elmas", "enfes", "esas", "fanus",
		"hadis", "herkes", "heves", "hostes", "humus", "husus", "iblis", "iflas", "iris", "kafes", "kaktüs", "kampüs",
		"kaos", "kermes", "kompres", "kosmos", "kudüs", "kumpas", "kıbrıs", "kıyas", "logos", "lotus", "meclis",
		"minibüs", "miras", "mühendis", "namus", "nefes", "nüfus", "ofis", "okyanus", "otobüs", "papirüs", "paris",
		"patates", "piyes", "polis", "prenses", "servis", "sinüs", "temas", "tenis", "teras", "termos", "troleybüs",
		"tunus", "ulus", "varis", "venüs", "virüs", "yunus":
		return true
	}
	return false
}

// arabicBase spells the plural of feminines as the singular and the feminine of colours
// as the masculine: سيارات is سيارة, سوداء is اسود. A pronoun may stand behind the
// plural. The word is folded.
func arabicBase(word string) string {
	if rest, ok := strings.CutSuffix(word, "اء"); ok {
		for _, root := range [...]string{"سود", "بيض", "حمر", "زرق", "خضر", "صفر", "سمر", "شقر"} {
			if prefix, ok := strings.CutSuffix(rest, root); ok && len(prefix) <= len("وال") {
				return prefix + "ا" + root
			}
		}
		return word
	}
	const least = 3 * len("ا") // letters before -ات: نبات is no plural
	for _, pronoun := range [...]string{"", "ه", "ها", "هم", "هن", "نا", "ك", "كم", "ي"} {
		if rest, ok := strings.CutSuffix(word, "ات"+pronoun); ok && len(strings.TrimPrefix(rest, "ال")) >= least {
			if pronoun == "" {
				return rest + "ة"
			}
			return rest + "ت" + pronoun
		}
	}
	return word
}

// russianBase spells forms that lose more than an ending as others of their word, with е
// for ё. Of кровать the algorithm takes the end of a verb.
func russianBase(word string) string {
	switch word {
	case "окон":
		return "окно"
	case "писем":
		return "письмо"
	case "кресел":
		return "кресло"
	case "стекол":
		return "стекло"
	case "чисел":
		return "число"
	case "кровать":
		return "кровати"
	case "день":
		return "дни"
	case "огонь":
		return "огни"
	}
	return word
}

// russianStem takes the vowel from stems that have it in some forms only: чашка, чашек;
// ботинок, ботинки; отец, отца; кольцо, колец. Behind a vowel it comes and goes with й:
// копейка, копеек; китаец, китайцы.
func russianStem(stem string) string {
	const letter, vowels = len("к"), "аеиоуыэюя"
	for _, end := range [...]string{"ок", "ек", "ец", "ьц"} {
		before, ok := strings.CutSuffix(stem, end)
		if !ok || !strings.ContainsAny(before, vowels) {
			continue
		}
		switch last := before[len(before)-letter:]; {
		case !strings.ContainsAny(last, vowels+"йь"):
			return before + end[letter:]
		case end[:letter] == "е" && last != "й" && last != "ь":
			return before + "й" + end[letter:]
		}
	}
	return stem
}
