"""`make run` after the install: starts every part, prints the address, and stays until Ctrl-C."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import NamedTuple

from . import apicurio, environment, jars, outside, requires, wheel
from .apicurio import Apicurio
from .java import find_java
from .kafka import Kafka
from .lock import hold_lock
from .parts import Part, wait_for
from .places import IS_CHECKOUT, ROOT
from .ports import listen, open_listener
from .postgres import Postgres
from .problem import Problem, describe_disk_error
from .process import read_tail
from .redis import Redis
from .service import list_sample_services, list_services, make_manage_command
from .supervisor import MARK, Supervisor

WEB_PORT = 8000


class Product(NamedTuple):
    """What a user wants to run in a home folder, which is absolute.

    `is_empty` leaves out the sample, `has_registry` adds a schema registry, and `variables` are those of users, which
    commands in other terminals take over. Without a `port` it is one that is free.
    """

    home: Path
    port: int | None = None
    is_empty: bool = False
    has_registry: bool = False
    variables: Mapping[str, str] = MappingProxyType({})


def run_product(product: Product, say: Callable[[str], None] = print) -> int:
    """Runs Streamwright until a signal. Returns 1 after one sentence if it cannot."""
    home = product.home
    try:
        with hold_lock(home):
            run(product, say)
    except Problem as problem:
        print(f"Streamwright cannot start: {problem}", file=sys.stderr)
        return 1
    except OSError as error:
        if (sentence := describe_disk_error(error, home)) is None:
            raise
        print(f"Streamwright cannot start: {sentence}", file=sys.stderr)
        return 1
    return 0


def run(product: Product, say: Callable[[str], None]) -> None:
    """Starts, watches, stops."""
    os.environ[MARK] = str(product.home)  # every process below inherits it
    os.environ["LC_ALL"] = "C.UTF-8"  # with other letters Java finds no such home, and in Turkish it has another i
    supervisor = Supervisor(product.home, say)
    if left := supervisor.ledger.stop_leftovers():
        say(f"stopped processes that an earlier start left running: {', '.join(left)}")
    with suppress(Stopped):
        on_signal(supervisor)
        try:
            start(supervisor, product, say)
            supervisor.watch()
        finally:
            ignore_signals()
            stop(supervisor, say if supervisor.states else ignore)


def ignore(_: str) -> None:
    """Says nothing: a start that is refused has stopped nothing."""


def stop(supervisor: Supervisor, say: Callable[[str], None]) -> None:
    """Ends every part, and says so."""
    say("stopping ...")
    began = time.monotonic()
    supervisor.stop()
    say(f"stopped in {time.monotonic() - began:.1f} s; your data is kept for the next start")


def start(supervisor: Supervisor, product: Product, say: Callable[[str], None]) -> None:
    """Starts the parts, the database's tables and the services, and prints the address."""
    home, began = product.home, time.monotonic()
    if IS_CHECKOUT:
        jars.refuse_missing(home / "jars", home)  # `make run` has installed them, but perhaps for another home
    else:
        requires.check(home, is_fresh=False)
        fetch_jars(home)
    user_addresses = environment.find_user_addresses()
    outside.check(user_addresses)
    web = open_web_listener(home, product.port)
    addresses = start_parts(supervisor, home, user_addresses, product.has_registry)
    page = f"http://localhost:{web.getsockname()[1]}"
    env = {"STREAMWRIGHT_ADDRESS": page, **make_child_environment(home, addresses)}
    environment.save(home, addresses, product.variables)
    login = prepare(home, env, page, is_empty=product.is_empty)
    server, *others = list_services(home, env, web)
    supervisor.start(server)
    supervisor.wait()  # for Kafka and the server, because users wait for them: the others would take their time
    for service in (*others, *(() if product.is_empty else list_sample_services(home, env))):
        supervisor.start(service)
    show_address(home, login, say)
    say(f"started in {time.monotonic() - began:.1f} s; logs are in {home / 'logs'}; Ctrl-C stops everything")


