"""Files of a Hadoop file system as a `pathlib` path. Checkpoints on HDFS and S3 are read through it.

Spark's own Java classes read and write them, so everything that Spark can reach can be reached here.
"""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath, PurePosixPath
from threading import Lock
from typing import Any, NamedTuple, Protocol

from runner.plan import S3
from runner.spark.failures import FileSystemFailed
from runner.spark.private import get_running_java
from runner.spark.variables import get_s3_store, list_s3_jars

URI = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://")
JAVA_MEMORY = "-Xmx128m"
SETTINGS = {
    # a writer asks whether its file is complete, and asks again only after 400 ms unless told otherwise
    "dfs.client.block.write.locateFollowingBlock.initial.delay.ms": "10",
    "dfs.client.block.write.locateFollowingBlock.retries": "10",
    # variables, profile, web identity, and the role of a container or machine: the default lacks two of them
    "fs.s3a.aws.credentials.provider": "software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider",
    # the default reads ahead in parts of columnar files, which a checkpoint does not have
    "fs.s3a.input.stream.type": "classic",
}
"""Hadoop's settings for which a checkpoint needs other values than the default."""
OF_OWN_JAVA = {
    "ipc.client.connect.max.retries": "2",
    "ipc.client.connect.max.retries.on.timeouts": "2",
    "fs.s3a.attempts.maximum": "2",
    "fs.s3a.retry.limit": "2",
    "fs.s3a.connection.establish.timeout": "15s",
    "fs.s3a.connection.request.timeout": "60s",
}
"""Settings for callers that wait for an answer: they report a silent file system soon."""


_starting = Lock()


class ChecksumWrong(OSError):
    """The checksums of its file system say that a file is not as it was written."""


class Overtaken(OSError):
    """Another writer has written a file on S3 meanwhile."""


KINDS: Mapping[str, type[OSError]] = {
    "FileNotFoundException": FileNotFoundError,
    "NoSuchFileException": FileNotFoundError,
    "ChecksumException": ChecksumWrong,
    "RemoteFileChangedException": Overtaken,
}
"""Java's exceptions that say something about a file. All others say that its file system does not work."""
REASONS: Mapping[str, str] = {
    "FileNotFoundException": "it does not exist",
    "NoSuchFileException": "it does not exist",
    "ConnectException": "its server refuses connections",
    "NoRouteToHostException": "no network leads to its server",
    "UnknownHostException": "the host of its server has no address in DNS",
    "SocketTimeoutException": "its server did not answer in time",
    "ConnectTimeoutException": "its server did not answer in time",
    "EOFException": "its server closed the connection before it answered",
    "SafeModeException": "its name node is in safe mode, in which it takes no writes",
    "AccessControlException": "this host's user may not read or write it",
    "AccessDeniedException": "this host's credentials may not read or write it",
    "NoAuthWithAWSException": "this host has no credentials for S3",
    "UnknownStoreException": "its bucket does not exist",
    "PathIsNotEmptyDirectoryException": "the folder is not empty",
}
"""Why a file cannot be used, by Java's exception. For others, Java's own words say it."""
CLASS_NAMES = re.compile(r"\b(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)\b:? ?")


class Stat(NamedTuple):
    """The values of `os.stat`, as far as Hadoop knows them. `st_mtime` is in seconds since 1970."""

    st_size: int
    st_mtime: float


Settings = Mapping[str, str]
NO_SETTINGS: Settings = {}


class FindSettings(Protocol):
    """Gives Hadoop's settings for the file system of a URI, in addition to those for all file systems."""

    def __call__(self, uri: str, /) -> Settings: ...


_find_settings: FindSettings = lambda uri: NO_SETTINGS  # noqa: E731


def use_settings(find: FindSettings) -> None:
    """Uses `find` for a JVM that this process starts. Spark's has them from its session and `add_settings`."""
    global _find_settings
    _find_settings = find


def add_settings(settings: Settings) -> None:
    """Gives settings to the JVM of this process's Spark, before Spark reaches the file systems that need them."""
    java = get_running_java()
    assert java is not None
    for name, value in settings.items():
        java[1].set(name, value)


def make_settings() -> dict[str, str]:
    """Hadoop's settings for all file systems of this host."""
    if (store := get_s3_store()) is None:
        return SETTINGS
    address, region = store
    # few other stores have a host name for each bucket
    place = {"endpoint": address, "endpoint.region": region, "path.style.access": "true"}
    return SETTINGS | {f"fs.s3a.{name}": value for name, value in place.items()}


