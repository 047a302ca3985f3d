"""How many instructions the kernel's operations take; see tools/measure/instructions/measure."""
