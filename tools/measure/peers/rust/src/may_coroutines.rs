//! Coroutines of may, which have stacks of their own.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

use may::coroutine::{self, JoinHandle};
use may::sync::{mpsc, Condvar, Mutex, Semphore};

use crate::books::{Books, Message};
use crate::witness::Witness;
use crate::{Given, Outcome, Program};

pub const NAME: &str = "may";

pub type Turn = fn(&Given) -> Outcome;

pub const PROGRAMS: &[Program<Turn>] = &[
    Program {
        name: "yield",
        defaults: &[("tasks", 10), ("rounds", 20000)],
        operations: |g| g["tasks"] * g["rounds"],
        turn: yield_turn,
    },
    Program {
        name: "create",
        defaults: &[("tasks", 1000), ("rounds", 10)],
        operations: |g| g["tasks"] * g["rounds"],
        turn: create_turn,
    },
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
        name: "semaphore",
        defaults: &[("rounds", 100000)],
        operations: |g| 2 * g["rounds"],
        turn: semaphore_turn,
    },
    Program {
        name: "channel",
        defaults: &[("rounds", 100000)],
        operations: |g| 2 * g["rounds"],
        turn: channel_turn,
    },
    Program {
        name: "producer",
        defaults: &[("pairs", 1), ("rounds", 10000), ("size", 10)],
        operations: |g| g["pairs"] * g["rounds"],
        turn: producer_turn,
    },
];

/// A turn to warm up, and whether it was right; and another. In a coroutine, so that it is a worker that runs them.
pub fn turns(program: &'static Program<Turn>, given: &Given) -> (bool, Outcome) {
    may::config().set_workers(given["processors"] as usize);
    let given = given.clone();
    let both = may::go!(move || ((program.turn)(&given).0, (program.turn)(&given)));
    both.join().expect("the coroutine of the turns ended")
}

fn end(handles: Vec<JoinHandle<()>>) {
    for handle in handles {
        handle.join().expect("the coroutine ended");
    }
}

/// Coroutines that run one function, start together and are joined together, as in user/crew.h. The time from the start
/// to the last join.
fn crew_run<Member>(count: u64, member: Member) -> Duration
where
    Member: Fn(u64) + Send + Sync + 'static,
{
    let member = Arc::new(member);
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let made = (0..count)
        .map(|number| {
            let (gate, member) = (gate.clone(), member.clone());
            may::go!(move || {
                let mut is_open = gate.0.lock().expect("the gate is sound");
                while !*is_open {
                    is_open = gate.1.wait(is_open).expect("the gate is sound");
                }
                drop(is_open);
                member(number)
            })
        })
        .collect();
    let start = Instant::now();
    *gate.0.lock().expect("the gate is sound") = true;
    gate.1.notify_all();
    end(made);
    start.elapsed()
}

/// As user/bench/switch.c.
fn yield_turn(given: &Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let yields = Arc::new(AtomicU64::new(0));
    let counted = yields.clone();
    let duration = crew_run(tasks, move |_| {
        for _ in 0..rounds {
            coroutine::yield_now();
        }
        counted.fetch_add(rounds, Relaxed);
    });
    (yields.load(Relaxed) == tasks * rounds, duration)
}

/// As user/bench/create.c.
fn create_turn(given: &Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let mut ran = 0;
    let start = Instant::now();
    for _ in 0..rounds {
        let made: Vec<_> = (0..tasks).map(|_| may::go!(|| 1)).collect();
        for handle in made {
            ran += handle.join().expect("the coroutine ended");
        }
    }
    (ran == tasks * rounds, start.elapsed())
}

/// As user/bench/uncontended.c.
fn uncontended_turn(given: &Given) -> Outcome {
    let rounds = given["rounds"];
    let mutex = Arc::new(Mutex::new(0));
    let own = mutex.clone();
    let duration = crew_run(1, move |_| {
        for _ in 0..rounds {
            *own.lock().expect("the mutex is sound") += 1;
        }
    });
    let sections = *mutex.lock().expect("the mutex is sound");
    (sections == rounds, duration)
}

