//! The locks of parking_lot.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};

use super::{crew_run, Turn};
use crate::books::{Books, Message};
use crate::witness::Witness;
use crate::{Given, Outcome, Program};

pub const NAME: &str = "parking_lot";

pub const PROGRAMS: &[Program<Turn>] = &[
    Program {
        name: "uncontended",
        defaults: &[("rounds", 1000000)],
        operations: |g| g["rounds"],
        turn: uncontended_turn,
    },
    Program {
        name: "locks",
        defaults: &[("tasks", 64), ("rounds", 10000)],
        operations: |g| g["tasks"] * g["rounds"],
        turn: locks_turn,
    },
    Program {
        name: "producer",
        defaults: &[("pairs", 1), ("rounds", 10000), ("size", 10)],
        operations: |g| g["pairs"] * g["rounds"],
        turn: producer_turn,
    },
];

/// As user/bench/uncontended.c.
fn uncontended_turn(given: &Given) -> Outcome {
    let rounds = given["rounds"];
    let mutex = Mutex::new(0);
    let duration = crew_run(1, |_| (0..rounds).for_each(|_| *mutex.lock() += 1));
    (mutex.into_inner() == rounds, duration)
}

/// As user/bench/locks.c with scope=global.
fn locks_turn(given: &Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let mutex = Mutex::new(Witness::default());
    let duration = crew_run(tasks, |_| {
        for _ in 0..rounds {
            let inside = mutex.lock();
            inside.leave(inside.enter());
        }
    });
    (mutex.into_inner().is_content(tasks * rounds), duration)
}

/// As user/bench/producer.c.
fn producer_turn(given: &Given) -> Outcome {
    let (pairs, rounds, capacity) = (given["pairs"], given["rounds"], given["size"] as usize);
    let books = Books::new(pairs, rounds);
    let messages = Mutex::new(VecDeque::with_capacity(capacity));
    let (has_room, has_some) = (Condvar::new(), Condvar::new());
    let put = |sent: Message| {
        let mut inside = messages.lock();
        has_room.wait_while(&mut inside, |messages| messages.len() == capacity);
        inside.push_back(sent);
        has_some.notify_one();
    };
    let take = || {
        let mut inside = messages.lock();
        has_some.wait_while(&mut inside, |messages| messages.is_empty());
        has_room.notify_one();
        inside.pop_front().expect("there is a message")
    };
    let duration = crew_run(2 * pairs, |number| {
        let mut expected = vec![0; pairs as usize];
        for i in 0..rounds {
            if number % 2 == 0 {
                put(Message { producer: (number / 2) as u32, number: i as u32 });
            } else {
                books.enter(take(), &mut expected);
            }
        }
    });
    (books.are_right(), duration)
}
