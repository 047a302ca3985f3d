"""Claims on simulated machines: a rule is checked with the costs of the profile, and with these halved and doubled."""

from ..rules import InAll

SETTING = "simulated"
EPYC, FOUR = "epyc-2s", "xeon-4s"  # the profiles, with two sockets and with four
COSTS = ("100", "50", "200")  # in per cent of those in the profile; as in ../../bench/plan.py


def machine(processors=None, profile=None):
    """The conditions of a simulated machine, with the costs of its profile."""
    conditions = {"setting": SETTING, "costs": COSTS[0]}
    more = {"processors": processors, "machine": profile}
    return conditions | {name: value for name, value in more.items() if value is not None}


def deciding(places):
    """Places without those in an emulator, whose clock decides nothing."""
    return tuple(place for place in places if place[1].get("setting") != "kernel")


def in_all(where, make):
    """The rule make(where); on a simulated machine, in all its costs."""
    if where.get("setting") != SETTING:
        return make(where)
    return InAll(tuple((f"costs at {costs} %", make({**where, "costs": costs})) for costs in COSTS))
