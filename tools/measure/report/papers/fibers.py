"""Boost.Fiber, a platform of two papers: the exchange paper's Figure 12, and the lock-algorithms paper's figures,
beside those on Heddle."""

import dataclasses

from ..figures import Cited, Claim, Figure, Mark, Plot, Series
from ..quantity import ABOVE, BELOW
from ..rules import Compare, InAll, Pick, Ratio, Trend, pick

PLACE = "Boost.Fiber, 2"
FIBERS = {"source": "runtimes", "who": "boostfiber", "setting": "hosted", "processors": "2"}
WHERE = "section 6.3, Figure 12"


def section(lock):
    return pick("section", "rate", lock=lock, **FIBERS)


GAIN = Ratio(section("exchange"), section("library"))

IN_FIBERS = Figure(
    "Figure 12", "Exchange in Boost.Fiber",
    "As Figure 10, with fibers of Boost.Fiber: the throughput with a mutex by exchange divided by that with the "
    "library's own. Above 1, exchange is ahead.",
    "Two processors instead of 256 threads. The library is as it comes: the mutex uses what that offers to authors of "
    "scheduling algorithms (`tools/measure/runtimes/boost_fiber/hand_over.hpp`).",
    (Plot("Boost.Fiber, 2 processors", "section", "ns more in the section", "exchange / library",
          (Series("exchange", GAIN),), log_x=False, marks=(Mark(7500, 2, "paper: at least 2"),), line=1.0),),
    (Cited("256 threads", "at least 2 times", WHERE), Cited("all numbers of threads", "never slower", WHERE)),
    (
        Claim("Exchange is faster than the library's mutex.", ((PLACE, Compare(
            section("exchange"), section("library"), "section", ABOVE, ("exchange", "the library's mutex"),
            "thousand/s")),)),
        Claim("It gains less than in C++20 coroutines, whose switch costs less (here: without more in the section).", ((
            "2 processors", Compare(GAIN, Ratio(
                pick("section", "rate", source="runtimes", who="coroutines", lock="exchange", processors="2"),
                pick("section", "rate", source="runtimes", who="coroutines", lock="dispatch", processors="2")),
                "section", BELOW, ("Boost.Fiber", "coroutines"), "", most=0)),)),
    ),
)


def moved(rule):
    """The same on Boost.Fiber; in place of Heddle's own lock it has the library's own."""
    if isinstance(rule, InAll):
        return moved(rule.rules[0][1])
    if isinstance(rule, Pick):
        conditions = {name: value for name, value in {**dict(rule.conditions), **FIBERS}.items() if name != "costs"}
        if conditions.get("lock") == "exchange":
            conditions["lock"] = "library"
        return dataclasses.replace(rule, conditions=tuple(sorted(conditions.items())))
    if isinstance(rule, Trend):
        return dataclasses.replace(rule, of=moved(rule.of))
    # This holds while there are no more tasks than processors, of which there are 2.
    most = 2 if rule.most < float("inf") else rule.most
    names = tuple("the library's" if name == "exchange" else name for name in rule.names)
    return dataclasses.replace(rule, left=moved(rule.left), right=moved(rule.right), most=most, names=names)


def moved_plot(plot):
    series = [Series("library" if one.label == "exchange" else one.label, moved(one.of)) for one in plot.series]
    own = next(one.of for one in plot.series if one.label == "exchange")
    exchange = dataclasses.replace(own, conditions=tuple(sorted({**dict(own.conditions), **FIBERS}.items())))
    title = plot.title.replace("hosted, 2", PLACE).replace("Hosted, 2", PLACE)
    return dataclasses.replace(plot, title=title, series=(*series, Series("exchange", exchange)))


DIFFERS = (" On Boost.Fiber, the panels of that name, the locks are the paper's "
           "(`tools/measure/runtimes/boost_fiber/`), `library` is boost::fibers::mutex and `exchange` that of the "
           "exchange paper's Figure 12; 2 processors.")


def beside(figure):
    """A figure of the lock-algorithms paper, with Boost.Fiber beside Heddle; figures on Argobots are unchanged."""
    hosted = tuple(plot for plot in figure.plots if "osted, 2" in plot.title)
    if not hosted:
        return figure
    claims = tuple(dataclasses.replace(claim, cases=(*claim.cases, (PLACE, moved(claim.cases[0][1]))))
                   for claim in figure.claims)
    return dataclasses.replace(figure, plots=(*figure.plots, *map(moved_plot, hosted)), claims=claims,
                               differs=figure.differs + DIFFERS)
