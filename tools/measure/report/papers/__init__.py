"""The papers: for each table and figure what is plotted, what the paper reports and what it claims."""

from . import delegation, exchange, locality, locks, scheduler, switching

PAPERS = (scheduler.PAPER, exchange.PAPER, switching.PAPER, locks.PAPER, delegation.PAPER, locality.PAPER)
