package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// webhooksCommand is quarry webhooks.
func (p *program) webhooksCommand() *cobra.Command {
	return group("webhooks", "Have other programs told of what happens",
		p.webhooksCreateCommand(), p.webhooksListCommand(), p.webhooksShowCommand(), p.webhooksUpdateCommand(),
		p.webhooksDeleteCommand(), p.webhooksRotateCommand(), p.webhooksTestCommand(),
		p.webhooksDeliveriesCommand(), p.webhooksReplayCommand())
}

// webhookInfo is a webhook, as the interface describes it.
type webhookInfo struct {
	ID             string     `json:"id"`
	URL            string     `json:"url"`
	Events         []string   `json:"events"`
	Indexes        []string   `json:"indexes"`
	State          string     `json:"state"`
	DisabledReason string     `json:"disabled_reason"`
	FailingSince   *time.Time `json:"failing_since"`
	Backlog        int64      `json:"backlog"`
	Secret         string     `json:"secret"`
	PublicKey      string     `json:"public_key"`
	CreatedAt      time.Time  `json:"created_at"`
	GraceUntil     *time.Time `json:"grace_until"`
}

// deliveryInfo is a delivery, as the interface describes it.
type deliveryInfo struct {
	ID             string     `json:"id"`
	Event          string     `json:"event"`
	State          string     `json:"state"`
	Attempts       int        `json:"attempts"`
	ResponseStatus int        `json:"response_status"`
	Error          string     `json:"error"`
	CreatedAt      time.Time  `json:"created_at"`
	NextAttemptAt  *time.Time `json:"next_attempt_at"`
}

// webhookCall is a command that sends one request and shows the answer, as JSON
// or as show does.
type webhookCall struct {
	target
	p      *program
	asJSON bool
}

func (w *webhookCall) flags(c *cobra.Command) *cobra.Command {
	c.Flags().BoolVar(&w.asJSON, "json", false, "as JSON, as the server writes it")
	w.target.flags(c)
	return c
}

// send sends a request; body may be nil. Without --json the answer is decoded
// into v and shown by show.
func (w *webhookCall) send(ctx context.Context, c *client, method, path string, body, v any, show func(io.Writer) error) error {
	answer, err := w.ask(ctx, c, method, path, body, v)
	if err != nil {
		return err
	}
	if w.asJSON {
		_, err = w.p.stdout.Write(answer)
		return err
	}
	return show(w.p.stdout)
}

func (w *webhookCall) ask(ctx context.Context, c *client, method, path string, body, v any) ([]byte, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	answer, err := c.call(ctx, method, path, mediaJSON, text, nil)
	if isStatus(err, http.StatusNotFound) {
		return nil, fmt.Errorf("%w; quarry webhooks list shows all webhooks", err)
	}
	if err != nil {
		return nil, err
	}
	return answer, json.Unmarshal(answer, v)
}

func webhookPath(id string, more ...string) string {
	path := "/v1/webhooks/" + url.PathEscape(id)
	for _, m := range more {
		path += "/" + url.PathEscape(m)
	}
	return path
}

func (p *program) webhooksCreateCommand() *cobra.Command {
	w := webhookCall{p: p}
	var events, indexes []string
	c := &cobra.Command{
		Use:   "create URL",
		Short: "Make a webhook and print its secret, this once",
		Long: `Make a webhook: a URL that is sent a signed message about each event, as Standard
Webhooks describes. The secret that the receiver verifies messages with is
printed this once; it can be replaced (quarry webhooks rotate).

URLs begin with https://. Those in private networks have to be allowed by
quarry serve --webhook-allow.`,
		Example: `  quarry webhooks create https://shop.example/hook
  quarry webhooks create https://shop.example/hook --events "batch.*,index.rebuilt" --indexes products`,
		Args:        wants(1, 1, "a URL"),
		Annotations: map[string]string{argument + "url": "URL"},
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			body := map[string]any{"url": args[0]}
			if len(events) > 0 {
				body["events"] = events
			}
			if len(indexes) > 0 {
				body["indexes"] = indexes
			}
			var info webhookInfo
			return w.send(cmd.Context(), c, http.MethodPost, "/v1/webhooks", body, &info, info.write)
		}),
	}
	c.Flags().StringSliceVar(&events, "events", nil, "`EVENTS` to send, such as batch.applied or index.* (default: all)")
	c.Flags().StringSliceVar(&indexes, "indexes", nil, "only events about these `INDEXES`, which may end in *")
	return w.flags(c)
}

