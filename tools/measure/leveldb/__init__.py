"""LevelDB's readrandom with several locks; see measure."""
