//! Runs one benchmark on tasks of tokio: peers PROGRAM NAME=NUMBER...

mod crew;
mod messages;
mod section;
mod tasks;

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::process::exit;
use std::time::Duration;

pub type Given = HashMap<&'static str, u64>;
/// Whether the result was right, and how long what counts took.
pub type Outcome = (bool, Duration);
type Turn = fn(Given) -> Pin<Box<dyn Future<Output = Outcome> + Send>>;

struct Program {
    name: &'static str,
    defaults: &'static [(&'static str, u64)],
    operations: fn(&Given) -> u64,
    turn: Turn,
}

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

const PROGRAMS: &[Program] = &[
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

fn fail(sentence: String) -> ! {
    eprintln!("{sentence}");
    exit(1)
}

/// A decimal number, with k, M or G for thousands, millions or billions.
fn number(text: &str) -> Option<u64> {
    let (digits, scale) = match text.chars().last()? {
        'k' => (&text[..text.len() - 1], 1_000),
        'M' => (&text[..text.len() - 1], 1_000_000),
        'G' => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let value: u64 = digits.parse().ok()?;
    if value == 0 || digits.len() > 9 {
        None
    } else {
        Some(value * scale)
    }
}

fn parameters(defaults: &[(&'static str, u64)], words: impl Iterator<Item = String>) -> Given {
    let mut given: Given = defaults.iter().copied().collect();
    given.insert("processors", 1);
    for word in words {
        let Some((name, text)) = word.split_once('=') else {
            fail(format!("{word}: not a parameter of this program (NAME=NUMBER)"))
        };
        let Some(value) = given.get_mut(name) else {
            fail(format!("{word}: not a parameter of this program (NAME=NUMBER)"))
        };
        match number(text) {
            Some(found) => *value = found,
            None => fail(format!("{word}: a value is a whole number from 1 on, such as 10 or 20k")),
        }
    }
    given
}

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_default();
    let Some(program) = PROGRAMS.iter().find(|program| program.name == name) else {
        let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
        fail(format!("the first word is one of: {}", names.join(" ")))
    };
    let given = parameters(program.defaults, words);
    let runtime = match given["processors"] {
        1 => tokio::runtime::Builder::new_current_thread().build(),
        threads => tokio::runtime::Builder::new_multi_thread().worker_threads(threads as usize).build(),
    };
    let runtime = runtime.unwrap_or_else(|error| fail(format!("tokio does not start: {error}")));
    // In a task, so that it is a worker that runs it.
    let turns = given.clone();
    let (warm, (right, duration)) = runtime.block_on(async move {
        let both = async move { ((program.turn)(turns.clone()).await.0, (program.turn)(turns).await) };
        tokio::spawn(both).await.expect("the task of the turns ended")
    });
    if !warm || !right {
        fail(format!("{name}, tokio: the result is wrong"));
    }
    let operations = (program.operations)(&given);
    println!(
        "result {name} peer=tokio ns={:.4} operations={operations}",
        duration.as_nanos() as f64 / operations as f64
    );
}
