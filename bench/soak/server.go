package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is a quarry serve in a process of its own, in a folder of its own.
type server struct {
	cmd        *exec.Cmd
	dir        string
	url, admin string
	key        string
	client     *http.Client
	ended      bool
}

// start starts the program and waits until it is ready.
func start(ctx context.Context, binary string) (*server, error) {
	dir, err := os.MkdirTemp("", "quarry-soak-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	data := filepath.Join(dir, "data")
	s.cmd = exec.CommandContext(ctx, binary, "serve", "--data", data, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
	s.cmd.Stderr = os.Stderr
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("no ready line: %w", err), s.stop())
	}
	for _, word := range strings.Fields(line) {
		switch name, v, _ := strings.Cut(word, "="); {
		case strings.HasPrefix(word, "https://"):
			s.url = word
		case name == "admin":
			s.admin = v
		}
	}
	key, err := os.ReadFile(filepath.Join(data, "root.key"))
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	ca, err := os.ReadFile(filepath.Join(data, "tls", "ca.pem"))
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	s.key = strings.TrimSpace(string(key))
	s.client = &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, MaxIdleConnsPerHost: 1024, ForceAttemptHTTP2: false,
	}}
	return s, nil
}

// stop ends the server as an operator does and removes its folder.
func (s *server) stop() error {
	if s.ended {
		return nil
	}
	s.ended = true
	s.cmd.Process.Signal(syscall.SIGTERM)
	err := s.cmd.Wait()
	if err != nil {
		err = fmt.Errorf("the server ended badly: %w", err)
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}

// send sends a request with a body of JSON and decodes the answer into to,
// unless that is nil or the status an error's.
func (s *server) send(ctx context.Context, method, path string, body, to any) (*http.Response, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && to != nil && res.StatusCode < 300 {
		err = json.Unmarshal(answer, to)
	}
	return res, err
}

// figures are what the server takes up.
type figures struct {
	resident    int64 // bytes
	descriptors int   // but those of its data: tables stay open, a bounded number
	goroutines  int
}

// figures reads them from /proc and from the server's own.
func (s *server) figures(ctx context.Context) (f figures, err error) {
	pid := s.cmd.Process.Pid
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return f, err
	}
	f.resident = numberAfter(status, "VmRSS:") << 10
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return f, err
	}
	for _, d := range open {
		if file, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", pid, d.Name())); err == nil && !strings.HasPrefix(file, s.dir) {
			f.descriptors++
		}
	}
	req, err := http.NewRequestWithContext(ctx, "GET", s.admin+"/metrics", nil)
	if err != nil {
		return f, err
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	res, err := s.client.Do(req)
	if err != nil {
		return f, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	f.goroutines = int(numberAfter(text, "\ngo_goroutines "))
	return f, err
}

func numberAfter(text []byte, name string) int64 {
	_, rest, _ := bytes.Cut(text, []byte(name))
	word := bytes.Fields(rest)
	if len(word) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(string(word[0]), 10, 64)
	return n
}

// settled waits, 10 seconds at most, until connections and goroutines are back
// to what they were.
func (s *server) settled(ctx context.Context, before figures) (f figures, err error) {
	s.client.CloseIdleConnections()
	for range 100 {
		if f, err = s.figures(ctx); err != nil || f.back(before) {
			return f, err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return f, nil
}

func (f figures) back(before figures) bool {
	return f.goroutines <= before.goroutines+5 && f.descriptors <= before.descriptors+5
}
