// The peer of Tantivy; proto/main.go has its command line, proto/proto.go the
// query protocol and proto/live.go the write scenario.
use std::fs::{self, File};
use std::io::{stdin, stdout, BufRead, BufReader, Write};
use std::time::Instant;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, Value, STORED, STRING};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{doc, Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

type Res<T> = Result<T, Box<dyn std::error::Error>>;

fn schema() -> Schema {
    let mut b = Schema::builder();
    b.add_text_field("id", STRING | STORED);
    let text = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer("spaces")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions),
    );
    b.add_text_field("text", text);
    b.build()
}

fn prepare(index: &Index) {
    index
        .tokenizers()
        .register("spaces", TextAnalyzer::builder(WhitespaceTokenizer::default()).build());
}

fn build(dir: &str) -> Res<()> {
    let _ = fs::remove_dir_all(dir);
    fs::create_dir_all(dir)?;
    let index = Index::create_in_dir(dir, schema())?;
    prepare(&index);
    let (id, text) = (index.schema().get_field("id")?, index.schema().get_field("text")?);
    let mut w: IndexWriter = index.writer_with_num_threads(1, 256_000_000)?;
    for line in stdin().lock().lines() {
        if let Some((i, t)) = line?.split_once('\t') {
            w.add_document(doc!(id => i, text => t))?;
        }
    }
    w.commit()?;
    w.wait_merging_threads()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        let mut w: IndexWriter = index.writer_with_num_threads(1, 256_000_000)?;
        w.merge(&segments).wait()?;
        w.garbage_collect_files().wait()?;
    }
    Ok(())
}

fn clause(text: Field, terms: Vec<&str>) -> Box<dyn Query> {
    let mut ts: Vec<Term> = terms.iter().map(|t| Term::from_field_text(text, t)).collect();
    if ts.len() == 1 {
        return Box::new(TermQuery::new(ts.remove(0), IndexRecordOption::WithFreqs));
    }
    Box::new(PhraseQuery::new(ts))
}

fn parse(text: Field, q: &str) -> Box<dyn Query> {
    let mut cs: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    let mut q = q.trim();
    while !q.is_empty() {
        let occur = match q.as_bytes()[0] {
            b'+' => Occur::Must,
            b'-' => Occur::MustNot,
            _ => Occur::Should,
        };
        if occur != Occur::Should {
            q = &q[1..];
        }
        let stop = if q.starts_with('"') { '"' } else { ' ' };
        if stop == '"' {
            q = &q[1..];
        }
        let (body, rest) = q.split_once(stop).unwrap_or((q, ""));
        cs.push((occur, clause(text, body.split_whitespace().collect())));
        q = rest.trim();
    }
    if cs.len() == 1 {
        return cs.remove(0).1;
    }
    Box::new(BooleanQuery::new(cs))
}

fn serve(dir: &str) -> Res<()> {
    let start = Instant::now();
    let index = Index::open_in_dir(dir)?;
    prepare(&index);
    let (id, text) = (index.schema().get_field("id")?, index.schema().get_field("text")?);
    let searcher = index.reader()?.searcher();
    let mut out = stdout().lock();
    writeln!(out, "READY\t{}", start.elapsed().as_nanos())?;
    out.flush()?;
    for line in stdin().lock().lines() {
        let line = line?;
        let (cmd, q) = line.split_once('\t').unwrap_or((&line, ""));
        if cmd != "COUNT" && !cmd.starts_with("TOP_") && !cmd.starts_with("IDS_") {
            writeln!(out, "UNSUPPORTED")?;
            out.flush()?;
            continue;
        }
        let start = Instant::now();
        let q = parse(text, q);
        let mut hits = Vec::new();
        let n = if cmd == "COUNT" {
            q.count(&searcher)?
        } else {
            let mut p = cmd.split('_').skip(1);
            let top = TopDocs::with_limit(p.next().unwrap_or("10").parse()?).order_by_score();
            if p.next().is_some() {
                let (h, n) = searcher.search(&q, &(top, Count))?;
                hits = h;
                n
            } else {
                hits = searcher.search(&q, &top)?;
                hits.len()
            }
        };
        let ns = start.elapsed().as_nanos();
        write!(out, "{n}\t{ns}")?;
        if cmd.starts_with("IDS") {
            for (i, (score, addr)) in hits.iter().enumerate() {
                let d: TantivyDocument = searcher.doc(*addr)?;
                let name = d.get_first(id).and_then(|v| v.as_str()).unwrap_or("?");
                write!(out, "{}{}={:.5}", if i == 0 { '\t' } else { ' ' }, name, score)?;
            }
        }
        writeln!(out)?;
        out.flush()?;
    }
    Ok(())
}

