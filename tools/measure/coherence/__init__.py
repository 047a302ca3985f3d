"""Which cache lines move between processors; see tools/measure/coherence/measure."""
