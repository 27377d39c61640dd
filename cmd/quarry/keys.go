package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// keysCommand is quarry keys.
func (p *program) keysCommand() *cobra.Command {
	return group("keys", "Make, list, change, rotate or revoke API keys",
		p.keysCreateCommand(), p.keysListCommand(), p.keysShowCommand(), p.keysUpdateCommand(),
		p.keysRotateCommand(), p.keysRevokeCommand(), p.keysTokenCommand())
}

func (p *program) keysCreateCommand() *cobra.Command {
	var t target
	var o keyOptions
	var asJSON bool
	c := &cobra.Command{
		Use:   "create NAME",
		Short: "Make an API key",
		Long: `Make an API key and print it: this once, for the server keeps only a hash of it.
The key alone goes to standard output, what it may do to standard error.`,
		Example: `  quarry keys create "web shop" --scope search --index products
  quarry keys create import --scope write --index 'news_*' --expires 90d
  SHOP_KEY=$(quarry keys create "web shop" --scope search)`,
		Args: wants(1, 1, "a name for the key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			body, err := o.body(cmd)
			if err != nil {
				return err
			}
			if len(o.scopes) == 0 {
				return usagef("%s needs a --scope, such as search: what the key may do; %s --help lists them", cmd.CommandPath(), cmd.CommandPath())
			}
			body["name"] = args[0]
			return p.printSecret(cmd.Context(), c, "/v1/keys", body, asJSON)
		}),
	}
	o.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (p *program) keysListCommand() *cobra.Command {
	t := target{reads: true}
	var asJSON, all bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List API keys",
		Example: "  quarry keys list\n  quarry keys list --json",
		Args:    wants(0, 0, "no arguments"),
		RunE: t.run(func(cmd *cobra.Command, c *client, _ []string) error {
			if asJSON {
				answer, err := c.call(cmd.Context(), http.MethodGet, "/v1/keys?limit=1000", "", nil, nil)
				if err != nil {
					return err
				}
				_, err = p.stdout.Write(answer)
				return err
			}
			keys, err := c.keys(cmd.Context())
			if err != nil {
				return err
			}
			return writeKeys(p.stdout, keys, all)
		}),
	}
	c.Flags().BoolVar(&all, "all", false, "also those that are revoked")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it, revoked ones included")
	t.flags(c)
	return c
}

func (p *program) keysShowCommand() *cobra.Command {
	t := target{reads: true}
	var asJSON bool
	c := &cobra.Command{
		Use:     "show ID",
		Short:   "Show what an API key may do",
		Example: "  quarry keys show key_3kTMd0pQ",
		Args:    wants(1, 1, "the id of a key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			answer, err := c.call(cmd.Context(), http.MethodGet, keyPath(args[0]), "", nil, nil)
			if err != nil {
				return keyError(args[0], err)
			}
			return p.printKey(answer, asJSON)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (p *program) keysUpdateCommand() *cobra.Command {
	var t target
	o := keyOptions{changes: true}
	var asJSON bool
	var name string
	c := &cobra.Command{
		Use:   "update ID",
		Short: "Change what an API key may do",
		Long: `Change what an API key may do, from the next request on. What no flag names
stays as it is; --expires never, --quota none, --rate none and --filter "" take
away what the key has.`,
		Example: `  quarry keys update key_3kTMd0pQ --scope search --scope read
  quarry keys update key_3kTMd0pQ --expires never --quota none --filter ""`,
		Args: wants(1, 1, "the id of a key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			body, err := o.body(cmd)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("name") {
				body["name"] = name
			}
			if len(body) == 0 {
				return usagef("nothing to change; %s --help lists the flags", cmd.CommandPath())
			}
			text, err := json.Marshal(body)
			if err != nil {
				return err
			}
			answer, err := c.call(cmd.Context(), http.MethodPatch, keyPath(args[0]), mediaJSON, text, nil)
			if err != nil {
				return keyError(args[0], err)
			}
			return p.printKey(answer, asJSON)
		}),
	}
	c.Flags().StringVar(&name, "name", "", "`NAME` of the key")
	o.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (p *program) keysRotateCommand() *cobra.Command {
	var t target
	var asJSON bool
	var grace time.Duration
	c := &cobra.Command{
		Use:   "rotate ID",
		Short: "Give an API key a new text",
		Long: `Give an API key a new text and print it, this once. The text before works until
the end of the grace.`,
		Example: "  quarry keys rotate key_3kTMd0pQ\n  quarry keys rotate key_3kTMd0pQ --grace 0s",
		Args:    wants(1, 1, "the id of a key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if grace < 0 || grace > maxGrace {
				return usagef("--grace %s: want a time from 0s to 720h", grace)
			}
			body := map[string]any{"grace_seconds": int64(grace / time.Second)}
			return keyError(args[0], p.printSecret(cmd.Context(), c, keyPath(args[0])+"/rotate", body, asJSON))
		}),
	}
	c.Flags().DurationVar(&grace, "grace", 24*time.Hour, "`TIME` for which the text before works, at most 720h")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

func (p *program) keysRevokeCommand() *cobra.Command {
	var t target
	c := &cobra.Command{
		Use:     "revoke ID",
		Short:   "Revoke an API key for good, at once",
		Example: "  quarry keys revoke key_3kTMd0pQ",
		Args:    wants(1, 1, "the id of a key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			if _, err := c.call(cmd.Context(), http.MethodDelete, keyPath(args[0]), "", nil, nil); err != nil {
				return keyError(args[0], err)
			}
			_, err := fmt.Fprintf(p.stdout, "revoked %s\n", args[0])
			return err
		}),
	}
	t.flags(c)
	return c
}