func (p *program) webhooksListCommand() *cobra.Command {
	w := webhookCall{p: p, target: target{reads: true}}
	c := &cobra.Command{
		Use:     "list",
		Short:   "List all webhooks",
		Example: "  quarry webhooks list\n  quarry webhooks list --json",
		Args:    wants(0, 0, "no arguments"),
		RunE: w.run(func(cmd *cobra.Command, c *client, _ []string) error {
			var page struct {
				Webhooks []webhookInfo `json:"webhooks"`
			}
			return w.send(cmd.Context(), c, http.MethodGet, "/v1/webhooks?limit=1000", nil, &page, func(out io.Writer) error {
				t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(t, "WEBHOOK\tSTATE\tBACKLOG\tEVENTS\tURL")
				for _, i := range page.Webhooks {
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", i.ID, i.state(), formatCount(i.Backlog), strings.Join(i.Events, ","), i.URL)
				}
				return t.Flush()
			})
		}),
	}
	return w.flags(c)
}

func (p *program) webhooksShowCommand() *cobra.Command {
	w := webhookCall{p: p, target: target{reads: true}}
	return w.flags(&cobra.Command{
		Use:     "show WEBHOOK",
		Short:   "Show a webhook",
		Example: "  quarry webhooks show whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8",
		Args:    wants(1, 1, "the id of a webhook"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			var info webhookInfo
			return w.send(cmd.Context(), c, http.MethodGet, webhookPath(args[0]), nil, &info, info.write)
		}),
	})
}

func (p *program) webhooksUpdateCommand() *cobra.Command {
	w := webhookCall{p: p}
	var events, indexes []string
	var enable, disable bool
	c := &cobra.Command{
		Use:   "update WEBHOOK [URL]",
		Short: "Change a webhook",
		Example: `  quarry webhooks update whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 https://shop.example/other
  quarry webhooks update whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 --events "index.*" --indexes ""
  quarry webhooks update whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 --enable`,
		Args:        wants(1, 2, "the id of a webhook"),
		Annotations: map[string]string{argument + "url": "URL"},
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			body := map[string]any{}
			if len(args) > 1 {
				body["url"] = args[1]
			}
			if cmd.Flags().Changed("events") {
				body["events"] = events
			}
			if cmd.Flags().Changed("indexes") {
				body["indexes"] = indexes
			}
			switch {
			case enable && disable:
				return usagef("give --enable or --disable, not both")
			case enable:
				body["state"] = "active"
			case disable:
				body["state"] = "disabled"
			}
			if len(body) == 0 {
				return usagef("nothing to change; %s --help shows what can be", cmd.CommandPath())
			}
			var info webhookInfo
			return w.send(cmd.Context(), c, http.MethodPatch, webhookPath(args[0]), body, &info, info.write)
		}),
	}
	c.Flags().StringSliceVar(&events, "events", nil, "`EVENTS` to send, in place of those before")
	c.Flags().StringSliceVar(&indexes, "indexes", nil, "only events about these `INDEXES`; \"\" for all")
	c.Flags().BoolVar(&enable, "enable", false, "send messages again, also those that wait")
	c.Flags().BoolVar(&disable, "disable", false, "send no messages, and note no events")
	return w.flags(c)
}

