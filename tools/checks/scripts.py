"""Tools without a suffix, as modules: a test can then replace what they call."""

import importlib.machinery
import importlib.util
import pathlib
import sys


def load(path):
    """The script, which finds the modules beside it, as a module of its own."""
    name = pathlib.Path(path).name
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.path.insert(0, str(pathlib.Path(path).parent))
    try:
        loader.exec_module(module)
    finally:
        del sys.path[0]
    return module
