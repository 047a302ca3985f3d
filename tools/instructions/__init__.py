"""How many instructions operations take in the kernel; see tools/instructions/measure."""
