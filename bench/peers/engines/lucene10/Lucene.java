// The peer of Lucene 10, which needs JDK 21 or newer; proto/main.go has its command
// line, proto/proto.go the query protocol and proto/live.go the write scenario.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.search.*;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.*;

public class Lucene {
  static IndexWriterConfig config(double ramMB) {
    return new IndexWriterConfig(new WhitespaceAnalyzer())
        .setRAMBufferSizeMB(ramMB).setSimilarity(new BM25Similarity(1.2f, 0.75f));
  }

  static Document doc(String id, String text) {
    Document d = new Document();
    d.add(new StringField("id", id, Field.Store.YES));
    d.add(new TextField("text", text, Field.Store.NO));
    return d;
  }

  static BufferedReader lines(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8), 1 << 20);
  }

  static void build(Path dir) throws Exception {
    try (Directory d = FSDirectory.open(dir);
        IndexWriter w = new IndexWriter(d, config(256).setOpenMode(IndexWriterConfig.OpenMode.CREATE))) {
      BufferedReader in = lines(System.in);
      for (String l; (l = in.readLine()) != null;) {
        int tab = l.indexOf('\t');
        if (tab > 0) w.addDocument(doc(l.substring(0, tab), l.substring(tab + 1)));
      }
      w.forceMerge(1, true);
      w.commit();
    }
  }

  static Query clause(String[] terms) {
    if (terms.length == 1) return new TermQuery(new Term("text", terms[0]));
    return new PhraseQuery("text", terms);
  }

  static Query parse(String q) {
    BooleanQuery.Builder b = new BooleanQuery.Builder();
    int n = 0;
    Query only = null;
    for (q = q.trim(); !q.isEmpty(); q = q.trim()) {
      BooleanClause.Occur o = BooleanClause.Occur.SHOULD;
      if (q.charAt(0) == '+') o = BooleanClause.Occur.MUST;
      if (q.charAt(0) == '-') o = BooleanClause.Occur.MUST_NOT;
      if (o != BooleanClause.Occur.SHOULD) q = q.substring(1);
      boolean phrase = q.startsWith("\"");
      if (phrase) q = q.substring(1);
      int end = q.indexOf(phrase ? '"' : ' ');
      String body = end < 0 ? q : q.substring(0, end);
      q = end < 0 ? "" : q.substring(end + 1);
      only = clause(body.trim().split(" +"));
      b.add(only, o);
      n++;
    }
    return n == 1 ? only : b.build();
  }

  static void serve(Path dir) throws Exception {
    long start = System.nanoTime();
    try (IndexReader r = DirectoryReader.open(FSDirectory.open(dir))) {
      IndexSearcher s = new IndexSearcher(r);
      s.setQueryCache(null);
      s.setSimilarity(new BM25Similarity(1.2f, 0.75f));
      PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, "UTF-8");
      out.print("READY\t" + (System.nanoTime() - start) + "\n");
      out.flush();
      BufferedReader in = lines(System.in);
      for (String l; (l = in.readLine()) != null;) {
        int tab = l.indexOf('\t');
        if (tab < 0) tab = l.length();
        String cmd = l.substring(0, tab);
        String q = l.substring(Math.min(tab + 1, l.length()));
        if (!cmd.equals("COUNT") && !cmd.startsWith("TOP_") && !cmd.startsWith("IDS_")) {
          out.print("UNSUPPORTED\n");
          out.flush();
          continue;
        }
        start = System.nanoTime();
        long n;
        ScoreDoc[] hits = {};
        if (cmd.equals("COUNT")) {
          n = s.count(parse(q));
        } else {
          String[] p = cmd.split("_");
          int k = Integer.parseInt(p[1]);
          boolean count = p.length > 2;
          TopDocs t = s.search(parse(q), new TopScoreDocCollectorManager(k, count ? Integer.MAX_VALUE : k));
          n = count ? t.totalHits.value() : t.scoreDocs.length;
          if (p[0].equals("IDS")) hits = t.scoreDocs;
        }
        long ns = System.nanoTime() - start;
        out.print(n + "\t" + ns);
        for (int i = 0; i < hits.length; i++)
          out.print((i == 0 ? "\t" : " ") + s.storedFields().document(hits[i].doc).get("id") + "=" + hits[i].score);
        out.print("\n");
        out.flush();
      }
    }
  }

  static double ms(long ns) { return ns / 1e6; }

  static void quantiles(String name, List<Long> v) {
    Collections.sort(v);
    int n = v.size() - 1;
    System.out.printf("%s p50 %.2f p99 %.2f max %.2f%n", name,
        ms(v.get((int) (n * .5))), ms(v.get((int) (n * .99))), ms(v.get(n)));
  }

  static void rate(String name, int n, long ns) {
    System.out.printf("%s_docs_per_s %.0f%n", name, n / (ns / 1e9));
  }

  /** The write scenario of proto/live.go. */
  static class Live {
    final Directory dir;
    IndexWriter w;
    DirectoryReader r;

    Live(Path p) throws IOException { dir = FSDirectory.open(p); open(); }

    void open() throws IOException {
      w = new IndexWriter(dir, config(64));
      r = DirectoryReader.open(w);
    }

    void put(List<String[]> docs) throws IOException {
      for (String[] d : docs) w.updateDocument(new Term("id", d[0]), doc(d[0], d[1]));
      w.commit();
    }

    int count(String term) throws IOException {
      DirectoryReader n = DirectoryReader.openIfChanged(r, w);
      if (n != null) { r.close(); r = n; }
      return new IndexSearcher(r).count(new TermQuery(new Term("text", term)));
    }

    void put(String name, List<String[]> docs, int batch) throws IOException {
      List<Long> lat = new ArrayList<>();
      long start = System.nanoTime();
      for (int i = 0; i < docs.size(); i += batch) {
        long t = System.nanoTime();
        put(docs.subList(i, Math.min(i + batch, docs.size())));
        lat.add(System.nanoTime() - t);
      }
      rate(name, docs.size(), System.nanoTime() - start);
      quantiles(name + "_batch_ms", lat);
    }
  }

  static void live(Path dir, String corpus, int n, int batch) throws Exception {
    List<String[]> docs = new ArrayList<>();
    try (BufferedReader in = lines(new FileInputStream(corpus))) {
      for (String l; docs.size() < n && (l = in.readLine()) != null;) docs.add(l.split("\t", 2));
    }
    Live db = new Live(dir);
    db.put("insert", docs, batch);
    List<Long> vis = new ArrayList<>(), nrt = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String term = "visibleprobe" + i;
      long t = System.nanoTime();
      db.put(Collections.singletonList(new String[] {term, "a small new record " + term}));
      while (db.count(term) != 1) {}
      vis.add(System.nanoTime() - t);
    }
    quantiles("write_to_visible_ms", vis);
    for (int i = 0; i < 100; i++) { // without the fsync: near-real-time reader only
      String term = "nrtprobe" + i;
      long t = System.nanoTime();
      db.w.updateDocument(new Term("id", term), doc(term, "a small new record " + term));
      while (db.count(term) != 1) {}
      nrt.add(System.nanoTime() - t);
    }
    quantiles("write_to_visible_not_durable_ms", nrt);
    List<String[]> upd = new ArrayList<>();
    List<String> del = new ArrayList<>();
    for (int i = 0; i < docs.size(); i += 5) {
      upd.add(new String[] {docs.get(i)[0], docs.get(i)[1] + " updatedmark"});
      if (i % 10 == 0) del.add(docs.get(i)[0]);
    }
    db.put("update", upd, batch);
    long start = System.nanoTime();
    for (int i = 0; i < del.size(); i += batch) {
      for (String id : del.subList(i, Math.min(i + batch, del.size()))) db.w.deleteDocuments(new Term("id", id));
      db.w.commit();
    }
    rate("delete", del.size(), System.nanoTime() - start);
    System.out.printf("check_updated_left %d want %d%n", db.count("updatedmark"), upd.size() - del.size());
    start = System.nanoTime();
    db.r.close();
    db.w.close();
    System.out.printf("close_ms %.1f%n", ms(System.nanoTime() - start));
    start = System.nanoTime();
    db.open();
    db.count("updatedmark");
    System.out.printf("reopen_first_query_ms %.2f%n", ms(System.nanoTime() - start));
    db.r.close();
    db.w.close();
  }

  public static void main(String[] a) throws Exception {
    if (a[0].equals("version")) {
      System.out.println("Lucene " + org.apache.lucene.util.Version.LATEST + ", Java " + Runtime.version());
      return;
    }
    Path dir = Paths.get(a[1]);
    switch (a[0]) {
      case "build": build(dir); break;
      case "query": serve(dir); break;
      case "live": live(dir, a[2], Integer.parseInt(a[3]), Integer.parseInt(a[4])); break;
    }
  }
}
