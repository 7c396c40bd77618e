"""Runs a call in its own thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def call_beside(call: Callable[[], T]) -> Future[T]:
    """Run a call in a thread, and return its future result.

    Unlike an executor's thread, this one does not keep the process from ending.
    """
    future: Future[T] = Future()
    Thread(target=_complete_future, args=(future, call), daemon=True, name="beside").start()
    return future


def _complete_future(future: Future[T], call: Callable[[], T]) -> None:
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)