func (p *program) keysTokenCommand() *cobra.Command {
	var t target
	var asJSON bool
	var filters, indexes, scopes []string
	var expires string
	c := &cobra.Command{
		Use:   "token ID",
		Short: "Make a tenant token of an API key",
		Long: `Make a token that may do less than its API key, and print it. It searches and
reads, no more, and only what matches all its filters and those of the key.`,
		Example: `  quarry keys token key_3kTMd0pQ --filter "tenant = 7" --expires 1h`,
		Args:    wants(1, 1, "the id of a key"),
		RunE: t.run(func(cmd *cobra.Command, c *client, args []string) error {
			body := map[string]any{}
			if len(filters) > 0 {
				body["filter"] = filters
			}
			if len(indexes) > 0 {
				body["indexes"] = indexes
			}
			if len(scopes) > 0 {
				body["scopes"] = scopes
			}
			if cmd.Flags().Changed("expires") {
				at, err := parseEnd(expires, time.Now())
				if err != nil {
					return usagef("--expires %q: %w", expires, err)
				}
				body["expires_at"] = at.Format(time.RFC3339)
			}
			return keyError(args[0], p.printSecret(cmd.Context(), c, keyPath(args[0])+"/token", body, asJSON))
		}),
	}
	f := c.Flags()
	f.StringArrayVar(&filters, "filter", nil, "`EXPRESSION` that records have to match, such as 'tenant = 7'; repeatable")
	f.StringArrayVar(&indexes, "index", nil, "`INDEX` that it may use, may end in *; repeatable (default: those of the key)")
	f.StringArrayVar(&scopes, "scope", nil, "search or read: the `SCOPE`; repeatable (default: those of the key)")
	f.StringVar(&expires, "expires", "", "`TIME` of its end, such as 1h, 30d, 2027-01-01 or 2027-01-01T12:00:00Z (default: in an hour)")
	f.BoolVar(&asJSON, "json", false, "as JSON, as the server writes it")
	t.flags(c)
	return c
}

// maxGrace is the longest grace that the server gives.
const maxGrace = 720 * time.Hour

// printSecret asks for a key or a token and prints it.
func (p *program) printSecret(ctx context.Context, c *client, path string, body map[string]any, asJSON bool) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	answer, err := c.call(ctx, http.MethodPost, path, mediaJSON, text, nil)
	if err != nil {
		return err
	}
	if asJSON {
		_, err = p.stdout.Write(answer)
		return err
	}
	var made struct {
		keyInfo
		Key   string `json:"key"`
		Token string `json:"token"`
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return fmt.Errorf("answer of the server: %w", err)
	}
	if made.Token != "" {
		fmt.Fprintf(p.stderr, "a token of %s, good until %s\n", made.Key, localTime(made.Expires))
		_, err := fmt.Fprintln(p.stdout, made.Token)
		return err
	}
	if err := writeKey(p.stderr, &made.keyInfo); err != nil {
		return err
	}
	fmt.Fprintln(p.stderr, "\nThis is the key. It is shown now and never again:")
	_, err = fmt.Fprintln(p.stdout, made.Key)
	return err
}

// printKey prints a key as the server describes it.
func (p *program) printKey(answer []byte, asJSON bool) error {
	if asJSON {
		_, err := p.stdout.Write(answer)
		return err
	}
	var k keyInfo
	if err := json.Unmarshal(answer, &k); err != nil {
		return fmt.Errorf("answer of the server: %w", err)
	}
	return writeKey(p.stdout, &k)
}

func keyPath(id string) string { return "/v1/keys/" + url.PathEscape(id) }

// keyError names the key that is not there.
func keyError(id string, err error) error {
	switch {
	case isStatus(err, http.StatusNotFound) && strings.HasPrefix(id, "qk_"):
		return fmt.Errorf("give the id of the key, which begins with key_, not the key itself; quarry keys list shows all")
	case isStatus(err, http.StatusNotFound):
		return fmt.Errorf("there is no key %q; quarry keys list shows all", id)
	}
	return err
}
