"""The gaps between checks of the quantum, measured in the kernel; see tools/measure/gap/measure."""
