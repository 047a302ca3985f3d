package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// primes returns the largest primes up to limit, at most count.
func primes(limit, count int) []uint32 {
	composite := make([]bool, limit+1)
	for number := 2; number*number <= limit; number++ {
		for multiple := number * number; !composite[number] && multiple <= limit; multiple += number {
			composite[multiple] = true
		}
	}
	found := []uint32{}
	for number := limit; number >= 2 && len(found) < count; number-- {
		if !composite[number] {
			found = append(found, uint32(number))
		}
	}
	return found
}

func factorsCount(number uint32) uint64 {
	var count uint64
	for ; number%2 == 0; number /= 2 {
		count++
	}
	for divisor := uint32(3); divisor <= number/divisor; divisor += 2 {
		for ; number%divisor == 0; number /= divisor {
			count++
		}
	}
	if number > 1 {
		count++
	}
	return count
}

const golden = 0x9e3779b97f4a7c15

type random uint64

func (state *random) below(bound int) uint64 {
	*state = *state*6364136223846793005 + 1442695040888963407
	return uint64(*state>>32) * uint64(bound) >> 32
}

type entry struct {
	key, value, inserts uint64
}

type table []entry

func newTable(keys int) table {
	size := 2
	for size < 2*keys {
		size *= 2
	}
	return make(table, size)
}

func (table table) insert(key, value uint64) {
	mask := uint64(len(table) - 1)
	place := key * golden >> 32
	for table[place&mask].key != 0 && table[place&mask].key != key {
		place++
	}
	found := &table[place&mask]
	found.key, found.value = key, value
	found.inserts++
}

// has says whether each value is its key, there were that many inserts, and the keys inserted have this sum.
func (table table) has(inserts, sum uint64) bool {
	for _, entry := range table {
		if entry.value != entry.key {
			return false
		}
		inserts -= entry.inserts
		sum -= entry.inserts * entry.key
	}
	return inserts == 0 && sum == 0
}

var sectionDefaults = map[string]int{"tasks": 5000, "rounds": 40, "size": 1000000, "primes": 1000}

// sectionTurn has critical sections between longer work, as user/bench/section.c: the same random numbers, primes, map
// and divisions.
func sectionTurn(given map[string]int) (bool, time.Duration) {
	tasks, rounds := given["tasks"], given["rounds"]
	numbers := primes(given["size"], given["primes"])
	shared := newTable(len(numbers))
	var mutex sync.Mutex
	var inside witness
	var sum, factors uint64
	duration := crewRun(tasks, func(number int) {
		state := random((uint64(number) + 2) * golden)
		var ownSum, ownFactors uint64
		for i := 0; i < rounds; i++ {
			prime := numbers[state.below(len(numbers))]
			mutex.Lock()
			entered := inside.enter()
			shared.insert(uint64(prime), uint64(prime))
			inside.leave(entered)
			mutex.Unlock()
			ownFactors += factorsCount(prime)
			ownSum += uint64(prime)
		}
		atomic.AddUint64(&sum, ownSum)
		atomic.AddUint64(&factors, ownFactors)
	})
	sections := tasks * rounds
	right := inside.isContent(sections) && shared.has(uint64(sections), sum) && factors == uint64(sections)
	return right, duration
}
