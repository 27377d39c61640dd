package tokenize

import (
	"strings"
	"sync"
	"unicode"
)

// Hindi has a light stemmer of its own, after A. Ramanathan and D. Rao, A Lightweight Stemmer for
// Hindi, 2003: the longest ending is taken off that leaves enough. It sees folded words. What
// is spelt in several ways is spelt in one way first: मन्दिर and मंदिर, चाँद and चांद, फ़ोन and फोन.

// leastHindi is how many letters an ending leaves, vowel signs not counted.
const leastHindi = 2

// hindiRows are words that look like forms of others and are none: पानी is no form of पान. The
// first of a row is the stem of all.
const hindiRows = `
	हाथी हाथियों हाथियो, कमरा कमरे कमरों, काला काले काली, पानी, चांदी, दाना दाने दानों, घड़ी घड़ियां घड़ियों, माला मालाएं मालाओं,
	मेला मेले मेलों, तारा तारे तारों, खाना खाने खाया खाए खाये खाएं खाकर, गाना गाने गानों, मोती मोतियों, बाली बालियां, व्यक्ति व्यक्तियों व्यक्तियो व्यक्तियां,
	दादी दादियां, नानी नानियां, वर्षा, मात्रा मात्राएं मात्राओं, नौकरी नौकरियां नौकरियों, चोटी चोटियां चोटियों, ताला ताले तालों,
	धारा धाराएं धाराओं, कला कलाएं कलाओं, जीवनी, बढ़िया, खाली, साली सालियां, डाली डालियां डालियों, गोली गोलियां गोलियों,
	जाली, राजा राजाओं राजाओ, नाला नाले नालों, सेवा सेवाएं सेवाओं, चीनी, मूली मूलियां, दवा दवाएं दवाओं दवाई दवाइयां दवाइयों, माता माताएं माताओं,
	भावना भावनाएं भावनाओं, कामना कामनाएं कामनाओं, साधना साधनाएं साधनाओं, पटना, घटना घटनाएं घटनाओं,
	सपना सपने सपनों, गहना गहने गहनों, झरना झरने झरनों, पहन पहना पहने पहनी, पति पतियों, गलती गलतियां गलतियों, गिनती, आरती, धरती, भारती,
	पार्वती, सरस्वती, जनता, देवता देवताओं, एकता, ममता,
	लड़की लड़कियां लड़कियों लड़कियो, बेटी बेटियां बेटियों, पुत्री पुत्रियां पुत्रियों, चाची, मामी, खादी, कोयला कोयले, गली गलियां गलियों, गुड़िया गुड़ियां गुड़ियों,
	गेंदा गेंदे, घंटी घंटियां घंटियों, चौकी चौकियां चौकियों, छाती, जलना जलने जलता जलते जलती जला जले जली, तकिया तकिये तकिए तकियों, धनिया,
	पेटी पेटियां, बाजा बाजे, भागना भागने भागता भागते, भेड़िया भेड़िये भेड़िए भेड़ियों, सितारा सितारे सितारों, साला साले, हरा हरे हरी,
	हंसना हंसने हंसता हंसते हंसी, खीरा खीरे, अंगूठी अंगूठियां अंगूठियों, देवी देवियां देवियों,
	रेडियो, किलो, चर्चा चर्चाएं चर्चाओं, पक्षी पक्षियों पक्षियो पक्षियां, पापा, क्षमता क्षमताएं क्षमताओं, चारा चारे, पाना पाने पाता पाते पाती,
	जीना जीने, घाटी घाटियां घाटियों, घाटा घाटे, सूचना सूचनाएं सूचनाओं, सूची सूचियां सूचियों, वक्ता वक्ताओं, सबका सबके सबकी,
	धोना धोने धोता धोते धोया धोए धोये धोएं धोकर`

// hindiLong are stems of verbs in -ा, whose forms begin with it. Many nouns end in the same way: खजाना, माता.
const hindiLong = "बना बता दिखा लगा चला सिखा समझा हटा बचा उठा मना कमा जला पका"

// hindiLongEndings are the endings of those, the infinitive first, which is the stem of all.
const hindiLongEndings = "ना ने ता ते ती या ये ए एं ई एगा एगी एंगे कर"

