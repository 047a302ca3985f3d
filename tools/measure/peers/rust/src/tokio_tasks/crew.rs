//! Tasks that run one function, start together and are joined together, as in user/crew.h.

use std::future::Future;
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
