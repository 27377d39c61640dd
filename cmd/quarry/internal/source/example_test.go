package source_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/quarry-search/quarry/cmd/quarry/internal/source"
)

func Example() {
	table := "sku,title,price\nA1,\"shoes, red\",39.9\nA2,hat,12\n"
	r, err := source.Open(strings.NewReader(table), source.Options{Name: "shop.csv"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		record, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(record.Line, string(record.JSON))
	}
	// Output:
	// 2 {"sku":"A1","title":"shoes, red","price":39.9}
	// 3 {"sku":"A2","title":"hat","price":12}
}