func (p *program) webhooksDeleteCommand() *cobra.Command {
	w := webhookCall{p: p}
	c := &cobra.Command{
		Use:     "delete WEBHOOK",
		Short:   "Delete a webhook and the messages that wait for it",
		Example: "  quarry webhooks delete whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8",
		Args:    wants(1, 1, "the id of a webhook"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			_, err := c.call(cmd.Context(), http.MethodDelete, webhookPath(args[0]), "", nil, nil)
			if err == nil {
				_, err = fmt.Fprintf(p.stdout, "deleted %s\n", args[0])
			}
			return err
		}),
	}
	w.target.flags(c)
	return c
}

func (p *program) webhooksRotateCommand() *cobra.Command {
	w := webhookCall{p: p}
	var grace time.Duration
	c := &cobra.Command{
		Use:     "rotate WEBHOOK",
		Short:   "Give a webhook a new secret and print it, this once",
		Long:    "Give a webhook a new secret and a new key pair. Until the grace is over messages carry the\nsignatures of the old ones as well.",
		Example: "  quarry webhooks rotate whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 --grace 1h",
		Args:    wants(1, 1, "the id of a webhook"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			if grace < 0 {
				return usagef("--grace is a time such as 24h, or 0")
			}
			var info webhookInfo
			body := map[string]any{"grace_seconds": int64(grace / time.Second)}
			return w.send(cmd.Context(), c, http.MethodPost, webhookPath(args[0], "rotate"), body, &info, info.write)
		}),
	}
	c.Flags().DurationVar(&grace, "grace", 24*time.Hour, "how long the old secret signs as well, 7 days at most")
	return w.flags(c)
}

func (p *program) webhooksTestCommand() *cobra.Command {
	w := webhookCall{p: p}
	return w.flags(&cobra.Command{
		Use:     "test WEBHOOK",
		Short:   "Send a test message and show what came of it",
		Example: "  quarry webhooks test whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8",
		Args:    wants(1, 1, "the id of a webhook"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			return w.attempt(cmd.Context(), c, args[0], webhookPath(args[0], "test"))
		}),
	})
}

func (p *program) webhooksDeliveriesCommand() *cobra.Command {
	w := webhookCall{p: p, target: target{reads: true}}
	var limit int
	c := &cobra.Command{
		Use:     "deliveries WEBHOOK",
		Short:   "List the newest messages to a webhook",
		Example: "  quarry webhooks deliveries whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 --limit 100",
		Args:    wants(1, 1, "the id of a webhook"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			var page deliveryPage
			return w.send(cmd.Context(), c, http.MethodGet, webhookPath(args[0], "deliveries")+"?limit="+strconv.Itoa(limit), nil, &page, page.write)
		}),
	}
	c.Flags().IntVar(&limit, "limit", 20, "list `N` messages, 1,000 at most")
	return w.flags(c)
}

func (p *program) webhooksReplayCommand() *cobra.Command {
	w := webhookCall{p: p}
	return w.flags(&cobra.Command{
		Use:     "replay WEBHOOK DELIVERY",
		Short:   "Send a message again and show what came of it",
		Example: "  quarry webhooks replay whk_01M7ZS0VH07WZZ1Q4NXXN6BNX8 msg_01M7ZS2A6W3V7JZ0T7Q7F4V6B1",
		Args:    wants(2, 2, "the ids of a webhook and of a delivery"),
		RunE: w.run(func(cmd *cobra.Command, c *client, args []string) error {
			return w.attempt(cmd.Context(), c, args[0], webhookPath(args[0], "deliveries", args[1], "replay"))
		}),
	})
}

const (
	// attemptWait is how long a command waits for an attempt, which takes 15
	// seconds at most once it has begun.
	attemptWait = 20 * time.Second
	attemptLook = 200 * time.Millisecond // how often it looks
)

