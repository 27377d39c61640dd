package thesaurus

import _ "embed"

// The tables, see the package comment.
var (
	//go:embed data/ar.tab
	arabic string
	//go:embed data/ar.idx
	arabicIndex string

	//go:embed data/ca.tab
	catalan string
	//go:embed data/ca.idx
	catalanIndex string

	//go:embed data/cs.tab
	czech string
	//go:embed data/cs.idx
	czechIndex string

	//go:embed data/da.tab
	danish string
	//go:embed data/da.idx
	danishIndex string

	//go:embed data/de.tab
	german string
	//go:embed data/de.idx
	germanIndex string

	//go:embed data/el.tab
	greek string
	//go:embed data/el.idx
	greekIndex string

	//go:embed data/en.tab
	english string
	//go:embed data/en.idx
	englishIndex string

	//go:embed data/es.tab
	spanish string
	//go:embed data/es.idx
	spanishIndex string

	//go:embed data/fi.tab
	finnish string
	//go:embed data/fi.idx
	finnishIndex string

	//go:embed data/fr.tab
	french string
	//go:embed data/fr.idx
	frenchIndex string

	//go:embed data/hi.tab
	hindi string
	//go:embed data/hi.idx
	hindiIndex string

	//go:embed data/hu.tab
	hungarian string
	//go:embed data/hu.idx
	hungarianIndex string

	//go:embed data/it.tab
	italian string
	//go:embed data/it.idx
	italianIndex string

	//go:embed data/ja.tab
	japanese string
	//go:embed data/ja.idx
	japaneseIndex string

	//go:embed data/ko.tab
	korean string
	//go:embed data/ko.idx
	koreanIndex string

	//go:embed data/nl.tab
	dutch string
	//go:embed data/nl.idx
	dutchIndex string

	//go:embed data/no.tab
	norwegian string
	//go:embed data/no.idx
	norwegianIndex string

	//go:embed data/pl.tab
	polish string
	//go:embed data/pl.idx
	polishIndex string

	//go:embed data/pt.tab
	portuguese string
	//go:embed data/pt.idx
	portugueseIndex string

	//go:embed data/ro.tab
	romanian string
	//go:embed data/ro.idx
	romanianIndex string

	//go:embed data/ru.tab
	russian string
	//go:embed data/ru.idx
	russianIndex string

	//go:embed data/sv.tab
	swedish string
	//go:embed data/sv.idx
	swedishIndex string

	//go:embed data/tr.tab
	turkish string
	//go:embed data/tr.idx
	turkishIndex string

	//go:embed data/uk.tab
	ukrainian string
	//go:embed data/uk.idx
	ukrainianIndex string

	//go:embed data/vi.tab
	vietnamese string
	//go:embed data/vi.idx
	vietnameseIndex string

	//go:embed data/zh.tab
	chinese string
	//go:embed data/zh.idx
	chineseIndex string
)
