"""Whether two sets of samples differ: the test of Mann and Whitney (1947), which assumes nothing about the
distribution."""

import math
import statistics

EXACT = 400  # up to that many pairs the distribution is exact; above, it is approximated as normal


def ranked(first, second):
    """How many pairs the first set wins (ties count half), and the sizes of groups of equal values."""
    wins = sum(1.0 if one < other else 0.5 if one == other else 0.0 for one in first for other in second)
    both = sorted([*first, *second])
    return wins, [both.count(value) for value in set(both)]


def ways(one, other):
    """ways[u]: in how many orders of that many samples the first set wins u pairs."""
    counts = [[[1] for _ in range(other + 1)] for _ in range(one + 1)]
    for i in range(1, one + 1):
        for j in range(1, other + 1):
            last_first, last_second = counts[i - 1][j], counts[i][j - 1]
            counts[i][j] = [(last_first[u - j] if 0 <= u - j < len(last_first) else 0)
                            + (last_second[u] if u < len(last_second) else 0) for u in range(i * j + 1)]
    return counts[one][other]


def probability(first, second):
    """The probability that chance alone gives a difference this large, in either direction."""
    pairs = len(first) * len(second)
    if not pairs:
        return 1.0
    wins, groups = ranked(first, second)
    extreme = max(wins, pairs - wins)
    if pairs <= EXACT and max(groups) == 1:
        counts = ways(len(first), len(second))
        return min(1.0, 2 * sum(counts[math.ceil(extreme):]) / sum(counts))
    total = len(first) + len(second)
    variance = pairs / 12 * (total + 1 - sum(size ** 3 - size for size in groups) / (total * max(total - 1, 1)))
    if variance <= 0:
        return 1.0
    return min(1.0, 2 * (1 - statistics.NormalDist().cdf((extreme - pairs / 2 - 0.5) / math.sqrt(variance))))


def corrected(probabilities):
    """Holm's correction (1979) for many comparisons at once, in their order."""
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    found, highest = [1.0] * len(order), 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, probabilities[index] * (len(order) - place)))
        found[index] = highest
    return found
