// Command platen renders documents by way of a Platen server, looks after jobs, callbacks and keys, and receives
// callbacks.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/platen-render/platen/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	env := cli.Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Version: version()}
	status := cli.Main(ctx, env, commands(), os.Args[1:])
	stop()
	os.Exit(status)
}

// commands are all commands, in the order of the help.
func commands() []cli.Command {
	return append([]cli.Command{devCommand}, append(cli.Commands(), gcCommand)...)
}

// version is that of the module, or of the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