class Java(NamedTuple):
    """A JVM as py4j reaches it, and its Hadoop settings. An `own` JVM keeps file systems with further settings."""

    gateway: Any
    configuration: Any
    own: dict[tuple[Any, ...], Any] | None = None

    def configure(self, path: Any) -> Any:
        """Hadoop's settings for a path."""
        further = self._find_extra_settings(path)
        if not further:
            return self.configuration
        configuration = self.gateway.jvm.org.apache.hadoop.conf.Configuration(self.configuration)
        for name, value in further.items():
            configuration.set(name, value)
        return configuration

    def file_system(self, path: Any) -> Any:
        """The file system of a path. Hadoop itself would keep one with its first settings."""
        further = self._find_extra_settings(path)
        if self.own is None or not further:
            return path.getFileSystem(self.configuration)
        where = path.toUri()
        key = where.getScheme(), where.getAuthority(), *sorted(further.items())
        if key not in self.own:
            self.own[key] = self.fs.FileSystem.newInstance(where, self.configure(path))
        return self.own[key]

    def _find_extra_settings(self, path: Any) -> Settings:
        return NO_SETTINGS if self.own is None else _find_settings(path.toString())

    @property
    def fs(self) -> Any:
        """The package of Hadoop's file systems."""
        return self.gateway.jvm.org.apache.hadoop.fs


class HadoopPath(PurePosixPath):
    """A file or folder at a URI, with the part of `pathlib.Path` that checkpoints need. Its errors are OSErrors.

    >>> HadoopPath("hdfs://namenode:9000/jobs") / "offsets"
    HadoopPath('hdfs:/namenode:9000/jobs/offsets')
    """

    __slots__ = ()

    @property
    def uri(self) -> str:
        """The address. PurePosixPath makes one of its two slashes."""
        return str(self).replace(":/", "://", 1)

    @property
    def is_on_s3(self) -> bool:
        """True if it is in a bucket: writes there are atomic, but renames are not."""
        return is_on_s3(self.uri)

    def exists(self) -> bool:
        return bool(self._call("exists"))

    def stat(self) -> Stat:
        """Raises FileNotFoundError."""
        status = self._call("getFileStatus")
        return Stat(status.getLen(), status.getModificationTime() / 1_000)

    def iterdir(self) -> Iterator[HadoopPath]:
        """Raises FileNotFoundError."""
        return (self / status.getPath().getName() for status in self._call("listStatus"))

    def glob(self, pattern: str) -> Iterator[HadoopPath]:
        """Files and folders below it. A pattern of several parts names those of several levels."""
        first, _, rest = pattern.partition("/")
        if not self.exists():
            return
        for path in self.iterdir():
            if path.match(first):
                yield from path.glob(rest) if rest and path.is_dir() else () if rest else (path,)

    def is_dir(self) -> bool:
        try:
            return bool(self._call("getFileStatus").isDirectory())
        except FileNotFoundError:
            return False

    def read_bytes(self) -> bytes:
        """Raises FileNotFoundError."""
        while True:
            try:
                return self._read()
            except Overtaken:  # S3 gives no part of a file that was replaced after it was opened
                continue

    def _read(self) -> bytes:
        stream = self._call("open")
        try:
            content: bytes = self._make_name(stream.readAllBytes)
            return content
        finally:
            stream.close()

    def open(self, mode: str = "rb") -> io.BytesIO:
        """Opens the file for reading."""
        assert mode == "rb"
        return io.BytesIO(self.read_bytes())

    def write_bytes(self, content: bytes) -> None:
        """Replaces the content. The change is atomic only on S3."""
        stream = self._call("create", True)
        try:
            self._make_name(stream.write, content)
        finally:
            self._make_name(stream.close)

    def create_on_s3(self, content: bytes) -> None:
        """Writes a new file. S3 itself refuses the write if the file exists. Raises Overtaken."""
        java = _get_java()
        path = java.fs.Path(self.uri)
        builder = self._make_name(java.file_system, path).createFile(path).recursive().overwrite(False)
        stream = self._make_name(builder.must("fs.option.create.conditional.overwrite", True).build)
        self._make_name(stream.write, content)
        self._make_name(stream.close)

    def mkdir(self, *, parents: bool = True, exist_ok: bool = False) -> None:
        """Makes the folder, always with all folders above it."""
        if not exist_ok and self.exists():
            raise FileExistsError(f"`{self.uri}` exists already.")
        self._call("mkdirs")

    def unlink(self, *, missing_ok: bool = False) -> None:
        if not self._call("delete", False) and not missing_ok:
            raise FileNotFoundError(f"`{self.uri}` does not exist.")

    def rmdir(self) -> None:
        """Removes an empty folder. Raises OSError."""
        self._call("delete", False)

    def replace(self, target: PurePath) -> None:
        """Gives it the name of another file. The change is atomic, except on S3."""
        java = _get_java()
        kind = java.fs.Options.Rename
        kinds = java.gateway.new_array(kind, 1)
        kinds[0] = kind.OVERWRITE
        source, goal = java.fs.Path(self.uri), java.fs.Path(HadoopPath(target).uri)
        files = _call_java(java.fs.FileContext.getFileContext, source.toUri(), java.configure(source))
        _call_java(files.rename, source, goal, kinds)

    def remove_tree(self) -> None:
        """Removes it with all its content. Does nothing if it does not exist."""
        self._call("delete", True)

    def _call(self, method: str, *arguments: Any) -> Any:
        """Calls a method of the path's file system with the path."""
        java = _get_java()
        path = java.fs.Path(self.uri)
        files = self._make_name(java.file_system, path)
        return self._make_name(getattr(files, method), path, *arguments)

    def _make_name(self, call: Any, *arguments: Any) -> Any:
        """Returns the result of a call, and names the path in its failure."""
        return _call_java(call, *arguments, what=f"`{self.uri}` cannot be used")


