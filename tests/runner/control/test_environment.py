"""The environment of runs, trials and proofs."""

from runner.control.environment import make_environment


def test_a_run_gets_what_an_administrator_says_of_runs_and_no_secret() -> None:
    ours = {
        "STREAMWRIGHT_KERNEL": "off",
        "STREAMWRIGHT_ALLOW_PYTHON": "1",
        "DATABASE_URL": "postgres://ann:secret@db/x",
        "STREAMWRIGHT_METRICS_TOKEN": "secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
    }

    assert set(make_environment(ours)) - {"PYTHONHASHSEED", "PYTHONUNBUFFERED"} == {
        "STREAMWRIGHT_KERNEL",
        "STREAMWRIGHT_ALLOW_PYTHON",
    }