// hindiForms are the rows by each of their words, as hindiSpelling has them, and the forms of verbs in -ा.
var hindiForms = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for row := range strings.SplitSeq(hindiRows, ",") {
		words := strings.Fields(hindiSpelling(row))
		for _, w := range words {
			m[w] = words[0]
		}
	}
	for verb := range strings.FieldsSeq(hindiLong) {
		ends := strings.Fields(hindiLongEndings)
		for _, end := range ends {
			m[verb+end] = verb + ends[0]
		}
	}
	return m
})

// hindiEndings are tried in this order. Those of nouns in -ी lose the ि too, which stands for it
// before another ending.
var hindiEndings = [...]string{
	"ियाओं", "ियों", "ियां", "ियो", "ेंगे", "ेंगी", "ूंगा", "ूंगी", "िया", "िये", "िए", "ेगा", "ेगी", "ोगे", "ोगी",
	"ें", "ों", "ा", "ी", "े", "ो", "ि",
}

// hindiVerbs are the infinitive and the participle, which are taken off behind a consonant alone: महीना and
// रास्ता are nouns. Feminine -नी is as often of nouns: कंपनी.
var hindiVerbs = [...]string{"ना", "ने", "ता", "ते", "ती"}

// hindiStem returns the stem of a folded word.
func hindiStem(word string) string {
	word = hindiSpelling(word)
	if stem, ok := hindiForms()[word]; ok {
		return stem
	}
	word = hindiPlural(word)
	for _, end := range hindiVerbs {
		if rest, ok := strings.CutSuffix(word, end); ok && hindiLetters(rest) >= leastHindi && endsInHindiConsonant(rest) {
			return rest
		}
	}
	for _, end := range hindiEndings {
		if rest, ok := strings.CutSuffix(word, end); ok && hindiLetters(rest) >= leastHindi {
			return rest
		}
	}
	return word
}

// hindiPlural takes the plural and the oblique off behind vowels, where they are syllables of their own: भाषाओं,
// वस्तुएं, भाइयों, विद्यार्थियों; and spells the glide in one way: रुपए, रुपये; भाई, भाइयों.
func hindiPlural(word string) string {
	for _, end := range [...]string{"ओं", "एं", "यें", "ओ"} {
		rest, ok := strings.CutSuffix(word, end)
		if ok && (strings.HasSuffix(rest, "ा") || strings.HasSuffix(rest, "ु")) {
			return rest
		}
	}
	for _, end := range [...]string{"यों", "यां", "यो"} {
		if rest, ok := strings.CutSuffix(word, end); ok && strings.HasSuffix(rest, "इ") {
			return rest
		}
	}
	if rest, ok := strings.CutSuffix(word, "ई"); ok {
		if endsInHindiConsonant(rest) {
			return rest + "यी"
		}
		return rest + "इ"
	}
	if rest, ok := strings.CutSuffix(word, "ए"); ok && rest != "" && !strings.HasSuffix(rest, "ि") {
		return rest + "ये"
	}
	if rest, ok := strings.CutSuffix(word, "ू"); ok {
		return rest + "ु"
	}
	return word
}

// hindiSpelling spells a word without the dots of letters for foreign sounds, and with an
// anusvara for all nasals before a consonant of their row, as is common today.
func hindiSpelling(word string) string {
	const nukta, virama, anusvara = '़', '्', 'ं'
	if !strings.ContainsAny(word, "़ँ्") {
		return word
	}
	letters := []rune(word)
	out := letters[:0]
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		switch {
		case r == nukta:
			continue
		case r == 'ँ':
			r = anusvara
		case i+2 < len(letters) && letters[i+1] == virama && nasalOf(letters[i+2]) == r:
			r = anusvara
			i++
		}
		out = append(out, r)
	}
	return string(out)
}

// nasalOf returns the nasal of the row of a stop, 0 of other letters: of the 25 letters from क on,
// five make a row, with the nasal as the last.
func nasalOf(r rune) rune {
	const row = 5
	switch {
	case r >= 'क' && r < 'न':
		at := (r - 'क') % row
		if at == row-1 {
			return 0
		}
		return r - at + row - 1
	case r >= 'प' && r < 'म': // behind ऩ, which is of no row
		return 'म'
	}
	return 0
}

// hindiLetters counts letters without the signs for vowels.
func hindiLetters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// endsInHindiConsonant tells whether a word ends in a consonant without a sign, in which it is said to have
// an a, and not in the second of two.
func endsInHindiConsonant(s string) bool {
	letters := []rune(s)
	n := len(letters)
	return n > 0 && letters[n-1] >= 'क' && letters[n-1] <= 'ह' && (n < 2 || letters[n-2] != '्')
}
