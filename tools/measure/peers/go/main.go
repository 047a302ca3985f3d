// Command peers runs one benchmark on goroutines: peers PROGRAM NAME=NUMBER...
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

// A program says which parameters it has, with their defaults, how many operations a turn of it does, and makes a turn;
// a turn returns whether its result was right, and how long what counts took.
type program struct {
	defaults   map[string]int
	operations func(given map[string]int) int
	turn       func(given map[string]int) (bool, time.Duration)
}

var programs = map[string]program{
	"yield":       {yieldDefaults, tasksTimesRounds, yieldTurn},
	"create":      {createDefaults, tasksTimesRounds, createTurn},
	"uncontended": {uncontendedDefaults, onlyRounds, uncontendedTurn},
	"locks":       {locksDefaults, tasksTimesRounds, locksTurn},
	"semaphore":   {pingpongDefaults, twiceRounds, semaphoreTurn},
	"channel":     {pingpongDefaults, twiceRounds, channelTurn},
	"tokenring":   {tokenringDefaults, tasksTimesRounds, tokenringTurn},
	"producer":    {producerDefaults, pairsTimesRounds, producerTurn},
	"stream":      {streamDefaults, pairsTimesRounds, streamTurn},
	"section":     {sectionDefaults, tasksTimesRounds, sectionTurn},
}

func tasksTimesRounds(given map[string]int) int { return given["tasks"] * given["rounds"] }
func pairsTimesRounds(given map[string]int) int { return given["pairs"] * given["rounds"] }
func onlyRounds(given map[string]int) int       { return given["rounds"] }
func twiceRounds(given map[string]int) int      { return 2 * given["rounds"] }

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

// number reads a decimal number, with k, M or G for thousands, millions or billions.
func number(text string) (int, bool) {
	scale := 1
	for unit, factor := range map[string]int{"k": 1000, "M": 1000000, "G": 1000000000} {
		if strings.HasSuffix(text, unit) {
			text, scale = strings.TrimSuffix(text, unit), factor
			break
		}
	}
	value, err := strconv.Atoi(text)
	return value * scale, err == nil && value > 0 && len(text) <= 9
}

func parameters(defaults map[string]int, words []string) map[string]int {
	given := map[string]int{"processors": 1}
	for name, value := range defaults {
		given[name] = value
	}
	for _, word := range words {
		name, text, found := strings.Cut(word, "=")
		if _, known := given[name]; !found || !known {
			fail("%s: not a parameter of this program (NAME=NUMBER)", word)
		}
		value, right := number(text)
		if !right {
			fail("%s: a value is a whole number from 1 on, such as 10 or 20k", word)
		}
		given[name] = value
	}
	return given
}

func main() {
	if len(os.Args) < 2 || programs[os.Args[1]].turn == nil {
		names := []string{}
		for name := range programs {
			names = append(names, name)
		}
		sort.Strings(names)
		fail("the first word is one of: %s", strings.Join(names, " "))
	}
	chosen := programs[os.Args[1]]
	given := parameters(chosen.defaults, os.Args[2:])
	runtime.GOMAXPROCS(given["processors"])
	warm, _ := chosen.turn(given)
	right, duration := chosen.turn(given)
	if !warm || !right {
		fail("%s, go: the result is wrong", os.Args[1])
	}
	operations := chosen.operations(given)
	fmt.Printf("result %s peer=go ns=%.4f operations=%d\n", os.Args[1],
		float64(duration.Nanoseconds())/float64(operations), operations)
}
