"""Claims on simulated machines: there a rule is looked at with what things take halved and doubled, too."""

from ..rules import InAll

SETTING = "simulated"
COSTS = ("100", "50", "200")  # of what the profile says, in per cent; as in ../../bench/plan.py


def machine(processors=None):
    """The conditions of such a place, with what things take as the profile says."""
    conditions = {"setting": SETTING, "costs": COSTS[0]}
    return conditions if processors is None else {**conditions, "processors": processors}


def in_all(where, make):
    """The rule that make(where) gives for the conditions of a place."""
    if where.get("setting") != SETTING:
        return make(where)
    return InAll(tuple((f"costs at {costs} %", make({**where, "costs": costs})) for costs in COSTS))
