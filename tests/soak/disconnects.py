"""Browsers that vanish all at once, also while Redis starts again: logs stay clean, and new websockets work at once.

`python -m tests.soak.disconnects` starts the product and its sample for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import socket
import struct
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.proof.product import Product, make_home
from webapp.local.ports import is_open as answers_on

SOCKETS = 500
ANSWER_SECONDS = 30.0
"""500 sockets open at once on a machine that runs a job; each waits for its turn."""
AT_ONCE_SECONDS = 5.0
NEW = 20
RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of 0 s: closing sends RST, as when a network goes away."""


def quiet(product: Product) -> None:
    """Nothing else happens."""


def redis_dies(product: Product) -> None:
    product.kill("redis-server")


def redis_died(product: Product) -> None:
    """So long ago that whatever asks Redis has noticed, and short enough for it to be away."""
    product.kill("redis-server")
    time.sleep(0.5)


def redis_answers(product: Product) -> bool:
    return answers_on(json.loads((product.home / "ports.json").read_bytes())["redis"])


BEFORE: tuple[Callable[[Product], None], ...] = (quiet, redis_dies, redis_died)


def faults_of(product: Product, job: int) -> int:
    """How many faults show when the sockets of a running job are reset; it prints them."""
    topic = "clusters/local/topics/flights"
    addresses = [f"jobs/{job}"] * 9 + [f"jobs/{job}/log", f"jobs/{job}/dead-letters", topic]
    found = []
    for is_open in (True, False):
        for before in BEFORE:
            with tracebacks(product) as faults:
                asyncio.run(reset(product, addresses, is_open=is_open, before=before))
                product.wait(lambda: redis_answers(product), "Redis")
                faults += asyncio.run(new_ones_work(product, job))
            name = f"{SOCKETS} {'open' if is_open else 'opening'} websockets are reset, {before.__name__}"
            print(f"{name}: {len(faults)} faults", *faults, sep="\n  ", flush=True)
            found += faults
    return len(found)


@contextlib.contextmanager
def tracebacks(product: Product) -> Iterator[list[str]]:
    """Gains the tracebacks that the product's logs gain meanwhile and soon after."""
    logs = {path: path.stat().st_size for path in (*product.home.glob("logs/*.log"), product.output)}
    found: list[str] = []
    yield found
    time.sleep(AT_ONCE_SECONDS)
    for path, size in logs.items():
        gained = path.read_bytes()[size:].decode(errors="replace")
        found += [f"{path.name}: {piece[:3_000]}" for piece in gained.split("Traceback (most recent")[1:]]


async def reset(product: Product, addresses: list[str], *, is_open: bool, before: Callable[[Product], None]) -> None:
    """Open them, then break all connections in one go: with the first message read, or in the middle of opening."""
    opening = [asyncio.create_task(opened(product, address)) for address in islice(cycle(addresses), SOCKETS)]
    if is_open:
        sockets = await asyncio.gather(*opening)
        await asyncio.gather(*(each.recv() for each in sockets))
        before(product)
        for each in sockets:
            break_off(each)
        return
    await asyncio.sleep(0.3)
    before(product)
    for task in opening:
        task.cancel()
    for answer in await asyncio.gather(*opening, return_exceptions=True):
        if isinstance(answer, ClientConnection):
            break_off(answer)


async def opened(product: Product, address: str) -> ClientConnection:
    """A websocket as a page opens it; it resets its connection if it is cancelled meanwhile."""
    url, cookies = product.http.base_url, product.http.cookies
    plain = socket.create_connection((url.host, url.port))
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    headers = {"Cookie": f"sessionid={cookies['sessionid']}"}
    origin = str(url).rstrip("/")
    return await connect(
        f"ws://{url.host}:{url.port}/ws/{address}/",
        sock=plain,
        origin=origin,  # type: ignore[arg-type]
        additional_headers=headers,
        open_timeout=ANSWER_SECONDS,
        proxy=None,
    )


def break_off(connection: ClientConnection) -> None:
    connection.transport.abort()


async def new_ones_work(product: Product, job: int) -> list[str]:
    """What is wrong with websockets that are opened now: each shows its job soon."""
    began = time.monotonic()
    found: list[str] = []

    async def try_one() -> None:
        try:
            async with asyncio.timeout(AT_ONCE_SECONDS):
                connection = await opened(product, f"jobs/{job}")
                assert '"snapshot"' in str(await connection.recv())
                await connection.close()
        except (TimeoutError, OSError, WebSocketException, AssertionError) as error:
            found.append(f"a new websocket does not work after {time.monotonic() - began:.1f} s: {error!r}")

    await asyncio.gather(*(try_one() for _ in range(NEW)))
    return found


def main() -> int:
    home = make_home()
    with Product(home) as product, product.running_sample(rate=500) as job:
        found = faults_of(product, job)
    shutil.rmtree(home)
    return found


if __name__ == "__main__":
    sys.exit(bool(main()))
