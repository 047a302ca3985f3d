//! Tasks that run one function, start together and are joined together, as in user/crew.h.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// The time from the start to the last join.
pub async fn crew_run<Member, Work>(count: u64, member: Member) -> Duration
where
    Member: Fn(u64) -> Work,
    Work: Future<Output = ()> + Send + 'static,
{
    let gate = Arc::new(Semaphore::new(0));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (gate, work) = (gate.clone(), member(number));
            tokio::spawn(async move {
                gate.acquire().await.expect("the gate is open").forget();
                work.await;
            })
        })
        .collect();
    let start = Instant::now();
    gate.add_permits(count as usize);
    for task in tasks {
        task.await.expect("the task ended");
    }
    start.elapsed()
}

/// Stands inside what a lock protects and sees whether ever two are inside at once, as user/bench/witness.h.
#[derive(Default)]
pub struct Witness {
    count: AtomicU64,
    complaints: AtomicU64,
}

impl Witness {
    pub fn enter(&self) -> u64 {
        let found = self.count.load(Relaxed);
        if found % 2 != 0 {
            self.complaints.fetch_add(1, Relaxed);
        }
        self.count.store(found + 1, Relaxed);
        found
    }

    pub fn leave(&self, entered: u64) {
        if self.count.load(Relaxed) != entered + 1 {
            self.complaints.fetch_add(1, Relaxed);
        }
        self.count.store(entered + 2, Relaxed);
    }

    pub fn is_content(&self, sections: u64) -> bool {
        self.complaints.load(Relaxed) == 0 && self.count.load(Relaxed) == 2 * sections
    }
}
