// Command pause does nothing until it is asked to end. It is the sandbox of each pod on a real node, and the program of the
// pods that tests create.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGINT, syscall.SIGTERM)
	<-asked
}
