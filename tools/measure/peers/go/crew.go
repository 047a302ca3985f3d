package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// crewRun starts goroutines that run one function together, as user/crew.h does, and returns the time from the start
// to the end of all.
func crewRun(count int, member func(number int)) time.Duration {
	var all sync.WaitGroup
	all.Add(count)
	gate := make(chan struct{})
	for number := 0; number < count; number++ {
		go func(number int) {
			defer all.Done()
			<-gate
			member(number)
		}(number)
	}
	start := time.Now()
	close(gate)
	all.Wait()
	return time.Since(start)
}

// A witness stands inside what a lock protects and sees whether ever two are inside at once, as user/bench/witness.h.
type witness struct {
	count, complaints uint64
}

func (witness *witness) enter() uint64 {
	found := atomic.LoadUint64(&witness.count)
	if found%2 != 0 {
		atomic.AddUint64(&witness.complaints, 1)
	}
	witness.count = found + 1
	return found
}

func (witness *witness) leave(entered uint64) {
	if atomic.LoadUint64(&witness.count) != entered+1 {
		atomic.AddUint64(&witness.complaints, 1)
	}
	witness.count = entered + 2
}

func (witness *witness) isContent(sections int) bool {
	return witness.complaints == 0 && witness.count == 2*uint64(sections)
}
