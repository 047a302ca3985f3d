use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{Mutex, Notify};

use super::crew::crew_run;
use crate::witness::Witness;
use crate::{Given, Outcome};

/// Tasks that do nothing but yield, as user/bench/switch.c.
pub async fn yield_turn(given: Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let yields = Arc::new(AtomicU64::new(0));
    let duration = crew_run(tasks, |_| {
        let yields = yields.clone();
        async move {
            for _ in 0..rounds {
                tokio::task::yield_now().await;
            }
            yields.fetch_add(rounds, Relaxed);
        }
    })
    .await;
    (yields.load(Relaxed) == tasks * rounds, duration)
}

/// Tasks that do nothing are made, and then all joined, as user/bench/create.c.
pub async fn create_turn(given: Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let mut ran = 0;
    let start = Instant::now();
    for _ in 0..rounds {
        let made: Vec<_> = (0..tasks).map(|_| tokio::spawn(async { 1 })).collect();
        for task in made {
            ran += task.await.expect("the task ended");
        }
    }
    (ran == tasks * rounds, start.elapsed())
}

/// One task locks and unlocks an uncontended mutex, as user/bench/uncontended.c.
pub async fn uncontended_turn(given: Given) -> Outcome {
    let rounds = given["rounds"];
    let mutex = Arc::new(Mutex::new(0));
    let duration = crew_run(1, |_| {
        let mutex = mutex.clone();
        async move {
            for _ in 0..rounds {
                *mutex.lock().await += 1;
            }
        }
    })
    .await;
    let sections = *mutex.lock().await;
    (sections == rounds, duration)
}

/// Tasks lock and unlock one mutex for all, as user/bench/locks.c with scope=global.
pub async fn locks_turn(given: Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let mutex = Arc::new(Mutex::new(Witness::default()));
    let duration = crew_run(tasks, |_| {
        let mutex = mutex.clone();
        async move {
            for _ in 0..rounds {
                let inside = mutex.lock().await;
                inside.leave(inside.enter());
            }
        }
    })
    .await;
    let right = mutex.lock().await.is_content(tasks * rounds);
    (right, duration)
}

/// Players in a ring hand on a token, as user/bench/tokenring.c, by a notification.
pub async fn tokenring_turn(given: Given) -> Outcome {
    let (tasks, rounds) = (given["tasks"], given["rounds"]);
    let turns: Arc<Vec<Notify>> = Arc::new((0..tasks).map(|_| Notify::new()).collect());
    let (moves, wrong) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    turns[0].notify_one();
    let duration = crew_run(tasks, |number| {
        let (turns, moves, wrong) = (turns.clone(), moves.clone(), wrong.clone());
        async move {
            for i in 0..rounds {
                turns[number as usize].notified().await;
                let found = moves.load(Relaxed); // of the one that has the token
                if found != i * tasks + number {
                    wrong.fetch_add(1, Relaxed);
                }
                moves.store(found + 1, Relaxed);
                turns[((number + 1) % tasks) as usize].notify_one();
            }
        }
    })
    .await;
    (moves.load(Relaxed) == tasks * rounds && wrong.load(Relaxed) == 0, duration)
}
