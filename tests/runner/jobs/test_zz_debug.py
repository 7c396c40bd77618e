import os, signal, time
from .conftest import *
from .test_runs import running
def test_debug(stage, agent, reconcile):
    run = running(stage, reconcile)
    t=time.monotonic()
    agent.process.send_signal(signal.SIGTERM)
    while agent.process.poll() is None and time.monotonic()-t < 5: time.sleep(0.05)
    run.refresh_from_db()
    print("after", time.monotonic()-t, agent.process.poll(), run.status, run.drive().alive())
    if run.drive().alive(): os.kill(run.pid, signal.SIGABRT)
    time.sleep(1)
    print((settings.HOME/"logs"/f"run-{run.id}.log").read_text())
    assert 0
