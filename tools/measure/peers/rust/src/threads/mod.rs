//! Threads of the operating system, with the locks of parking_lot or the channels of crossbeam. All are confined to as
//! many processors as are asked for.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::{fail, Given, Outcome, Program};

pub type Turn = fn(&Given) -> Outcome;

#[cfg(feature = "crossbeam")]
mod channels;
#[cfg(feature = "parking_lot")]
mod locks;

#[cfg(feature = "crossbeam")]
pub use channels::{NAME, PROGRAMS};
#[cfg(feature = "parking_lot")]
pub use locks::{NAME, PROGRAMS};

fn confine(processors: u64) {
    // SAFETY: both sets are whole, and of the size that is said.
    unsafe {
        let (mut allowed, mut chosen): (libc::cpu_set_t, libc::cpu_set_t) =
            (std::mem::zeroed(), std::mem::zeroed());
        let size = std::mem::size_of::<libc::cpu_set_t>();
        libc::sched_getaffinity(0, size, &mut allowed);
        let first = (0..libc::CPU_SETSIZE as usize).filter(|&number| libc::CPU_ISSET(number, &allowed));
        first.take(processors as usize).for_each(|number| libc::CPU_SET(number, &mut chosen));
        if (libc::CPU_COUNT(&chosen) as u64) < processors {
            fail("there are not so many processors".to_string());
        }
        libc::sched_setaffinity(0, size, &chosen);
    }
}

/// A turn to warm up, and whether it was right; and another.
pub fn turns(program: &'static Program<Turn>, given: &Given) -> (bool, Outcome) {
    confine(given["processors"]);
    ((program.turn)(given).0, (program.turn)(given))
}

/// Threads that run one function, start together and are joined together, as in user/crew.h. The time from the start to
/// the last join.
fn crew_run(count: u64, member: impl Fn(u64) + Sync) -> Duration {
    let gate = Barrier::new(count as usize + 1);
    std::thread::scope(|scope| {
        let made: Vec<_> = (0..count)
            .map(|number| {
                let (gate, member) = (&gate, &member);
                scope.spawn(move || {
                    gate.wait();
                    member(number)
                })
            })
            .collect();
        let start = Instant::now();
        gate.wait();
        made.into_iter().for_each(|thread| thread.join().expect("the thread ended"));
        start.elapsed()
    })
}
