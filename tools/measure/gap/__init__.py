"""The gaps between quantum checks, measured in the kernel; see tools/measure/gap/measure."""
