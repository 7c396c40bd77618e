"""The table of benchmarks: it shows what docs/benchmarks.json holds."""

from tests.bench.figures import BEGIN, END, REPORT, Figure, read, table


def figure(what: str, value: str, date: str) -> Figure:
    return Figure(what=what, figure=value, aim="", how="by hand", date=date, commit="abc", machine="2 cores")


def test_the_newest_figure_comes_first_and_earlier_ones_beside_it() -> None:
    drawn = table(
        [figure("stop", "4 s", "2026-11-01"), figure("start", "9 s", "2026-11-01"), figure("stop", "3 s", "2026-11-02")]
    )

    assert drawn.splitlines()[2:] == [
        "| stop | 3 s |  | by hand | 2026-11-02, `abc` | 4 s (11-01) |",
        "| start | 9 s |  | by hand | 2026-11-01, `abc` |  |",
    ]


def test_the_page_shows_what_the_file_holds() -> None:
    page = REPORT.read_text()

    assert page.split(BEGIN)[1].split(END)[0] == table(read())
