"""The gaps between checks of the quantum, measured in the kernel; see tools/gap/measure."""
