"""The papers: for each table and figure what is plotted, what the paper reports and what it claims."""

from . import delegation, exchange, locality, locks, runtimes, scaling, scheduler, switching

PAPERS = (scheduler.PAPER, runtimes.exchange(exchange.PAPER), switching.PAPER, runtimes.locks(locks.PAPER),
          delegation.PAPER, locality.PAPER, scaling.PAPER)
