//! Runs one benchmark on a peer, the feature that this was built with: peers PROGRAM NAME=NUMBER...

#[allow(dead_code)] // not every peer has every program
mod books;
#[allow(dead_code)]
mod witness;

#[cfg(feature = "kanal")]
mod kanal_channels;
#[cfg(feature = "may")]
mod may_coroutines;
#[cfg(any(feature = "crossbeam", feature = "parking_lot"))]
mod threads;
#[cfg(feature = "tokio")]
#[allow(dead_code)]
mod tokio_tasks;

use std::collections::HashMap;
use std::process::exit;
use std::time::Duration;

#[cfg(feature = "kanal")]
use kanal_channels as peer;
#[cfg(feature = "may")]
use may_coroutines as peer;
#[cfg(any(feature = "crossbeam", feature = "parking_lot"))]
use threads as peer;
#[cfg(all(feature = "tokio", not(feature = "kanal")))]
use tokio_tasks as peer;

pub type Given = HashMap<&'static str, u64>;
/// Whether the result was right, and how long what counts took.
pub type Outcome = (bool, Duration);

pub struct Program<Turn: 'static> {
    pub name: &'static str,
    pub defaults: &'static [(&'static str, u64)],
    pub operations: fn(&Given) -> u64,
    pub turn: Turn,
}

pub fn fail(sentence: String) -> ! {
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
    let Some(program) = peer::PROGRAMS.iter().find(|program| program.name == name) else {
        let names: Vec<&str> = peer::PROGRAMS.iter().map(|program| program.name).collect();
        fail(format!("the first word is one of: {}", names.join(" ")))
    };
    let given = parameters(program.defaults, words);
    let (warm, (right, duration)) = peer::turns(program, &given);
    if !warm || !right {
        fail(format!("{name}, {}: the result is wrong", peer::NAME));
    }
    let operations = (program.operations)(&given);
    println!(
        "result {name} peer={} ns={:.4} operations={operations}",
        peer::NAME,
        duration.as_nanos() as f64 / operations as f64
    );
}
