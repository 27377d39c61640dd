// Package intent understands what the words of a query say about the fields of
// records: "nike red shoes under $50" speaks of a brand, a colour and a price.
// It is pure: it knows cue words and units, from files of its own, and asks a
// [Vocabulary] which values the records hold.
//
// A [Domain] is what can be spoken of: fields, hints and the cue words of some
// languages. [Domain.Understand] reads a query and returns [Part]s: a filter
// each, with the bytes of the query that it comes from. Parts never overlap
// and stand in the order of the query.
//
// # What is understood
//
//   - Comparatives and ranges of numbers: "under 50 euros", "at least 4 stars",
//     "between 20 and 40", "over 100 g", "<= 17 inch", "4 stars and up".
//   - Years and dates: "before 1990", "since May 2015", "from the 1980s",
//     "in 1994", and a year alone where a field of years is there; "18th century"; months and
//     days without a year, "in june", "5 december", as those of all years of the records, if
//     these are few; what is compared with them, "before december 15", if records are of one year; in East
//     Asian languages a year or a decade before what says so, 2015年以降, 90年代.
//   - Amounts up to the next round one, 3万円台, and with several powers of ten, 3억 5천만원.
//   - Numbers with a unit or beside the name of a field: "16 gb", "8 cores", "1/2 inch", and in
//     words, of people, times and what a field counts: "for two people", "half an hour", "one stop".
//   - That there is none of what is counted: "no experience", "nonstop", "sugar free".
//   - The most that all steps of something may take: "under 30 minutes" of prep_time and cook_time.
//   - Numbers of people and ages within fields of the least and the most: "for 8 people" of
//     players_min and players_max, "3 year old" of age_from.
//   - Ordinals before the name of a field of few values: "third year".
//   - Values of fields: "nike", "science fiction", singular or plural.
//   - Names of yes-or-no fields: "in stock", "pet friendly" of pets_allowed,
//     "unfurnished", "pets not allowed", "free" of is_free, and what they, or their contraries, are called
//     or about in the language of the index: "dog friendly", "on-site" of remote, "eşyasız", "с балконом".
//   - Languages and countries by their adjectives, "german podcasts" of the language de.
//   - Phrases that hints give a meaning: "cheap".
//   - Superlatives, which say what is to come first: "cheapest", "newest", "lowest mileage",
//     "highest" of an elevation, "most populous" of a population; behind the name, where the
//     language has them there: "salario más alto", 面积最大, 연봉 가장 높은.
//   - Values and yes-or-no fields that a negation stands before: "not nike",
//     "without bluetooth"; those that a list joins to them, "or asics", of the same field,
//     or behind a word that names none; and values that one stands behind: "egg free", "zuckerfrei". However few
//     records have such a value, it is one, and a word may be a part of it, or a class that it belongs to:
//     who wants no tomato wants no tomato paste, and who wants no nuts no almonds.
//
// # Which field a number belongs to
//
// A field measures something if a hint gives its unit, if its name ends in one
// (weight_g, screen_in, price_eur), or if its name says so: price or cost for
// money, rating or stars for ratings, year or date for time, and their
// translations, or as languages join words what it ends in, as Kaltmiete; a field of numbers of which all look
// so is one of years. A hint goes before a name that is just that word (price) or that ends in a unit, and this before a name that has the word among others
// (list_price); a field that is counted in the very unit of the query goes
// before those that need converting. The number belongs to the one field that
// comes first so, but not to one that is a maximum or minimum by its name, if another is there.
// What a name says is counted names the field, too: "500 reviews" belongs to num_reviews, and what that
// is called otherwise: "inhabitants" is population. Of two fields that end in min and
// max and fit alike, a comparative is about the first, what is sure, and "most" about the second. Words may name
// the aspect that is measured, and choose the field by it: "wider than 2 m", "2 m wide", also of one that does not
// tell what it is counted in: "under 200 wide". A word beside the number that is one of a field's name chooses it:
// "due before june" of due_date; of several times of a record, that of its making is meant, and not of its end or
// last change. Where several fit, it belongs to the one whose values it fits, so far as the
// [Vocabulary] knows them ("512 gb" to storage_gb and not to ram_gb), else to the one that the
// query has not spoken of, and if that leaves several, nothing is understood. A number beside the
// name of a field belongs to that field. Units of one kind are converted
// (kg to g), with a tolerance where they seldom give round numbers (oz to g); currencies are not: "$50" says nothing about price_eur.
//
// A comparative without unit ("under 50") is about the field of money, and
// with a word of time ("before 1990") about the one of years or dates; "over 1 million" is about the only
// field of plain numbers that has values around it. So is "at least
// 2019" where records are of such years, and any number that only the years fit.
//
// # Certain parts
//
// A part is certain, so that it may restrict what is found, if it is a
// comparative or a range, and its number has a unit, a currency, the name of
// its field beside it or a word of time before it; without any of them, if
// there is no other field of numbers that it could mean, by values that are not far from it, or
// if words before it compare it ("under 100"), records have such prices, and the query names no
// other field that it could mean. A decade is a range
// where a word leads to it ("from the 1980s"), a month, too ("in june"), and a day is one. All else
// names a single value and is not certain; nor is what a hint marks so.
//
// # What stays words
//
// Values that several fields hold, unless one of them does so in at least four
// times as many records as any other, or is named beside it. Values that are a
// number, a single letter or filler words. Numbers behind a negation ("not 16
// gb"). And everything that no rule here speaks of.
package intent
