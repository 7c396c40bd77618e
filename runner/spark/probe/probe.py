"""Question and answer of a test of a Spark cluster. `probing.py` executes it in its own process."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from runner.plan import Executors


class Probe(BaseModel):
    """The settings of a test with so many slots. `product` becomes the owner of the folder.

    `kafka`: settings of the Kafka clusters that executors must reach, by name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    executors: Executors
    slots: int
    checkpoint_root: str
    product: str
    kafka: dict[str, dict[str, str]]


class HostSeen(BaseModel):
    """A host with executors. `kafka` names each Kafka cluster that it does not reach, with the reason."""

    host: str
    python: str
    kafka: dict[str, str]


class Seen(BaseModel):
    """Results of the job. `problem` says why it did not end, `checkpoint` what is wrong with the checkpoint folder."""

    hosts: list[HostSeen] = []
    checkpoint: str = ""
    problem: str = ""

    def find_faults(self) -> list[str]:
        """All faults, in words."""
        return [*filter(None, (self.problem, self.checkpoint)), *self._find_unreached()]

    def _find_unreached(self) -> list[str]:
        hosts: dict[tuple[str, str], list[str]] = {}
        for each in self.hosts:
            for why in each.kafka.items():
                hosts.setdefault(why, []).append(each.host)
        return [
            f"From {_name_hosts(of)}, Kafka cluster `{name}` cannot be used: {why}"
            for (name, why), of in sorted(hosts.items())
        ]


def _name_hosts(hosts: list[str]) -> str:
    return f"{'host' if len(hosts) == 1 else 'hosts'} {', '.join(f'`{host}`' for host in hosts)}"
