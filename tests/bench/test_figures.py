"""The table of benchmarks: it shows what docs/benchmarks.json holds."""

from tests.bench.figures import BEGIN, END, REPORT, Figure, read, table


def figure(what: str, value: str, date: str) -> Figure:
    return Figure(what=what, figure=value, aim="", how="by hand", date=date, commit="abc", machine="2 cores")


def test_the_newest_figure_is_shown_with_its_change() -> None:
    drawn = table(
        [figure("stop", "4 s", "2026-11-01"), figure("mutants", "9", "2026-11-01"), figure("stop", "3 s", "2026-11-02")]
    )

    assert [line for line in drawn.splitlines() if line.startswith(("###", "| stop", "| mutants"))] == [
        "### Start, stop and recovery",
        "| stop | 3 s |  | 2026-11-02 | -25 % |",
        "### Tests",
        "| mutants | 9 |  | 2026-11-01 |  |",
    ]


def test_each_side_has_a_column_in_the_row_of_its_workload() -> None:
    drawn = table(
        [
            figure("W1, Streamwright", "200 records/s", "2026-11-01"),
            figure("W1, Flink SQL", "90 records/s", "2026-11-01"),
            figure("W1, Streamwright", "300 records/s", "2026-11-02"),
            figure("W1, Streamwright at_least_once", "310 records/s", "2026-11-02"),
            figure("stream join, Streamwright", "80 records/s", "2026-11-02"),
        ]
    )

    assert drawn.splitlines()[3:] == [
        "| workload | Streamwright | Streamwright at_least_once | Flink SQL | date |",
        "| --- | --- | --- | --- | --- |",
        "| W1 | 300 (+50 %) | 310 | 90 | 2026-11-02 |",
        "| stream join | 80 |  |  | 2026-11-02 |",
    ]


def test_every_figure_is_on_the_page() -> None:
    drawn = table(read())

    assert [
        each["figure"]
        for each in {one["what"]: one for one in read()}.values()
        if each["figure"].removesuffix(" records/s") not in drawn
    ] == []


def test_the_page_shows_what_the_file_holds() -> None:
    page = REPORT.read_text()

    assert page.split(BEGIN)[1].split(END)[0] == table(read())
