package tokenize

import (
	"strings"
	"sync"
)

// The words of the types that change more than a grade are few and everyday: no new ones are
// made. Rows have the stems of one word, with the one before the others that they are spelt as.
const (
	// finnishCompounded are stems that compounds end in, too: juomaveden.
	finnishCompounded = `
		vesi vete vede vett, kasi kate kade, susi sute sude sutt, mesi mete mede, vuosi vuote vuode vuott vuon,
		taysi tayte tayde, koysi koyte koyde, lansi lante lanne, kansi kante kanne kant kantt,
		mies miehe miehi mieste, lapsi laste, veli velje velji, meri mert, tytar tyttare, sydan sydame syda,
		avaim avai avaime avaimi, kevat keva kevaa, kolme kolma, poika poja, aika denaja tyoaja keskiaja nykyaja,
		taika taia, ruoka ruoa ruua, reika reia, liika liia, kaiku kaiu, joki joe, maki mae, vaki vae, nako nao,
		teko teo, rako rao, haku hau, maku mau, arki arje, jalka jala jaloi, nalka nala, selka sela, polku polu,
		virka vira viroi, turku turu, harka hara, velka vela velo veloi, korko koro koroi, halko halo, marka mara`
	// finnishAlone are stems that too many other words end in.
	finnishAlone = `
		uusi uute uude uutt, kuusi kuute kuude kuutt, alku alu, aika aja, sika sia, vika via, ika ia, laki lai,
		pako pao`
	// finnishForms are forms that look like another case, with their stems.
	finnishForms = `
		laps lasta lasten, mies miesta miesten, mer merta, un unta, nais naista, ihmis ihmista, kuol kuolla, vars vartta,
		lum lunta, kas katta, ves vetta, sus sutta, uus uutta, vuos vuotta, asio asia asian asiaa asiat`
	// finnishSteady have a single consonant in all forms, as loans do.
	finnishSteady = " auto data foto moto mopo mika niko erika toyota jamaika "
)

// finnishTables are the rows by each of their stems or forms.
type finnishTables struct{ compounded, alone, forms map[string]string }

var finnishTypes = sync.OnceValue(func() (t finnishTables) {
	byStem := func(rows string) map[string]string {
		m := map[string]string{}
		for row := range strings.SplitSeq(rows, ",") {
			words := strings.Fields(row)
			for _, w := range words[1:] {
				m[w] = words[0]
			}
		}
		return m
	}
	return finnishTables{byStem(finnishCompounded), byStem(finnishAlone), byStem(finnishForms)}
})

// spell spells the stems of one word that differ in more than a grade in one way.
func (f *finnishWord) spell() {
	const longest, before = len("keskiaja"), 3 // stems of finnishCompounded, and what is before one
	w, n := f.stem, len(f.stem)
	t := finnishTypes()
	if stem, ok := t.alone[w]; ok {
		f.stem, f.closed, f.fixed = stem, false, false
		return
	}
	for at := max(0, n-longest); at <= n-3; at++ {
		if stem, ok := t.compounded[w[at:]]; ok && (at == 0 || at >= before) {
			f.stem, f.closed = w[:at]+stem, false
			return
		}
	}
	if strings.HasSuffix(w, "auto") || strings.Contains(finnishSteady, " "+w+" ") {
		f.fixed = true
		return
	}
	if f.closed && endsInAny(w, "uvu", "yvy") {
		f.stem, f.closed = w[:n-2]+"k"+w[n-1:], false // puvu
		return
	}
	if n < 5 {
		return
	}
	si := endsInAny(w, "se", "si")
	switch third, fourth := w[n-3], w[n-4]; {
	case (endsInAny(w, "de", "te", "si")) && (third == 'u' || third == 'y') && isVowel(fourth):
		f.stem, f.fixed = w[:n-2], true // sairaude, kuukausi
	case n > 5 && si && third == 'k' && strings.IndexByte("uyei", fourth) >= 0:
		f.stem, f.fixed = w[:n-3], true // sormukse
	case n > 5 && si && third == 'k' && fourth == 'o':
		f.stem, f.fixed = w[:n-3]+"s", true // tulokse: tulos is not tulo
	case si && third == 'i' && !f.bare:
		f.stem, f.fixed = w[:n-1], true // punaise
	case n > 7 && endsInAny(w, "ttoma", "ttomi"):
		f.stem, f.fixed = w[:n-2], true // kodittoma, of koditon
	case endsInAny(w, "me", "mi") && third == 'i' && !f.bare && !isVowel(fourth):
		f.stem, f.closed = w[:n-2], false // puhelime, of puhelin
	case f.closed && !f.bare && endsInAny(w, "lje", "rje"):
		f.stem, f.closed = w[:n-2]+"ke", false // jälje
	case !f.bare && endsInAny(w, "arre", "orre", "irre", "arte", "orte", "irte"):
		f.stem = w[:n-2] + "s" // varre
	}
}

// finnishRoot returns the word of one syllable that a word is a form of, "" if it is of none:
// suon and soiden are of suo.
func finnishRoot(word string) string {
	for _, end := range [...]string{"", "n", "t", "ta", "na", "ssa", "sta", "lla", "lta", "lle", "ksi", "den", "hin", "han", "hun", "hon", "hen", "hyn", "nsa", "mme"} {
		root, ok := strings.CutSuffix(word, end)
		if !ok {
			continue
		}
		switch root {
		case "maa", "paa", "puu", "kuu", "luu", "suu", "syy", "suo", "tie", "tyo", "yo", "jaa", "haa", "tee":
			return root
		}
		if len(end) < 2 {
			continue
		}
		switch root { // the plural
		case "mai", "pui", "lui", "syi":
			return root[:2] + root[1:2]
		case "soi":
			return "suo"
		case "tei":
			return "tie"
		case "toi":
			return "tyo"
		case "oi":
			return "yo"
		}
	}
	return ""
}