// attempt asks for a delivery and waits until it was attempted. In a directory
// that no server holds nothing is delivered, so there it does not wait.
func (w *webhookCall) attempt(ctx context.Context, c *client, webhook, path string) error {
	var d deliveryInfo
	answer, err := w.ask(ctx, c, http.MethodPost, path, nil, &d)
	if err != nil {
		return err
	}
	page, before := deliveryPage{Deliveries: []deliveryInfo{d}}, d.Attempts
	if _, directory := c.http.Transport.(handlerTransport); !directory {
		end := time.Now().Add(attemptWait)
		for d.Attempts == before && time.Now().Before(end) {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(attemptLook):
			}
			var all struct {
				Deliveries []json.RawMessage `json:"deliveries"`
			}
			if _, err := w.ask(ctx, c, http.MethodGet, webhookPath(webhook, "deliveries")+"?limit=1000", nil, &all); err != nil {
				return err
			}
			for _, text := range all.Deliveries {
				var one deliveryInfo
				if err := json.Unmarshal(text, &one); err != nil {
					return err
				}
				if one.ID == d.ID {
					d, answer = one, append(text, '\n')
				}
			}
		}
		page.Deliveries[0] = d
	}
	if w.asJSON {
		_, err = w.p.stdout.Write(answer)
	} else {
		err = page.write(w.p.stdout)
	}
	if err == nil && d.Error != "" {
		err = fmt.Errorf("the message was not accepted: %s", d.outcome())
	}
	return err
}

// state is the state of a webhook in a word or two.
func (i *webhookInfo) state() string {
	switch {
	case i.DisabledReason != "" && i.DisabledReason != "request":
		return i.State + ", " + i.DisabledReason
	case i.State == "active" && i.FailingSince != nil:
		return "failing"
	}
	return i.State
}

func (i *webhookInfo) write(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "webhook\t%s\n", i.ID)
	fmt.Fprintf(t, "url\t%s\n", i.URL)
	fmt.Fprintf(t, "state\t%s\n", i.state())
	if i.FailingSince != nil {
		fmt.Fprintf(t, "failing since\t%s\n", i.FailingSince.Local().Format(time.DateTime))
	}
	fmt.Fprintf(t, "events\t%s\n", strings.Join(i.Events, ", "))
	indexes := "all"
	if len(i.Indexes) > 0 {
		indexes = strings.Join(i.Indexes, ", ")
	}
	fmt.Fprintf(t, "indexes\t%s\n", indexes)
	fmt.Fprintf(t, "backlog\t%s\n", formatCount(i.Backlog))
	fmt.Fprintf(t, "created\t%s\n", i.CreatedAt.Local().Format(time.DateTime))
	fmt.Fprintf(t, "public key\t%s\n", i.PublicKey)
	if i.GraceUntil != nil {
		fmt.Fprintf(t, "old secret until\t%s\n", i.GraceUntil.Local().Format(time.DateTime))
	}
	if i.Secret != "" {
		fmt.Fprintf(t, "secret\t%s\n", i.Secret)
	}
	return t.Flush()
}

// deliveryPage is a page of deliveries.
type deliveryPage struct {
	Deliveries []deliveryInfo `json:"deliveries"`
}

func (p *deliveryPage) write(out io.Writer) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "DELIVERY\tEVENT\tCREATED\tSTATE\tATTEMPTS\tLAST\tNEXT ATTEMPT")
	for i := range p.Deliveries {
		d := &p.Deliveries[i]
		next := ""
		if d.NextAttemptAt != nil {
			next = d.NextAttemptAt.Local().Format(time.DateTime)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", d.ID, d.Event, d.CreatedAt.Local().Format(time.DateTime), d.State, d.Attempts, d.outcome(), next)
	}
	return t.Flush()
}

// outcome says what came of the last attempt.
func (d *deliveryInfo) outcome() string {
	switch {
	case d.ResponseStatus != 0:
		return "status " + strconv.Itoa(d.ResponseStatus)
	case d.Error == "forbidden":
		return "forbidden address"
	}
	return d.Error
}