def fetch_jars(home: Path) -> None:
    """The jars of the broker and of Spark, if no install put them there: an installed package begins without."""
    jars.install(home / "jars", find_ivy())


def find_ivy() -> Path:
    """The Ivy jar of the installed PySpark."""
    return jars.find_ivy(wheel.find_folder("pyspark"))


def start_parts(
    supervisor: Supervisor, home: Path, addresses: dict[str, str], has_registry: bool = False
) -> dict[str, str]:
    """Starts the parts without a given address, and returns all addresses.

    Only Kafka and the registry may still be starting.
    """
    postgres, redis, kafka = Postgres(home), Redis(home), Kafka(home, home / "jars" / "kafka")
    ours: dict[str, Part] = {"DATABASE_URL": postgres, "REDIS_URL": redis, "KAFKA_BOOTSTRAP_SERVERS": kafka}
    urls = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "KAFKA_BOOTSTRAP_SERVERS": kafka.servers}
    if has_registry and "SCHEMA_REGISTRY_URL" not in addresses:
        registry = Apicurio(home, apicurio.install(home / "jars", find_ivy()))
        ours["SCHEMA_REGISTRY_URL"], urls["SCHEMA_REGISTRY_URL"] = registry, registry.url
    own_parts = [part for variable, part in ours.items() if variable not in addresses]
    find_java()  # Spark needs it too: better one sentence now than a failed run later
    for part in own_parts:
        supervisor.start(part)
    for part in own_parts:
        if part in (postgres, redis):
            wait_for(part)
    return urls | addresses


def make_child_environment(home: Path, addresses: dict[str, str]) -> dict[str, str]:
    """The environment of our services."""
    ours = {
        "STREAMWRIGHT_HOME": str(home),
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "PYTHONUNBUFFERED": "1",
    }
    return {**os.environ, **ours, **addresses}


def prepare(home: Path, env: dict[str, str], base: str, *, is_empty: bool) -> str:
    """Brings the database's tables up to date. Returns an address that opens signed in.

    The first start creates a user and, unless `is_empty`, the sample topology: users open the address at once.
    """
    log = home / "logs" / "prepare.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as error_log:
        command = make_manage_command("login_url", "--migrate", *(() if is_empty else ["--sample"]), base)
        process = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=error_log, text=True)
    if process.returncode:
        raise Problem(f"The database could not be prepared; see {log}:\n{read_tail(log)}")
    return process.stdout.strip()


# The product's supervisor keeps the port: two products started within seconds both took port 8000, and connections
# wait while the web server restarts.
def open_web_listener(home: Path, port: int | None) -> socket.socket:
    """Listens on a given port, which must be free, else on the last port, 8000, or the next free one."""
    if port is None:
        return open_listener(home, "web", prefer=WEB_PORT)
    try:
        return listen(port)
    except OSError:
        raise Problem(f"Port {port} cannot be used (PORT={port}): choose a free one, or unset PORT.") from None


def show_address(home: Path, address: str, say: Callable[[str], None]) -> None:
    """Prints the address, and the user with the password."""
    login = home / "login"
    say("")
    say(f"  Streamwright is running. Open {address}")
    if login.exists():
        say("  or sign in as " + ", ".join(login.read_text().splitlines()[:2]) + f" (kept in {login})")
    say("")


class Stopped(Exception):
    """A signal asked to stop during the start."""


def on_signal(supervisor: Supervisor) -> None:
    """Ctrl-C, SIGTERM and a closed terminal end the watch, or an unfinished start."""

    def stop(number: int, frame: FrameType | None) -> None:
        watching = supervisor.stopping.is_set()
        supervisor.stopping.set()
        if not watching:
            raise Stopped

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def ignore_signals() -> None:
    """A second Ctrl-C does not interrupt the stop, which takes 20 s at most."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
