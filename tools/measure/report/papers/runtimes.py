"""What belongs to the papers' figures beside what Heddle's own benchmarks measure: the same in other runtimes."""

import dataclasses

from . import coroutines, fibers, java


def exchange(paper):
    """The exchange paper with its figures of other runtimes, in their place."""
    place = next(number for number, figure in enumerate(paper.figures) if figure.number == "Figure 14")
    figures = (*map(coroutines.extended, paper.figures[:place]), fibers.IN_FIBERS, java.IN_JAVA,
               *paper.figures[place:])
    return dataclasses.replace(paper, figures=figures)


def locks(paper):
    return dataclasses.replace(paper, figures=tuple(map(fibers.beside, paper.figures)))
