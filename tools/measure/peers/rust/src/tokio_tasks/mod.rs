//! Tasks of tokio.

pub mod crew;
mod messages;
mod section;
mod tasks;

use std::future::Future;
use std::pin::Pin;

use crate::{fail, Given, Outcome, Program};

pub const NAME: &str = "tokio";

pub type Turn = fn(Given) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;

macro_rules! program {
    ($name:literal, $defaults:expr, $operations:expr, $turn:path) => {
        Program {
            name: $name,
            defaults: $defaults,
            operations: $operations,
            turn: |given| Box::pin($turn(given)),
        }
    };
}

pub const PROGRAMS: &[Program<Turn>] = &[
    program!("yield", &[("tasks", 10), ("rounds", 20000)], |g| g["tasks"] * g["rounds"], tasks::yield_turn),
    program!("create", &[("tasks", 1000), ("rounds", 10)], |g| g["tasks"] * g["rounds"], tasks::create_turn),
    program!("uncontended", &[("rounds", 1000000)], |g| g["rounds"], tasks::uncontended_turn),
    program!("locks", &[("tasks", 64), ("rounds", 10000)], |g| g["tasks"] * g["rounds"], tasks::locks_turn),
    program!(
        "tokenring",
        &[("tasks", 100), ("rounds", 200)],
        |g| g["tasks"] * g["rounds"],
        tasks::tokenring_turn
    ),
    program!("semaphore", &[("rounds", 100000)], |g| 2 * g["rounds"], messages::semaphore_turn),
    program!("channel", &[("rounds", 100000)], |g| 2 * g["rounds"], messages::channel_turn),
    program!(
        "producer",
        &[("pairs", 1), ("rounds", 10000), ("size", 10)],
        |g| g["pairs"] * g["rounds"],
        messages::producer_turn
    ),
    program!(
        "stream",
        &[("rounds", 10000), ("size", 16), ("pairs", 1)],
        |g| g["rounds"],
        messages::stream_turn
    ),
    program!(
        "section",
        &[("tasks", 5000), ("rounds", 40), ("size", 1000000), ("primes", 1000)],
        |g| g["tasks"] * g["rounds"],
        section::section_turn
    ),
];

/// A turn to warm up, and whether it was right; and another.
pub fn turns(program: &'static Program<Turn>, given: &Given) -> (bool, Outcome) {
    let runtime = match given["processors"] {
        1 => tokio::runtime::Builder::new_current_thread().build(),
        threads => tokio::runtime::Builder::new_multi_thread().worker_threads(threads as usize).build(),
    };
    let runtime = runtime.unwrap_or_else(|error| fail(format!("tokio does not start: {error}")));
    // In a task, so that it is a worker that runs it.
    let given = given.clone();
    runtime.block_on(async move {
        let both = async move { ((program.turn)(given.clone()).await.0, (program.turn)(given).await) };
        tokio::spawn(both).await.expect("the task of the turns ended")
    })
}
