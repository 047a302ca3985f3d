use std::sync::atomic::{AtomicU64, AtomicU8, Ordering::Relaxed};
use std::sync::Arc;

#[derive(Clone, Copy)]
pub struct Message {
    pub producer: u32,
    pub number: u32, // each producer counts its own from 0 on
}

/// What has come: whether each message once, and those of one producer in order.
pub struct Books {
    rounds: u64,
    received: Vec<AtomicU8>,
    wrong: AtomicU64,
}

impl Books {
    pub fn new(pairs: u64, rounds: u64) -> Arc<Self> {
        let received = (0..pairs * rounds).map(|_| AtomicU8::new(0)).collect();
        Arc::new(Books { rounds, received, wrong: AtomicU64::new(0) })
    }

    /// `expected` is the consumer's own: no earlier number of a producer can come any more.
    pub fn enter(&self, got: Message, expected: &mut [u32]) {
        let known = (got.producer as usize) < expected.len() && u64::from(got.number) < self.rounds;
        if !known || got.number < expected[got.producer as usize] {
            self.wrong.fetch_add(1, Relaxed);
            return;
        }
        expected[got.producer as usize] = got.number + 1;
        let times = &self.received[got.producer as usize * self.rounds as usize + got.number as usize];
        times.store(times.load(Relaxed) + 1, Relaxed);
    }

    pub fn are_right(&self) -> bool {
        self.wrong.load(Relaxed) == 0 && self.received.iter().all(|times| times.load(Relaxed) == 1)
    }
}
