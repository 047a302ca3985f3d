//! crossbeam's channels.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::{crew_run, Turn};
use crate::books::{Books, Message};
use crate::{Given, Outcome, Program};

pub const NAME: &str = "crossbeam";

pub const PROGRAMS: &[Program<Turn>] = &[
    Program {
        name: "channel",
        defaults: &[("rounds", 100000)],
        operations: |g| 2 * g["rounds"],
        turn: channel_turn,
    },
    Program {
        name: "stream",
        defaults: &[("rounds", 10000), ("size", 16), ("pairs", 1)],
        operations: |g| g["pairs"] * g["rounds"],
        turn: stream_turn,
    },
];

/// As user/bench/pingpong.c with by=channel.
fn channel_turn(given: &Given) -> Outcome {
    let rounds = given["rounds"];
    let (there, coming) = crossbeam_channel::bounded::<u64>(1);
    let (back, answers) = crossbeam_channel::bounded::<u64>(1);
    let wrong = AtomicBool::new(false);
    let duration = crew_run(2, |number| {
        for i in 0..rounds {
            if number == 0 {
                there.send(2 * i + 1).expect("the channel is open");
                if answers.recv().expect("the channel is open") != 2 * i + 2 {
                    wrong.store(true, Relaxed);
                }
            } else {
                let ball = coming.recv().expect("the channel is open");
                back.send(ball + 1).expect("the channel is open");
            }
        }
    });
    (!wrong.into_inner(), duration)
}

/// As user/bench/producer.c with lock=channel.
fn stream_turn(given: &Given) -> Outcome {
    let (pairs, rounds) = (given["pairs"], given["rounds"]);
    let books = Books::new(pairs, rounds);
    let (sender, receiver) = crossbeam_channel::bounded(given["size"] as usize);
    let duration = crew_run(2 * pairs, |number| {
        let mut expected = vec![0; pairs as usize];
        for i in 0..rounds {
            if number % 2 == 0 {
                let sent = Message { producer: (number / 2) as u32, number: i as u32 };
                sender.send(sent).expect("the channel is open");
            } else {
                books.enter(receiver.recv().expect("the channel is open"), &mut expected);
            }
        }
    });
    (books.are_right(), duration)
}
