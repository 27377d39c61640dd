package webui_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// snippets opens a search with everything in it that shells and languages
// quote, and returns its code by the name of the tab.
func snippets(t *testing.T) (*page, map[string]string) {
	t.Helper()
	p := shop(t)
	const q = "red lamp's \"oak\" `steel` $HOME \\ ü"
	p.typeInto("#q", q)
	p.answered(q)
	p.click(`.facet[data-field=in_stock] .value input`)
	p.until(`document.querySelectorAll('.chip').length === 1`)
	eval[bool](p, `(document.querySelector('.facet[data-field=price] [data-end=to]').focus(), true)`)
	p.press(kb.ArrowLeft)
	p.until(`document.querySelectorAll('.chip').length === 2`)
	eval[bool](p, `(s => { s.value = 'price:desc'; s.dispatchEvent(new Event('change')); return true })(document.querySelector('#sort'))`)
	p.until(`history.state.sort === 'price:desc' && !document.querySelector('#results').hasAttribute('aria-busy')`)
	p.click("#copy")
	code := map[string]string{}
	for _, tab := range []string{"curl", "go", "http", "graphql"} {
		p.click("#code-tab-" + tab)
		p.until(`document.querySelector('#code-panel').getAttribute('aria-labelledby') === 'code-tab-' + %s`, tab)
		code[tab] = eval[string](p, `document.querySelector('#snippet').textContent`)
		if strings.Contains(code[tab], p.key) {
			t.Errorf("%s: the key is part of the code", tab)
		}
	}
	return p, code
}

// The code that the page offers does what the page does.
func TestSnippets(t *testing.T) {
	p, code := snippets(t)
	bodies := p.bodies()
	sent := bodies[len(bodies)-1]
	want := eval[string](p, `document.querySelector('#summary strong').innerText.split(' ')[0]`)

	t.Run("curl", func(t *testing.T) {
		if _, err := exec.LookPath("curl"); err != nil {
			t.Skip("no curl on this machine")
		}
		c := exec.Command("sh", "-c", code["curl"])
		c.Env = append(os.Environ(), "QUARRY_API_KEY="+p.key, "CURL_CA_BUNDLE="+p.ca)
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, code["curl"])
		}
		var got struct{ Total json.Number }
		if err := json.Unmarshal(out, &got); err != nil || got.Total.String() != want {
			t.Errorf("it finds %s, the page %s: %.300s", got.Total, want, out)
		}
	})
	t.Run("same body", func(t *testing.T) {
		_, text, _ := strings.Cut(code["curl"], "-d '")
		text = strings.ReplaceAll(strings.TrimSuffix(text, "'"), `'\''`, "'")
		var a, b bytes.Buffer
		if json.Compact(&a, []byte(text)) != nil || json.Compact(&b, []byte(sent)) != nil || a.String() != b.String() {
			t.Errorf("the page sent\n%s\nand offers\n%s", sent, a.String())
		}
	})
	for _, tab := range []string{"go", "http"} {
		t.Run(tab, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "main.go")
			if err := os.WriteFile(file, []byte(code[tab]), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, out, code[tab])
			}
		})
	}
	t.Run("graphql", func(t *testing.T) {
		query, variables, _ := strings.Cut(code["graphql"], "\n# variables\n")
		body, err := json.Marshal(object{"query": query, "variables": json.RawMessage(variables)})
		if err != nil {
			t.Fatal(err)
		}
		status, got := p.post("/v1/graphql", body)
		if status == 404 {
			t.Skip("no GraphQL here")
		}
		if status != 200 || strings.Contains(got, `"errors"`) || !strings.Contains(got, `"total":`+want+`,`) {
			t.Errorf("%d %.600s\nwant a total of %s\n%s", status, got, want, code["graphql"])
		}
	})
}

// post sends a request beside the browser.
func (p *page) post(path string, body []byte) (int, string) {
	p.t.Helper()
	r, err := http.NewRequest("POST", p.url+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.key)
	r.Header.Set("Content-Type", "application/json")
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
