// An echo server with a goroutine for each connection, until the program's input ends.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func answer(connection net.Conn) {
	defer connection.Close()
	bytes := make([]byte, 1024)
	for {
		count, err := connection.Read(bytes)
		if err != nil {
			return
		}
		if _, err := connection.Write(bytes[:count]); err != nil {
			return
		}
	}
}

func main() {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			go answer(connection)
		}
	}()
	io.Copy(io.Discard, os.Stdin)
}
