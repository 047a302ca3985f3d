package main

import (
	"sync"
	"sync/atomic"
	"time"
)

var pingpongDefaults = map[string]int{"rounds": 100000}

// semaphoreTurn hands a ball to and fro, as user/bench/pingpong.c with by=semaphore. A semaphore is a channel with room
// for its permits.
func semaphoreTurn(given map[string]int) (bool, time.Duration) {
	rounds := given["rounds"]
	turns := [2]chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)}
	turns[0] <- struct{}{}
	ball, wrong := 0, 0 // of the one whose turn it is
	duration := crewRun(2, func(number int) {
		for i := 0; i < rounds; i++ {
			<-turns[number]
			if ball != 2*i+number {
				wrong++
			}
			ball++
			turns[1-number] <- struct{}{}
		}
	})
	return ball == 2*rounds && wrong == 0, duration
}

// channelTurn hands a ball to and fro, as user/bench/pingpong.c with by=channel.
func channelTurn(given map[string]int) (bool, time.Duration) {
	rounds := given["rounds"]
	there, back := make(chan int, 1), make(chan int, 1)
	last, wrong := 0, 0
	duration := crewRun(2, func(number int) {
		for i := 0; i < rounds; i++ {
			if number == 0 {
				there <- 2*i + 1
				last = <-back
				continue
			}
			ball := <-there
			if ball != 2*i+1 {
				wrong++
			}
			back <- ball + 1
		}
	})
	return last == 2*rounds && wrong == 0, duration
}

type message struct {
	producer, number uint32 // each producer counts its own from 0 on
}

// market has producers and consumers, as user/bench/producer.c, and sees whether each message came once, and those of
// one producer in order.
func market(given map[string]int, put func(message), take func() message) (bool, time.Duration) {
	pairs, rounds := given["pairs"], given["rounds"]
	received := make([]uint8, pairs*rounds)
	var wrong int64
	duration := crewRun(2*pairs, func(number int) {
		if number%2 == 0 {
			for i := 0; i < rounds; i++ {
				put(message{uint32(number / 2), uint32(i)})
			}
			return
		}
		expected := make([]uint32, pairs) // no earlier number can come any more
		for i := 0; i < rounds; i++ {
			got := take()
			if int(got.producer) >= pairs || int(got.number) >= rounds || got.number < expected[got.producer] {
				atomic.AddInt64(&wrong, 1)
				continue
			}
			expected[got.producer] = got.number + 1
			received[int(got.producer)*rounds+int(got.number)]++
		}
	})
	for _, times := range received {
		if times != 1 {
			wrong++
		}
	}
	return wrong == 0, duration
}

var producerDefaults = map[string]int{"pairs": 1, "rounds": 10000, "size": 10}

// producerTurn has a monitor between producers and consumers, as user/bench/producer.c.
func producerTurn(given map[string]int) (bool, time.Duration) {
	var mutex sync.Mutex
	hasRoom, hasSome := sync.NewCond(&mutex), sync.NewCond(&mutex)
	messages := make([]message, given["size"])
	putCount, taken := 0, 0
	put := func(sent message) {
		mutex.Lock()
		defer mutex.Unlock()
		for putCount-taken == len(messages) {
			hasRoom.Wait()
		}
		messages[putCount%len(messages)] = sent
		putCount++
		hasSome.Signal()
	}
	take := func() message {
		mutex.Lock()
		defer mutex.Unlock()
		for putCount == taken {
			hasSome.Wait()
		}
		got := messages[taken%len(messages)]
		taken++
		hasRoom.Signal()
		return got
	}
	return market(given, put, take)
}

var streamDefaults = map[string]int{"pairs": 1, "rounds": 10000, "size": 16}

// streamTurn has a channel between them, as user/bench/producer.c with lock=channel.
func streamTurn(given map[string]int) (bool, time.Duration) {
	channel := make(chan message, given["size"])
	return market(given, func(sent message) { channel <- sent }, func() message { return <-channel })
}
