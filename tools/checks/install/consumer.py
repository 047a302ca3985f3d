"""Heddle from Python: a task in C, and one in Python that Heddle calls back. The argument is the library."""

import ctypes
import sys

TASK = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p)


def load(path):
    library = ctypes.CDLL(path)
    library.heddle_version.restype = ctypes.c_char_p
    library.heddle_error_text.restype = ctypes.c_char_p
    library.heddle_start.argtypes = [ctypes.c_char_p]
    library.heddle_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_ssize_t)]
    return library


def run(library, function, argument):
    result = ctypes.c_ssize_t()
    error = library.heddle_run(ctypes.cast(function, ctypes.c_void_p), argument, ctypes.byref(result))
    if error:
        raise RuntimeError(library.heddle_error_text(error).decode())
    return result.value


def main():
    library = load(sys.argv[1])
    if library.heddle_start(b"processors=2"):
        sys.exit("it does not start")
    task = TASK(lambda argument: sum(range(argument)))
    results = run(library, ctypes.CDLL(None).labs, -42), run(library, task, 10)
    left = library.heddle_stop()
    print(f"{results[0]} and {results[1]} by {library.heddle_version().decode()}")
    sys.exit(left or results != (42, 45))


if __name__ == "__main__":
    main()
