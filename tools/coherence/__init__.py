"""Which cache lines move between processors; see tools/coherence/measure."""
