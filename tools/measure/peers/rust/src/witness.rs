use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