File = Path | HadoopPath


def get_file(address: str) -> File:
    """A path of this host, or a URI of a Hadoop file system. `file:///…` is a path.

    >>> get_file("/data/jobs")
    PosixPath('/data/jobs')
    """
    match = URI.match(address)
    if match is None:
        return Path(address)
    return Path(address.removeprefix("file://")) if match["scheme"] == "file" else HadoopPath(address)


def is_on_s3(address: str) -> bool:
    """True if the address is that of a file or folder on S3.

    >>> is_on_s3("s3a://jobs/epoch-1"), is_on_s3("hdfs://namenode:9000/jobs")
    (True, False)
    """
    return address.startswith(S3)


def remove_tree(folder: File) -> None:
    """Removes a folder with all its content. Does nothing if it does not exist. Raises OSError."""
    if isinstance(folder, Path):
        if folder.exists():
            shutil.rmtree(folder)
    else:
        folder.remove_tree()


def copy(source: File, target: File) -> None:
    """Copies a file, or a folder with all its content, between any two file systems. Raises OSError."""
    java = _get_java()
    paths = [java.fs.Path(make_uri(each)) for each in (source, target)]
    systems = [_call_java(java.file_system, path) for path in paths]
    files = systems[0], paths[0], systems[1], paths[1]
    what = f"`{source}` cannot be copied"
    _call_java(java.fs.FileUtil.copy, *files, False, True, java.configuration, what=what)


def measure_size(folder: File) -> int:
    """The bytes of all files below a folder, each counted once, without checksums. Raises FileNotFoundError."""
    java = _get_java()
    path = java.fs.Path(make_uri(folder))
    files = _call_java(java.file_system, path)
    return int(_call_java(files.getContentSummary, path).getLength())


def make_uri(file: File) -> str:
    """The address of a file in Hadoop's form."""
    return file.uri if isinstance(file, HadoopPath) else file.absolute().as_uri()


def _call_java(call: Any, *arguments: Any, what: str = "Its file system cannot be used") -> Any:
    """Returns the result of a call. Java's failures become OSErrors, whose sentence begins with `what`."""
    from py4j.protocol import Py4JJavaError, Py4JNetworkError

    try:
        return call(*arguments)
    except Py4JNetworkError as error:
        _start_own_java.cache_clear()  # the next call starts another
        raise FileSystemFailed(f"{what}: the Java process that reads checkpoints has ended.") from error
    except Py4JJavaError as error:
        name, message = error.java_exception.getClass().getSimpleName(), error.java_exception.getMessage()
        raise KINDS.get(name, FileSystemFailed)(f"{what}: {_find_reason(name, message or '')}.") from error


def _find_reason(name: str, message: str) -> str:
    """Why a file cannot be used, after Java's exception and its message, without the names of classes."""
    if name in REASONS:
        return REASONS[name]
    words = (message or "Java gives no reason").splitlines()[0].partition("; For more details see")[0]
    return CLASS_NAMES.sub("", words).strip().rstrip(".:")


def _get_java() -> Java:
    """The JVM of this process's Spark with its settings, or its own JVM, which is started again if it has ended."""
    java = _call_java(get_running_java)
    if java is not None:
        return Java(*java)
    with _starting:
        own = _start_own_java()
        if own.gateway.java_process.poll() is not None:  # before `java.fs`, whose parts are calls, too
            _start_own_java.cache_clear()
            own = _start_own_java()
        return own


@cache
def _start_own_java() -> Java:
    """Starts a small JVM with PySpark's jars and those for S3, for processes without Spark.

    It ends with the process.
    """
    import pyspark  # takes half a second, and few processes need it
    from py4j.java_gateway import JavaGateway

    jars = Path(pyspark.__file__).parent / "jars"
    gateway = JavaGateway.launch_gateway(
        jarpath=str(next(jars.glob("py4j-*.jar"))),
        classpath=os.pathsep.join(map(str, [jars / "*", *list_s3_jars()])),
        java_path=None,  # Java of JAVA_HOME, if there is one
        javaopts=[JAVA_MEMORY],
        die_on_exit=True,
        enable_auth=True,
    )
    configuration = gateway.jvm.org.apache.hadoop.conf.Configuration()
    for name, value in (make_settings() | OF_OWN_JAVA).items():
        configuration.set(name, value)
    return Java(gateway, configuration, {})
