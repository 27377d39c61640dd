package intent

import (
	"bufio"
	"embed"
	"fmt"
	"slices"
	"strings"
)

// The cue words of a language are in data/<code>.txt, what all languages share
// in data/common.txt. A line is a key, a colon and phrases between commas; #
// begins a comment.
//
//	lt le gt ge        what makes a comparative of the number after it; with the
//	                   kind of unit that it is said of alone, "lt money", or with
//	                   "unit", if there is one: "from 50 euros"; and with both, or
//	                   the aspect of things that it is said of: "lt length width"
//	after lt ...       the same behind the number: "or less"
//	after least ...    superlatives behind the name of a field: "salario más alto", 面积最大
//	between, and       the two words of a range
//	or                 what joins the things of a list, as "and" does
//	from, to           those of another one
//	in                 what leads to a year
//	skip               what may stand between a cue and its number
//	not                negations
//	except             of letters without spaces: denies what stands behind it, and except
//	                   after what stands before it; with "value" only values of fields
//	joint              of the same letters: joins the things of a list
//	nor                what joins the things of a list that is denied, besides or
//	harmless           phrases with a negation that denies nothing: "not only"
//	free               those that stand behind what they deny
//	rid                those that do so only behind a burden or with a hyphen: "sugar free" has none,
//	                   and "hotel free parking" is a hotel; or joined to one, with an ending:
//	                   "zuckerfreie"
//	not-rid            what makes a thing of its own of those before it: "free range"
//	folk               words for people, of whom an age is said, "women over 50"; "folk young",
//	                   for those who are few years old
//	burden             what things are made free of, and are bought for it
//	decade, decades    what makes a decade of a number before it, or after it; "decades alone", only
//	                   of two digits behind which nothing stands that they count: "de los 90"
//	decade 80          what means a decade by itself
//	year               behind four digits, with no space between: they are a year
//	band               behind an amount of money: from it to the next of as many digits, 3万円台
//	particle           of letters without spaces: what says no more beside a value or a name
//	fields             no phrases: what follows counts only where records have fields of numbers or
//	                   dates. Texts are cut at little: "2008年" is a part of many names
//	least, greatest    superlatives of a kind of unit, "least money: cheapest", or of a field
//	                   of that name, "greatest population: most populous"; without
//	                   a kind, those that the name of a field stands behind: "lowest"
//	month 1 ...        names of months; "month in", what leads to one, and
//	                   "month doubtful", those that are other words as well
//	ordinal            what makes an ordinal of digits: "th"
//	nth 1 ...          words for ordinals
//	century            words for a century, and era, behind one before ours
//	whole, asks        of letters without spaces: what is no cue though a part of it is one,
//	                   and words of questions; "asks asked" of what ends as "asked" says,
//	                   and none with one of "asks not"
//	scale 1000 ...     words that multiply the number before them
//	unit kg ...        words for a unit of common.txt; with a point between two
//	                   letters if it is not one without; "unit firm", those of them that are
//	                   units behind a number though they are fillers elsewhere
//	aspect width ...   words for an aspect of things, as names of fields have them, or
//	                   as stand behind a number: "2 m wide"
//	numeral 2 ...      words for numbers before units of people and durations
//	amount min 30 ...  phrases for an amount of a unit: "half an hour"
//	lead person ...    words for a unit that stand before its number: "sleeps 4"
//	name money ...     names of fields that measure a kind of unit; "name date"
//	                   is for fields of dates alone, "name kind" for categories, and
//	                   "name unit min" for those that are counted in a unit
//	joined             of languages that write compounds as one word: what such names of fields
//	                   end in, with what they are joined to: kaltmiete is kalt miete
//	counted before     words of such names that say that what is behind them is counted
//	                   (num_reviews), counted after, before them (review_count), and
//	                   counted of, what may stand between (number_of_pages)
//	total, step        words of names of fields of durations that say that they are those of
//	                   all that is to be done, or of a part of it: total_time, prep_time
//	prime, minor       words of names of fields of times that say that they are what is meant
//	                   where nothing says which, "newest", or are not: created_at, updated_at
//	plain, less        the same of names of one word that are just a time, and of amounts of
//	                   money that are not what one pays: compare_at_price
//	per                what stands before what an amount is in: "5 g per 100 g"
//	code country de    what values of fields of a kind of name, which are this code or one of
//	                   the words, are called as well: "germany, german"; codes
//	                   in capitals are not said
//	member nuts        what is one of these, and not wanted where they are not: "walnut"
//	contrary remote    words that say that a yes-or-no field is not so: "on-site"
//	thing salary ...   nouns for records that have a field with one of these words in its
//	                   name, "jobs over 50k"; without such words, for all records
//	done               what things of a year are: "released before 1990"; earned, what they do
//	                   with an amount: "made over 500 million"
//	call population ...  words that name a field of numbers besides its own name, or a yes-or-no field
//	about balcony ...  words for what a yes-or-no field of a name is about
//	none stops         words that say that there are none of what such a field counts
//	flag before        of names of yes-or-no fields, what stands before what they
//	                   are about (has_garden), and flag after, behind it
//	                   (pets_allowed), as it may in queries ("pet friendly"); flag is,
//	                   before what they are by itself (is_remote)
//	flag not           beginnings that make the contrary: "unfurnished"
//	flag none          what stands behind such a name and says that it is not there, besides free
//	flag with, flag without   endings of words that say that something is there, "balkonlu",
//	                   and that it is not: "balkonsuz"
//	ending             "ies > y": endings of words that values are found without;
//	                   with a number of letters that have to remain: "s 3". A star stands for a
//	                   consonant: "** 2 > *" is a double one. The rules are applied as long as one does;
//	                   "leder > leder" ends that; "ending noun",
//	                   those that adjectives do not have
//	decimal            the decimal point, and group: what groups digits
//	define mass kg 1000   a unit, its kind and its size, which are in common.txt but for those
//	                      whose symbol is a word of one language
//
//go:embed data/*.txt
var files embed.FS

// read takes in a file, or its names of fields alone, or what is there for texts.
func (c *Cues) read(text string, namesOnly, texts bool) error {
	s := bufio.NewScanner(strings.NewReader(text))
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' || namesOnly && !strings.HasPrefix(line, "name ") && !strings.HasPrefix(line, "flag ") && !strings.HasPrefix(line, "counted ") && !ofNames(line) && !strings.HasPrefix(line, "aspect ") {
			continue
		}
		key, rest, ok := strings.Cut(line, ":")
		if key == "fields" {
			if texts {
				break
			}
			continue
		}
		if head, _, _ := strings.Cut(key, " "); ok && isLate(head) {
			c.late[head] = append(c.late[head], line)
			continue
		}
		if !ok || !c.define(strings.Fields(key), phrasesOf(rest)) {
			return fmt.Errorf("line %d: %s", n, line)
		}
	}
	return s.Err()
}

// phrasesOf returns the phrases of a line.
func phrasesOf(rest string) (phrases []string) {
	for p := range strings.SplitSeq(rest, ",") {
		if p = strings.TrimSpace(p); p != "" {
			phrases = append(phrases, p)
		}
	}
	return phrases
}

// ofNames tells whether a line is about words of names of fields.
func ofNames(line string) bool {
	head, _, _ := strings.Cut(line, ":")
	return slices.Contains([]string{"total", "step", "prime", "minor", "plain", "less"}, head)
}
