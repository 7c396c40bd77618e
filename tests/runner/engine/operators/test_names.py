"""Only an operator's own file names it: elsewhere code asks the catalogue, so that a new operator costs one file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.topology.catalogue import FirstStep, get_catalogue

ROOT = Path(__file__).parents[4]
OPERATORS = ROOT / "runner/engine/operators"
FOLDERS = ("designer", "runner", "webapp", "frontend/src")

EXPRESSION, TYPE, EDGE_LOOK, MEMBER = (
    "a part of the expression language",
    "a type of values or of Avro",
    "how an edge or a source looks, named after its stream or table",
    "a member of an answer or a name in the user's Python",
)
USER_WORD = "a word in names that users chose"
PURPOSE = "a purpose of an application in the gallery"
EXCEPTIONS = {
    "designer/avro/parsing.py": ({"map"}, TYPE),
    "designer/avro/tree.py": ({"map"}, TYPE),
    "designer/topology/catalogue.py": (
        {"aggregate", "count", "join", "table"},
        "families and first steps",
    ),
    "designer/expressions/calls.py": ({"count"}, EXPRESSION),
    "designer/expressions/dynamic.py": ({"map"}, EXPRESSION),
    "designer/expressions/forms.py": ({"map"}, EXPRESSION),
    "designer/expressions/java/emit.py": ({"map"}, EXPRESSION),
    "designer/expressions/java/functions.py": ({"map", "map_values", "split"}, EXPRESSION),
    "designer/expressions/java/source.py": ({"to"}, "a word that Java keeps for itself"),
    "designer/expressions/parse.py": ({"to"}, EXPRESSION),
    "designer/values/schemas.py": ({"map"}, TYPE),
    "designer/topology/user_code.py": ({"process"}, MEMBER),
    "frontend/src/api/schema.d.ts": ({"aggregate", "count", "join", "map", "table"}, "generated from the catalogue"),
    "frontend/src/api/values.ts": ({"count", "join"}, PURPOSE),
    "frontend/src/canvas/edges/Edge.tsx": ({"stream", "table"}, EDGE_LOOK),
    "frontend/src/canvas/edges/FarEdges.tsx": ({"stream", "table"}, EDGE_LOOK),
    "frontend/src/canvas/edges/drawFarPaths.ts": ({"stream"}, EDGE_LOOK),
    "frontend/src/canvas/flow/flow.ts": ({"stream"}, EDGE_LOOK),
    "frontend/src/canvas/drawPicture.ts": ({"stream", "table"}, EDGE_LOOK),
    "frontend/src/pages/job/LiveGraph.tsx": ({"stream", "table"}, EDGE_LOOK),
    "frontend/src/editor/graph/edges.ts": ({"stream", "table"}, EDGE_LOOK),
    "frontend/src/inspector/type/MemberRows.tsx": ({"map"}, TYPE),
    "frontend/src/inspector/type/types.ts": ({"map"}, TYPE),
    "frontend/src/canvas/start/proposals.ts": ({"count"}, "the first step of that name, which its operator declares"),
    "runner/control/jobs/hosts.py": ({"count"}, MEMBER),
    "runner/demo/gallery/__init__.py": ({"count", "join"}, PURPOSE),
    "runner/engine/counts/drops.py": ({"count"}, MEMBER),
    "runner/engine/driver.py": ({"count"}, MEMBER),
    "runner/engine/formats/types.py": ({"map"}, TYPE),
    "runner/engine/planning/lay_out.py": ({"stream", "table"}, EDGE_LOOK),
    "runner/engine/planning/layout.py": ({"stream", "table"}, EDGE_LOOK),
    "runner/engine/planning/tables.py": ({"aggregate"}, "how a node gives a table"),
    "runner/engine/trial.py": ({"count"}, MEMBER),
    "runner/programs/descriptions/naming.py": ({"aggregate", "count", "join", "reduce"}, USER_WORD),
    "runner/spark/program.py": ({"stream"}, EDGE_LOOK),
    "runner/watch/letters/carrying.py": ({"to"}, MEMBER),
    "runner/watch/letters/redriver.py": ({"to"}, MEMBER),
    "runner/watch/live/numbers.py": ({"count"}, MEMBER),
    "runner/watch/trials/__main__.py": ({"count", "stream", "table"}, EDGE_LOOK),
}
"""File -> the strings in it that are spelled like an operator and mean something else. Delete what is gone."""


def test_no_code_outside_an_operators_file_names_one() -> None:
    string = re.compile(f"""(["'])({"|".join(get_catalogue())})\\1""")

    found = {
        str(file.relative_to(ROOT)): words
        for file in _files()
        if (words := {match[2] for line in _code(file) for match in string.finditer(line)})
    }

    assert found == {file: words for file, (words, _) in EXCEPTIONS.items()}


def test_every_first_step_is_declared_by_one_operator() -> None:
    declared = [operator.first_step for operator in get_catalogue().values() if operator.first_step is not None]

    assert sorted(declared) == sorted(get_args(FirstStep))


def test_no_two_operators_claim_the_same_step_of_a_description() -> None:
    steps = [step for operator in get_catalogue().values() for step in operator.step_prefixes]

    assert len(set(steps)) == len(steps)


def _files() -> list[Path]:
    every = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*"))
    return [
        file
        for file in every
        if file.suffix in (".py", ".ts", ".tsx")
        and not file.is_relative_to(OPERATORS)
        and ".test." not in file.name
        and file != ROOT / "designer/reasons.py"  # words for what became of a record: one may be that of an operator
        and file != ROOT / "frontend/src/editor/samples.ts"  # only tests of the page use it
    ]


def _code(file: Path) -> list[str]:
    """The lines that are no comment; those of docstrings quote in backticks."""
    return [line for line in file.read_text().splitlines() if not line.lstrip().startswith(("#", "//", "*", "/*"))]
