// Command quarry is the whole of Quarry in one binary: the search service, its
// clients and its tools. README.md shows how to use it; quarry help lists the
// commands.
//
// Each command is a file of its own. A command is a method of program that
// returns a cobra.Command; what it needs of the outside (streams, environment)
// comes from the program, so that tests run commands in their own process.
//
//	settings.go  flags over environment over quarry.toml
//	connect.go   the engine behind a client command: a server, or a directory
//	client.go    the v1 interface as its clients see it
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/quarry-search/quarry/storage"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes that scripts rely on.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitStorage = 70 // storage failed: a new process may succeed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	p := program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, lookupEnv: os.LookupEnv}
	os.Exit(p.run(ctx, os.Args[1:]))
}

// program is what commands have of the outside.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	lookupEnv      func(string) (string, bool)
}

// run carries out a command line and returns the exit code. When ctx ends,
// servers stop and exit well, and everything else breaks off.
func (p *program) run(ctx context.Context, args []string) int {
	root := p.command()
	strictHelp(root)
	root.SetArgs(args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	if err != nil {
		fmt.Fprintf(p.stderr, "quarry: %s\n", oneLine(err.Error()))
	}
	return exitCode(err)
}

// usageError is a mistake in the command line or the settings.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

func exitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, storage.ErrFailed):
		return exitStorage
	}
	return exitFailed
}

// oneLine joins the lines of an error.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// command returns the tree of all commands.
func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "quarry",
		Short: "A search engine in one binary",
		Long: `Quarry is a search engine in one binary: a service with a JSON interface over
HTTPS, and the tools around it.

Every flag can also be given as an environment variable (QUARRY_ and the name
of the flag in capitals, with _ for -; for --key also QUARRY_API_KEY, which beats
QUARRY_KEY) or in quarry.toml (name = value). Flags beat the environment, which
beats the file.`,
		Example: `  quarry demo                       try it with the built-in sample data
  quarry serve                      run the service on ./quarry-data
  quarry import products.ndjson     fill it
  quarry search "red shoes"         ask it`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	showVersion := root.Flags().Bool("version", false, "print the version alone; see also quarry version")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *showVersion {
			_, err := fmt.Fprintln(p.stdout, "quarry", version().Version)
			return err
		}
		return cmd.Help()
	}
	root.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		return usagef("unknown command %q%s; quarry help lists the commands", args[0], didYouMean(args[0], names))
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd, err)} })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		p.serveCommand(), p.demoCommand(),
		p.importCommand(), p.searchCommand(), p.indexesCommand(), p.keysCommand(), p.batchCommand(), p.webhooksCommand(), p.usageCommand(),
		p.backupCommand(), p.restoreCommand(), p.checkCommand(), p.repairCommand(), p.inspectCommand(),
		p.evalCommand(), p.benchCommand(),
		p.versionCommand(),
	)
	var config string
	root.PersistentFlags().StringVar(&config, "config", "", "settings `FILE` (default: quarry.toml, if it exists)")
	settings := settings{file: &config, lookupEnv: p.lookupEnv, root: root}
	each(root, func(c *cobra.Command) {
		if c.Args != nil {
			c.Args = usageArgs(c.Args)
		}
		if c != root && c.RunE != nil {
			c.PreRunE = func(cmd *cobra.Command, _ []string) error { return settings.apply(cmd) }
		}
		c.Flags().SortFlags = false
	})
	return root
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	c.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, sub := range commands {
			names = append(names, sub.Name())
		}
		return fmt.Errorf("unknown command %q%s; quarry %s has %s", args[0], didYouMean(args[0], names), use, strings.Join(names, ", "))
	}
	c.AddCommand(commands...)
	return c
}

// strictHelp has quarry help refuse what is no command, for which cobra would
// show the help of what is above it.
func strictHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		c.Args = func(_ *cobra.Command, args []string) error {
			about, rest, err := root.Find(args)
			if err != nil || !about.HasSubCommands() || about.Args == nil {
				return err
			}
			return about.Args(about, rest)
		}
	}
}

// each calls f with a command and all below it.
func each(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		each(sub, f)
	}
}

// usageArgs marks the errors of a check of arguments.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// wants checks the number of arguments; what names them, for the error. A
// negative most is no bound.
func wants(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s needs %s; %s --help shows how", cmd.CommandPath(), what, cmd.CommandPath())
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%s has no use for %q; %s --help shows how", cmd.CommandPath(), args[most], cmd.CommandPath())
		}
		return nil
	}
}

// flagError adds a suggestion to the error about an unknown flag, and says what
// is wrong with a number.
func flagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		name := invalid.GetFlag().Name
		if errors.Is(number, strconv.ErrRange) {
			return fmt.Errorf("--%s: %s is out of range", name, invalid.GetValue())
		}
		return fmt.Errorf("--%s: %q is not %s", name, invalid.GetValue(), valueKind(invalid.GetFlag().Value.Type()))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return fmt.Errorf("unknown flag -%s; %s --help lists the flags", name, cmd.CommandPath())
	}
	return fmt.Errorf("unknown flag --%s%s; %s --help lists the flags", name, didYouMean(name, names), cmd.CommandPath())
}

// valueKind names a type of flags in words.
func valueKind(flag string) string {
	switch flag {
	case "bool":
		return "true or false"
	case "float32", "float64":
		return "a number"
	}
	return "a whole number"
}
