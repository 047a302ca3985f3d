package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

var yieldDefaults = map[string]int{"tasks": 10, "rounds": 20000}

// yieldTurn has goroutines that do nothing but yield, as user/bench/switch.c.
func yieldTurn(given map[string]int) (bool, time.Duration) {
	tasks, rounds := given["tasks"], given["rounds"]
	var yields int64
	duration := crewRun(tasks, func(int) {
		for i := 0; i < rounds; i++ {
			runtime.Gosched()
		}
		atomic.AddInt64(&yields, int64(rounds))
	})
	return yields == int64(tasks*rounds), duration
}

var createDefaults = map[string]int{"tasks": 1000, "rounds": 10}

// createTurn makes goroutines that do nothing, then waits for them all, as user/bench/create.c.
func createTurn(given map[string]int) (bool, time.Duration) {
	tasks, rounds := given["tasks"], given["rounds"]
	var ran int64
	start := time.Now()
	for round := 0; round < rounds; round++ {
		var all sync.WaitGroup
		all.Add(tasks)
		for i := 0; i < tasks; i++ {
			go func() {
				atomic.AddInt64(&ran, 1)
				all.Done()
			}()
		}
		all.Wait()
	}
	return ran == int64(tasks*rounds), time.Since(start)
}

var uncontendedDefaults = map[string]int{"rounds": 1000000}

// uncontendedTurn locks and unlocks an uncontended mutex, as user/bench/uncontended.c.
func uncontendedTurn(given map[string]int) (bool, time.Duration) {
	rounds, sections := given["rounds"], 0
	var mutex sync.Mutex
	duration := crewRun(1, func(int) {
		for i := 0; i < rounds; i++ {
			mutex.Lock()
			sections++
			mutex.Unlock()
		}
	})
	return sections == rounds, duration
}

var locksDefaults = map[string]int{"tasks": 64, "rounds": 10000}

// locksTurn locks and unlocks one mutex for all, as user/bench/locks.c with scope=global.
func locksTurn(given map[string]int) (bool, time.Duration) {
	tasks, rounds := given["tasks"], given["rounds"]
	var mutex sync.Mutex
	var inside witness
	duration := crewRun(tasks, func(int) {
		for i := 0; i < rounds; i++ {
			mutex.Lock()
			inside.leave(inside.enter())
			mutex.Unlock()
		}
	})
	return inside.isContent(tasks * rounds), duration
}

var tokenringDefaults = map[string]int{"tasks": 100, "rounds": 200}

// tokenringTurn hands on a token in a ring, as user/bench/tokenring.c, by a channel to each player.
func tokenringTurn(given map[string]int) (bool, time.Duration) {
	tasks, rounds := given["tasks"], given["rounds"]
	turns := make([]chan struct{}, tasks)
	for i := range turns {
		turns[i] = make(chan struct{}, 1)
	}
	turns[0] <- struct{}{}
	moves, wrong := 0, 0 // of the one that has the token
	duration := crewRun(tasks, func(number int) {
		for i := 0; i < rounds; i++ {
			<-turns[number]
			if moves != i*tasks+number {
				wrong++
			}
			moves++
			turns[(number+1)%tasks] <- struct{}{}
		}
	})
	return moves == tasks*rounds && wrong == 0, duration
}