/// As user/bench/locks.c with scope=global.
fn locks_turn(given: &Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let mutex = Arc::new(Mutex::new(Witness::default()));
    let own = mutex.clone();
    let duration = crew_run(tasks, move |_| {
        for _ in 0..rounds {
            let inside = own.lock().expect("the mutex is sound");
            inside.leave(inside.enter());
        }
    });
    let right = mutex.lock().expect("the mutex is sound").is_content(tasks * rounds);
    (right, duration)
}

/// As user/bench/pingpong.c with by=semaphore.
fn semaphore_turn(given: &Given) -> Outcome {
    let rounds = given["rounds"];
    let turns = [Semphore::new(1), Semphore::new(0)];
    let state = Arc::new((AtomicU64::new(0), AtomicBool::new(false)));
    let own = state.clone();
    let duration = crew_run(2, move |number| {
        for i in 0..rounds {
            turns[number as usize].wait();
            let found = own.0.load(Relaxed); // of the one whose turn it is
            if found != 2 * i + number {
                own.1.store(true, Relaxed);
            }
            own.0.store(found + 1, Relaxed);
            turns[1 - number as usize].post();
        }
    });
    (state.0.load(Relaxed) == 2 * rounds && !state.1.load(Relaxed), duration)
}

/// As user/bench/pingpong.c with by=channel. may's channels have no bound.
fn channel_turn(given: &Given) -> Outcome {
    let rounds = given["rounds"];
    let (there, coming) = mpsc::channel::<u64>();
    let (back, answers) = mpsc::channel::<u64>();
    let start = Instant::now();
    let other = may::go!(move || {
        let mut wrong = 0;
        for i in 0..rounds {
            let ball = coming.recv().expect("the channel is open");
            wrong += u64::from(ball != 2 * i + 1);
            back.send(ball + 1).expect("the channel is open");
        }
        wrong
    });
    let mut last = 0;
    for i in 0..rounds {
        there.send(2 * i + 1).expect("the channel is open");
        last = answers.recv().expect("the channel is open");
    }
    let wrong = other.join().expect("the coroutine ended");
    (last == 2 * rounds && wrong == 0, start.elapsed())
}

struct Monitor {
    messages: Mutex<VecDeque<Message>>,
    capacity: usize,
    has_room: Condvar,
    has_some: Condvar,
}

impl Monitor {
    fn put(&self, sent: Message) {
        let mut messages = self.messages.lock().expect("the mutex is sound");
        while messages.len() == self.capacity {
            messages = self.has_room.wait(messages).expect("the mutex is sound");
        }
        messages.push_back(sent);
        self.has_some.notify_one();
    }

    fn take(&self) -> Message {
        let mut messages = self.messages.lock().expect("the mutex is sound");
        loop {
            if let Some(got) = messages.pop_front() {
                self.has_room.notify_one();
                return got;
            }
            messages = self.has_some.wait(messages).expect("the mutex is sound");
        }
    }
}

/// As user/bench/producer.c.
fn producer_turn(given: &Given) -> Outcome {
    let (pairs, rounds, capacity) = (given["pairs"], given["rounds"], given["size"] as usize);
    let books = Books::new(pairs, rounds);
    let monitor = Monitor {
        messages: Mutex::new(VecDeque::with_capacity(capacity)),
        capacity,
        has_room: Condvar::new(),
        has_some: Condvar::new(),
    };
    let own = books.clone();
    let duration = crew_run(2 * pairs, move |number| {
        let mut expected = vec![0; pairs as usize];
        for i in 0..rounds {
            if number % 2 == 0 {
                monitor.put(Message { producer: (number / 2) as u32, number: i as u32 });
            } else {
                own.enter(monitor.take(), &mut expected);
            }
        }
    });
    (books.are_right(), duration)
}
