"""How many instructions operations take in the kernel; see tools/measure/instructions/measure."""
