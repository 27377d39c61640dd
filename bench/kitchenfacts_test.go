package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// kitchen is the judged collection that ships with the project; its README
// says how it is made.
var kitchen = filepath.Join("testdata", "kitchen")

// row is a line of one of the tables of facts, by the names of its columns.
type row map[string]string

// choices are the parts of a column between bars.
func (r row) choices(column string) []string {
	list := strings.Split(r[column], "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// facts reads a table of testdata/kitchen/facts; its first line names the
// columns.
func facts(tb testing.TB, name string) []row {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(kitchen, "facts", name))
	if err != nil {
		tb.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	columns := strings.Split(lines[0], "\t")
	var out []row
	for i, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) > len(columns) {
			tb.Fatalf("%s:%d: %d columns, want %d", name, i+2, len(cells), len(columns))
		}
		r := row{}
		for j, c := range cells {
			r[columns[j]] = c
		}
		out = append(out, r)
	}
	return out
}

// known is what is known of a recipe: the values of its text facts, and its
// numbers.
type known struct {
	values  map[string][]string
	numbers map[string]int
}

// is tells whether a text fact has one of the values.
func (k known) is(fact string, values ...string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return slices.Contains(k.values[fact], v) })
}

// satisfies tells whether a rule holds: rules between semicolons are
// alternatives, conditions between spaces must all hold. A condition is
// fact=value,value (one of them), fact!=value,value (none of them) or a number
// compared by =, <, <=, > or >=. An empty rule holds nowhere.
func (k known) satisfies(rule string) (bool, error) {
	for alternative := range strings.SplitSeq(rule, ";") {
		conditions := strings.Fields(alternative)
		all := len(conditions) > 0
		for _, c := range conditions {
			ok, err := k.holds(c)
			if err != nil {
				return false, err
			}
			all = all && ok
		}
		if all {
			return true, nil
		}
	}
	return false, nil
}

// holds tells whether one condition of a rule holds.
func (k known) holds(condition string) (bool, error) {
	at := strings.IndexAny(condition, "!=<>")
	if at < 1 {
		return false, fmt.Errorf("condition %q compares nothing", condition)
	}
	fact, op := condition[:at], strings.TrimRight(condition[at:], "abcdefghijklmnopqrstuvwxyz0123456789,")
	operand := condition[at+len(op):]
	if n, ok := k.numbers[fact]; ok {
		with, err := strconv.Atoi(operand)
		if err != nil {
			return false, fmt.Errorf("condition %q: %q is no number", condition, operand)
		}
		switch op {
		case "=":
			return n == with, nil
		case "<":
			return n < with, nil
		case "<=":
			return n <= with, nil
		case ">":
			return n > with, nil
		case ">=":
			return n >= with, nil
		}
	}
	if k.values[fact] == nil || op != "=" && op != "!=" || operand == "" {
		return false, fmt.Errorf("condition %q is of an unknown fact or operator", condition)
	}
	return k.is(fact, strings.Split(operand, ",")...) == (op == "="), nil
}

func TestKitchenRules(t *testing.T) {
	k := known{map[string][]string{"dish": {"soup"}, "has": {"lentil", "carrot"}}, map[string]int{"minutes": 40}}
	for _, c := range []struct {
		rule string
		want bool
	}{
		{"dish=soup", true}, {"dish=stew,soup has=carrot", true}, {"dish!=soup", false}, {"dish!=stew,pie minutes<=40", true},
		{"has=carrot minutes<40", false}, {"has=leek; minutes>39", true}, {"minutes=40", true}, {"minutes>=41", false}, {"", false},
	} {
		if got, err := k.satisfies(c.rule); err != nil || got != c.want {
			t.Errorf("%q holds: %v (error %v), want %v", c.rule, got, err, c.want)
		}
	}
	for _, rule := range []string{"soup", "colour=red", "minutes<x", "dish<soup", "dish="} {
		if _, err := k.satisfies(rule); err == nil {
			t.Errorf("%q is no error", rule)
		}
	}
}
