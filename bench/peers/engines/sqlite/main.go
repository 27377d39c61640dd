// Command sqlite is the peer of SQLite FTS5; package proto has its command line.
// It needs cgo and the build tag sqlite_fts5.
package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/quarry-search/quarry/bench/peers/proto"
)

const schema = `
create table if not exists ids(n integer primary key, id text unique);
create virtual table if not exists docs using fts5(text, content='', contentless_delete=1,
	tokenize="unicode61 remove_diacritics 0 categories 'L* N*'");`

func open(dir, pragmas string) (*sql.DB, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "fts.db")+"?"+pragmas)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec(schema)
	return db, err
}

func build(dir string) error {
	db, err := open(dir, "_journal_mode=OFF&_synchronous=OFF&_cache_size=-262144")
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	ids, err := tx.Prepare("insert into ids(n, id) values(?, ?)")
	if err != nil {
		return err
	}
	docs, err := tx.Prepare("insert into docs(rowid, text) values(?, ?)")
	if err != nil {
		return err
	}
	n := 0
	if err := proto.Docs("-", func(id, text string) error {
		n++
		if _, err := ids.Exec(n, id); err != nil {
			return err
		}
		_, err := docs.Exec(n, text)
		return err
	}); err != nil {
		return err
	}
	if _, err := tx.Exec("insert into docs(docs) values('optimize')"); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return db.Close()
}

// match turns a query into FTS5's language, which has no optional clauses
// beside required ones.
func match(cs []proto.Clause) (string, bool) {
	var parts, nots []string
	var occur byte
	for _, c := range cs {
		p := `"` + strings.Join(c.Terms, " ") + `"`
		if c.Occur == '-' {
			nots = append(nots, p)
			continue
		}
		if occur != 0 && occur != c.Occur {
			return "", false
		}
		occur = c.Occur
		parts = append(parts, p)
	}
	op := " OR "
	if occur == '+' {
		op = " AND "
	}
	q := strings.Join(parts, op)
	for _, n := range nots {
		q = "(" + q + ") NOT " + n
	}
	return q, len(parts) > 0
}

func serve(dir string) error {
	start := time.Now()
	db, err := open(dir, "mode=ro&_cache_size=-262144")
	if err != nil {
		return err
	}
	defer db.Close()
	count, err := db.Prepare("select count(*) from docs where docs match ?")
	if err != nil {
		return err
	}
	top, err := db.Prepare("select rowid, rank from docs where docs match ? order by rank limit ?")
	if err != nil {
		return err
	}
	name, err := db.Prepare("select id from ids where n = ?")
	if err != nil {
		return err
	}
	proto.Serve(time.Since(start), func(cmd proto.Command, cs []proto.Clause) (int, []proto.Hit, error) {
		m, ok := match(cs)
		if !ok {
			return 0, nil, proto.ErrUnsupported
		}
		total, n := 0, 0
		if cmd.Count {
			if err := count.QueryRow(m).Scan(&total); err != nil || cmd.K == 0 {
				return total, nil, err
			}
		}
		rows, err := top.Query(m, cmd.K)
		if err != nil {
			return 0, nil, err
		}
		var rowids []int64
		var hits []proto.Hit
		for rows.Next() {
			var r int64
			var score float64
			if err := rows.Scan(&r, &score); err != nil {
				return 0, nil, err
			}
			n++
			if cmd.IDs {
				rowids = append(rowids, r)
				hits = append(hits, proto.Hit{Score: -score})
			}
		}
		rows.Close()
		for i, r := range rowids {
			if err := name.QueryRow(r).Scan(&hits[i].ID); err != nil {
				return 0, nil, err
			}
		}
		if cmd.Count {
			n = total
		}
		return n, hits, rows.Err()
	})
	return nil
}

type live struct{ db *sql.DB }

func (l live) tx(f func(tx *sql.Tx) error) error {
	tx, err := l.db.Begin()
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

func drop(tx *sql.Tx, id string) error {
	if _, err := tx.Exec("delete from docs where rowid = (select n from ids where id = ?)", id); err != nil {
		return err
	}
	_, err := tx.Exec("delete from ids where id = ?", id)
	return err
}

func (l live) Put(docs []proto.Doc) error {
	return l.tx(func(tx *sql.Tx) error {
		for _, d := range docs {
			if err := drop(tx, d.ID); err != nil {
				return err
			}
			res, err := tx.Exec("insert into ids(id) values(?)", d.ID)
			if err != nil {
				return err
			}
			n, err := res.LastInsertId()
			if err != nil {
				return err
			}
			if _, err := tx.Exec("insert into docs(rowid, text) values(?, ?)", n, d.Text); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l live) Delete(ids []string) error {
	return l.tx(func(tx *sql.Tx) error {
		for _, id := range ids {
			if err := drop(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l live) Count(term string) (n int, err error) {
	err = l.db.QueryRow("select count(*) from docs where docs match ?", `"`+term+`"`).Scan(&n)
	return n, err
}

func (l live) Close() error { return l.db.Close() }

func main() {
	proto.Program{
		Version: func() string {
			v, _, _ := sqlite3.Version()
			return "SQLite " + v + ", " + proto.ModuleVersion("github.com/mattn/go-sqlite3")
		},
		Build: build,
		Query: serve,
		// In WAL mode with synchronous=FULL a commit is an fsync of the log.
		Open: func(dir string) (proto.Live, error) {
			db, err := open(dir, "_journal_mode=WAL&_synchronous=FULL")
			return live{db}, err
		},
	}.Main()
}