fn quantiles(name: &str, mut v: Vec<f64>) {
    v.sort_by(|a, b| a.total_cmp(b));
    let at = |q: f64| v[(q * (v.len() - 1) as f64) as usize];
    println!("{name} p50 {:.2} p99 {:.2} max {:.2}", at(0.5), at(0.99), at(1.0));
}

fn ms(t: Instant) -> f64 {
    t.elapsed().as_secs_f64() * 1e3
}

struct Live {
    w: IndexWriter,
    r: IndexReader,
    id: Field,
    text: Field,
}

impl Live {
    fn open(dir: &str) -> Res<Live> {
        fs::create_dir_all(dir)?;
        let index = Index::open_in_dir(dir).or_else(|_| Index::create_in_dir(dir, schema()))?;
        prepare(&index);
        let s = index.schema();
        Ok(Live {
            w: index.writer_with_num_threads(1, 64_000_000)?,
            r: index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?,
            id: s.get_field("id")?,
            text: s.get_field("text")?,
        })
    }

    fn put(&mut self, docs: &[(String, String)]) -> Res<()> {
        for (i, t) in docs {
            self.w.delete_term(Term::from_field_text(self.id, i));
            self.w.add_document(doc!(self.id => i.as_str(), self.text => t.as_str()))?;
        }
        self.w.commit()?;
        Ok(())
    }

    fn count(&self, term: &str) -> Res<usize> {
        self.r.reload()?;
        let q = TermQuery::new(Term::from_field_text(self.text, term), IndexRecordOption::Basic);
        Ok(self.r.searcher().search(&q, &Count)?)
    }

    fn put_all(&mut self, name: &str, docs: &[(String, String)], batch: usize) -> Res<()> {
        let (start, mut lat) = (Instant::now(), Vec::new());
        for b in docs.chunks(batch) {
            let t = Instant::now();
            self.put(b)?;
            lat.push(ms(t));
        }
        println!("{name}_docs_per_s {:.0}", docs.len() as f64 / start.elapsed().as_secs_f64());
        quantiles(&format!("{name}_batch_ms"), lat);
        Ok(())
    }
}

fn live(dir: &str, corpus: &str, n: usize, batch: usize) -> Res<()> {
    let _ = fs::remove_dir_all(dir);
    let mut docs = Vec::new();
    for line in BufReader::new(File::open(corpus)?).lines().take(n) {
        if let Some((i, t)) = line?.split_once('\t') {
            docs.push((i.to_string(), t.to_string()));
        }
    }
    let mut db = Live::open(dir)?;
    db.put_all("insert", &docs, batch)?;
    let mut vis = Vec::new();
    for i in 0..100 {
        let term = format!("visibleprobe{i}");
        let t = Instant::now();
        db.put(&[(term.clone(), format!("a small new record {term}"))])?;
        while db.count(&term)? != 1 {}
        vis.push(ms(t));
    }
    quantiles("write_to_visible_ms", vis);
    let upd: Vec<_> = docs.iter().step_by(5).map(|(i, t)| (i.clone(), format!("{t} updatedmark"))).collect();
    let del: Vec<_> = docs.iter().step_by(10).map(|(i, _)| i.clone()).collect();
    db.put_all("update", &upd, batch)?;
    let start = Instant::now();
    for b in del.chunks(batch) {
        for i in b {
            db.w.delete_term(Term::from_field_text(db.id, i));
        }
        db.w.commit()?;
    }
    println!("delete_docs_per_s {:.0}", del.len() as f64 / start.elapsed().as_secs_f64());
    println!("check_updated_left {} want {}", db.count("updatedmark")?, upd.len() - del.len());
    let t = Instant::now();
    db.w.wait_merging_threads()?;
    println!("close_ms {:.1}", ms(t));
    let t = Instant::now();
    Live::open(dir)?.count("updatedmark")?;
    println!("reopen_first_query_ms {:.2}", ms(t));
    Ok(())
}

fn main() -> Res<()> {
    let a: Vec<String> = std::env::args().collect();
    match a.get(1).map(String::as_str).unwrap_or("version") {
        "build" => build(&a[2]),
        "query" => serve(&a[2]),
        "live" => live(&a[2], &a[3], a[4].parse()?, a[5].parse()?),
        _ => Ok(println!("{}", tantivy::version_string())),
    }
}
