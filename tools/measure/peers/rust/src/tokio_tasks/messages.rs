use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, Mutex, Notify, Semaphore};

use super::crew::crew_run;
use crate::books::{Books, Message};
use crate::{Given, Outcome};

/// Two tasks hand a ball to and fro by two semaphores, as user/bench/pingpong.c with by=semaphore.
pub async fn semaphore_turn(given: Given) -> Outcome {
    let rounds = given["rounds"];
    let turns = Arc::new([Semaphore::new(1), Semaphore::new(0)]);
    let (ball, wrong) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let duration = crew_run(2, |number| {
        let (turns, ball, wrong) = (turns.clone(), ball.clone(), wrong.clone());
        async move {
            for i in 0..rounds {
                turns[number as usize].acquire().await.expect("the semaphore is open").forget();
                let found = ball.load(Relaxed); // of the one whose turn it is
                if found != 2 * i + number {
                    wrong.fetch_add(1, Relaxed);
                }
                ball.store(found + 1, Relaxed);
                turns[1 - number as usize].add_permits(1);
            }
        }
    })
    .await;
    (ball.load(Relaxed) == 2 * rounds && wrong.load(Relaxed) == 0, duration)
}

/// Two tasks hand a ball to and fro by two channels, as user/bench/pingpong.c with by=channel.
pub async fn channel_turn(given: Given) -> Outcome {
    let rounds = given["rounds"];
    let (there, mut coming) = mpsc::channel::<u64>(1);
    let (back, mut answers) = mpsc::channel::<u64>(1);
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

/// A monitor: tokio has no condition variable, and a mutex with notifications is what its documentation suggests.
struct Buffer {
    messages: Mutex<VecDeque<Message>>,
    capacity: usize,
    has_room: Notify,
    has_some: Notify,
}

impl Buffer {
    async fn put(&self, sent: Message) {
        loop {
            let room = self.has_room.notified();
            tokio::pin!(room);
            room.as_mut().enable(); // before the look: no notification is missed
            {
                let mut messages = self.messages.lock().await;
                if messages.len() < self.capacity {
                    messages.push_back(sent);
                    self.has_some.notify_one();
                    return;
                }
            }
            room.await;
        }
    }

    async fn take(&self) -> Message {
        loop {
            let some = self.has_some.notified();
            tokio::pin!(some);
            some.as_mut().enable();
            {
                let mut messages = self.messages.lock().await;
                if let Some(got) = messages.pop_front() {
                    self.has_room.notify_one();
                    return got;
                }
            }
            some.await;
        }
    }
}

/// Producers and consumers around a monitor, as user/bench/producer.c.
pub async fn producer_turn(given: Given) -> Outcome {
    let (pairs, rounds, capacity) = (given["pairs"], given["rounds"], given["size"] as usize);
    let books = Books::new(pairs, rounds);
    let buffer = Arc::new(Buffer {
        messages: Mutex::new(VecDeque::with_capacity(capacity)),
        capacity,
        has_room: Notify::new(),
        has_some: Notify::new(),
    });
    let duration = crew_run(2 * pairs, |number| {
        let (buffer, books) = (buffer.clone(), books.clone());
        async move {
            let mut expected = vec![0; pairs as usize];
            for i in 0..rounds {
                if number % 2 == 0 {
                    buffer.put(Message { producer: (number / 2) as u32, number: i as u32 }).await;
                } else {
                    books.enter(buffer.take().await, &mut expected);
                }
            }
        }
    })
    .await;
    (books.are_right(), duration)
}

/// A producer and a consumer around a channel, as user/bench/producer.c with lock=channel. tokio's has one receiver.
pub async fn stream_turn(given: Given) -> Outcome {
    let rounds = given["rounds"];
    if given["pairs"] != 1 {
        eprintln!("pairs: a channel of tokio has one receiver, so there is 1");
        return (false, Duration::ZERO);
    }
    let books = Books::new(1, rounds);
    let (sender, mut receiver) = mpsc::channel(given["size"] as usize);
    let start = Instant::now();
    let producer = tokio::spawn(async move {
        for i in 0..rounds {
            let sent = sender.send(Message { producer: 0, number: i as u32 }).await;
            sent.ok().expect("the channel is open");
        }
    });
    let mut expected = [0];
    for _ in 0..rounds {
        books.enter(receiver.recv().await.expect("the channel is open"), &mut expected);
    }
    producer.await.expect("the task ended");
    let duration = start.elapsed();
    (books.are_right(), duration)
}
