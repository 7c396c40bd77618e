"""Fetches jars by coordinates with the Ivy inside PySpark, and trusts only their sha256."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import wheel
from .java import find_java
from .problem import Problem
from .steps import say

LIST = Path(__file__).with_name("jars.txt")
AT_ONCE = 4
"""Number of Ivy processes. Each fetches one jar after the other and mostly waits."""

SETTINGS = """\
<ivysettings>
  <settings defaultResolver="central"/>
  <resolvers><ibiblio name="central" m2compatible="true"/></resolvers>
</ivysettings>
"""


@dataclass(frozen=True)
class Jar:
    """A jar with its coordinates, its folder and its required sha256."""

    folder: str
    group: str
    artifact: str
    version: str
    sha256: str
    classifier: str = ""
    extension: str = "jar"

    @property
    def file(self) -> str:
        """Its usual file name."""
        return "-".join(filter(None, (self.artifact, self.version, self.classifier))) + f".{self.extension}"

    def is_intact(self, folder: Path) -> bool:
        """Whether `folder` holds it with the right content."""
        path = folder / self.folder / self.file
        return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == self.sha256


def list_jars() -> list[Jar]:
    """The jars of jars.txt."""
    lines = [line.split() for line in LIST.read_text().splitlines() if not line.startswith("#")]
    return [parse_jar(*line) for line in lines]


def parse_jar(folder: str, coordinates: str, sha256: str) -> Jar:
    """One line of jars.txt."""
    group, artifact, version = coordinates.split(":")
    return Jar(folder, group, artifact, version, sha256)


def install(folder: Path, ivy_jar: Path) -> None:
    """Puts every listed jar into `folder`, and fetches only missing ones. Removes other jars."""
    jars = list_jars()
    if missing := [jar for jar in jars if not jar.is_intact(folder)]:
        fetch(missing, folder, ivy_jar)
    paths = {folder / jar.folder / jar.file for jar in jars}
    for path in folder.glob("*/*.jar"):
        if path not in paths:
            path.unlink()


def refuse_missing(folder: Path, home: Path) -> None:
    """Raises a Problem if any listed jar is missing in `folder`, without a look at the contents: a start is quick."""
    missing = [jar.file for jar in list_jars() if not (folder / jar.folder / jar.file).exists()]
    if missing:
        raise Problem(
            f"{folder} lacks {len(missing)} of the jars with which Kafka and Spark run, {missing[0]} among them: "
            f"install them with `STREAMWRIGHT_HOME={home} make install`, and start again."
        )


def find_ivy(pyspark: Path) -> Path:
    """The Ivy jar inside PySpark."""
    return next((pyspark / "jars").glob("ivy-*.jar"))


def fetch(jars: Collection[Jar], folder: Path, ivy_jar: Path) -> None:
    """Downloads jars beside `folder`, checks them, and moves each into place."""
    work = folder.with_name("ivy")
    for name in {jar.folder for jar in jars}:
        (folder / name).mkdir(parents=True, exist_ok=True)
    jar_list = list(jars)
    parts = {work / str(number): part for number in range(AT_ONCE) if (part := jar_list[number::AT_ONCE])}
    with ThreadPoolExecutor() as pool:
        for fetching in [pool.submit(run_ivy, part, place, ivy_jar) for place, part in parts.items()]:
            fetching.result()
    for place, part in parts.items():
        for jar in part:
            take_jar(jar, place / "jars", folder)
    say(f"jars: {len(jars)} fetched")
    shutil.rmtree(work)


def run_ivy(jars: Collection[Jar], work: Path, ivy_jar: Path) -> None:
    """Lets Ivy download exactly these jars (no dependencies) into `work`/jars."""
    (work / "home").mkdir(parents=True, exist_ok=True)
    (work / "settings.xml").write_text(SETTINGS)
    (work / "ivy.xml").write_text(make_ivy_module(jars))
    # An empty home: otherwise a half-filled local Maven repository would answer first, and wrongly.
    command = [find_java(), f"-Duser.home={work / 'home'}", "-jar", ivy_jar, "-settings", work / "settings.xml"]
    command += ["-cache", work / "cache", "-ivy", work / "ivy.xml", "-confs", "default"]
    command += ["-retrieve", work / "jars" / "[artifact]-[revision](-[classifier]).[ext]"]
    log = work / "ivy.log"
    with log.open("w") as to:
        process = subprocess.run([str(word) for word in command], stdout=to, stderr=subprocess.STDOUT)
    if process.returncode:
        raise Problem(f"Fetching jars failed; see {log}, check the network and run the same command again.")


def make_ivy_module(jars: Collection[Jar]) -> str:
    """The jars as an Ivy module that depends only on each of them."""
    lines = (
        f'<dependency org="{jar.group}" name="{jar.artifact}" rev="{jar.version}" transitive="false" '
        f'conf="default->master">{_make_artifact(jar)}</dependency>'
        for jar in jars
    )
    head = '<ivy-module version="2.0" xmlns:m="http://ant.apache.org/ivy/maven">'
    head += '<info organisation="streamwright" module="jars"/>'
    configurations = '<configurations><conf name="default"/></configurations>'
    return f"{head}{configurations}<dependencies>{''.join(lines)}</dependencies></ivy-module>"


def _make_artifact(jar: Jar) -> str:
    """The file of a dependency that is not its plain jar."""
    if not jar.classifier and jar.extension == "jar":
        return ""
    classifier = f' m:classifier="{jar.classifier}"' if jar.classifier else ""
    return f'<artifact name="{jar.artifact}" type="{jar.extension}" ext="{jar.extension}"{classifier}/>'


def take_jar(jar: Jar, source: Path, folder: Path) -> None:
    """Moves a fetched jar into place if it matches the list."""
    path = source / jar.file
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "nothing"
    if digest != jar.sha256:
        raise Problem(f"{jar.file} was fetched with sha256 {digest}, expected {jar.sha256}: remove {source} and retry.")
    path.replace(folder / jar.folder / jar.file)


if __name__ == "__main__":  # `python -m local.jars FOLDER`, for an image: into FOLDER/jars
    install(Path(sys.argv[1]) / "jars", find_ivy(wheel.find_folder("pyspark")))
