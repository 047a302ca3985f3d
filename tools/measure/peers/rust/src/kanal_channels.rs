//! kanal's channels between tasks of tokio.

use std::sync::Arc;
use std::time::Instant;

use crate::books::{Books, Message};
pub use crate::tokio_tasks::turns;
use crate::tokio_tasks::Turn;
use crate::{Given, Outcome, Program};

pub const NAME: &str = "kanal";

pub const PROGRAMS: &[Program<Turn>] = &[
    Program {
        name: "channel",
        defaults: &[("rounds", 100000)],
        operations: |g| 2 * g["rounds"],
        turn: |given| Box::pin(channel_turn(given)),
    },
    Program {
        name: "stream",
        defaults: &[("rounds", 10000), ("size", 16), ("pairs", 1)],
        operations: |g| g["pairs"] * g["rounds"],
        turn: |given| Box::pin(stream_turn(given)),
    },
];

/// Two tasks hand a ball to and fro by two channels, as user/bench/pingpong.c with by=channel.
async fn channel_turn(given: Given) -> Outcome {
    let rounds = given["rounds"];
    let (there, coming) = kanal::bounded_async::<u64>(1);
    let (back, answers) = kanal::bounded_async::<u64>(1);
    let start = Instant::now();
    let other = tokio::spawn(async move {
        let mut wrong = 0;
        for i in 0..rounds {
            let ball = coming.recv().await.expect("the channel is open");
            wrong += u64::from(ball != 2 * i + 1);
            back.send(ball + 1).await.expect("the channel is open");
        }
        wrong
    });
    let mut last = 0;
    for i in 0..rounds {
        there.send(2 * i + 1).await.expect("the channel is open");
        last = answers.recv().await.expect("the channel is open");
    }
    let wrong = other.await.expect("the task ended");
    (last == 2 * rounds && wrong == 0, start.elapsed())
}

/// Producers and consumers around a channel, as user/bench/producer.c with lock=channel.
async fn stream_turn(given: Given) -> Outcome {
    let (pairs, rounds) = (given["pairs"], given["rounds"]);
    let books = Books::new(pairs, rounds);
    let (sender, receiver) = kanal::bounded_async(given["size"] as usize);
    let duration = crate::tokio_tasks::crew::crew_run(2 * pairs, |number| {
        let (books, sender, receiver) = (Arc::clone(&books), sender.clone(), receiver.clone());
        async move {
            let mut expected = vec![0; pairs as usize];
            for i in 0..rounds {
                if number % 2 == 0 {
                    let sent = sender.send(Message { producer: (number / 2) as u32, number: i as u32 }).await;
                    sent.expect("the channel is open");
                } else {
                    books.enter(receiver.recv().await.expect("the channel is open"), &mut expected);
                }
            }
        }
    })
    .await;
    (books.are_right(), duration)
}
