// Reads a server log with go-libp4dlog and says how long that took, for the table of `serverlog` in benches/.
//
// Its parser is used as its own tools do: lines by a channel, commands by a channel.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"time"

	p4dlog "github.com/rcowham/go-libp4dlog"
	"github.com/sirupsen/logrus"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	logger := logrus.New()
	logger.Level = logrus.WarnLevel
	began := time.Now()
	parser := p4dlog.NewP4dFileParser(logger)
	lines := make(chan string, 10000)
	records := parser.LogParser(context.Background(), lines)
	bytes := 0
	go func() {
		defer close(lines)
		reader := bufio.NewReaderSize(file, 1024*1024)
		scanner := bufio.NewScanner(reader)
		scanner.Buffer(make([]byte, 1024*1024), 1024*1024)
		for scanner.Scan() {
			text := scanner.Text()
			bytes += len(text) + 1
			lines <- text
		}
	}()
	commands, events := 0, 0
	for record := range records {
		switch record.(type) {
		case p4dlog.Command:
			commands++
		case p4dlog.ServerEvent:
			events++
		}
	}
	fmt.Printf("%d %.3f %d %d\n", bytes, time.Since(began).Seconds(), commands, events)
}
