package proto

import (
	"errors"
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]string{
		``:                     `[]`,
		`a  b`:                 `[{32 [a]} {32 [b]}]`,
		`+a -"b c" d`:          `[{43 [a]} {45 [b c]} {32 [d]}]`,
		`"a b`:                 `[{32 [a b]}]`,
		`+ - "" "`:             `[]`,
		`+"new york" +weather`: `[{43 [new york]} {43 [weather]}]`,
	} {
		if got := fmt.Sprint(Parse(in)); got != want {
			t.Errorf("Parse(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestCommand(t *testing.T) {
	for in, want := range map[string]Command{
		"COUNT":        {Count: true},
		"TOP_10":       {K: 10},
		"TOP_10_COUNT": {K: 10, Count: true},
		"IDS_3":        {K: 3, IDs: true},
	} {
		if got, err := command(in); err != nil || got != want {
			t.Errorf("command(%q) = %+v, %v, want %+v", in, got, err, want)
		}
	}
	if _, err := command("SUM"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("command(SUM): %v, want ErrUnsupported", err)
	}
	for _, in := range []string{"TOP_", "TOP_0", "TOP_-1", "IDS_x"} {
		if c, err := command(in); err == nil {
			t.Errorf("command(%q) = %+v, want an error", in, c)
		}
	}
}
