//! Each task picks a random large prime, inserts it into a map that all share, in a critical section, and takes it
//! apart outside, as user/bench/section.c: the same random numbers, primes, map and divisions.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;

use tokio::sync::Mutex;

use super::crew::crew_run;
use crate::witness::Witness;
use crate::{Given, Outcome};

const GOLDEN: u64 = 0x9e3779b97f4a7c15;

/// The largest primes up to `limit`, at most `count`.
fn primes(limit: usize, count: usize) -> Vec<u32> {
    let mut composite = vec![false; limit + 1];
    for number in (2..).take_while(|number| number * number <= limit) {
        if !composite[number] {
            (number * number..=limit).step_by(number).for_each(|multiple| composite[multiple] = true);
        }
    }
    (2..=limit).rev().filter(|number| !composite[*number]).take(count).map(|number| number as u32).collect()
}

fn factors_count(mut number: u32) -> u64 {
    let mut count = 0;
    while number % 2 == 0 {
        number /= 2;
        count += 1;
    }
    let mut divisor = 3;
    while divisor <= number / divisor {
        while number % divisor == 0 {
            number /= divisor;
            count += 1;
        }
        divisor += 2;
    }
    count + u64::from(number > 1)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 32) * bound as u64 >> 32) as usize
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    value: u64,
    inserts: u64,
}

struct Map(Vec<Entry>);

impl Map {
    fn new(keys: usize) -> Self {
        Map(vec![Entry::default(); (2 * keys).next_power_of_two().max(2)])
    }

    fn insert(&mut self, key: u64, value: u64) {
        let mask = self.0.len() - 1;
        let mut place = (key.wrapping_mul(GOLDEN) >> 32) as usize;
        while self.0[place & mask].key != 0 && self.0[place & mask].key != key {
            place += 1;
        }
        let inserts = self.0[place & mask].inserts + 1;
        self.0[place & mask] = Entry { key, value, inserts };
    }

    /// Whether each value is its key, there were that many inserts, and the keys inserted have this sum.
    fn has(&self, inserts: u64, sum: u64) -> bool {
        self.0.iter().all(|entry| entry.value == entry.key)
            && self.0.iter().map(|entry| entry.inserts).sum::<u64>() == inserts
            && self.0.iter().map(|entry| entry.inserts * entry.key).sum::<u64>() == sum
    }
}

#[derive(Default)]
struct Sums {
    primes: AtomicU64,
    factors: AtomicU64,
}

pub async fn section_turn(given: Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let numbers = Arc::new(primes(given["size"] as usize, given["primes"] as usize));
    let shared = Arc::new(Mutex::new((Map::new(numbers.len()), Witness::default())));
    let sums = Arc::new(Sums::default());
    let duration = crew_run(tasks, |number| {
        let (numbers, shared, sums) = (numbers.clone(), shared.clone(), sums.clone());
        async move {
            let mut random = Random((number + 2).wrapping_mul(GOLDEN));
            let (mut sum, mut factors) = (0, 0);
            for _ in 0..rounds {
                let prime = numbers[random.below(numbers.len())];
                {
                    let mut inside = shared.lock().await;
                    let entered = inside.1.enter();
                    inside.0.insert(prime.into(), prime.into());
                    inside.1.leave(entered);
                }
                factors += factors_count(prime);
                sum += u64::from(prime);
            }
            sums.primes.fetch_add(sum, Relaxed);
            sums.factors.fetch_add(factors, Relaxed);
        }
    })
    .await;
    let sections = tasks * rounds;
    let inside = shared.lock().await;
    let all = inside.1.is_content(sections) && inside.0.has(sections, sums.primes.load(Relaxed));
    (all && sums.factors.load(Relaxed) == sections, duration)
}
