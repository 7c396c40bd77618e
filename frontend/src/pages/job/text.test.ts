import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../api/types";
import { JOB_STATUS, LIVE, NUMBERS, SOURCE } from "../../live/samples";
import { findProblem } from "../../live/problem";
import { describeActivity } from "./runs/activity";
import { findVersionNumber, measureDuration, measureWait } from "./runs/runs";
import { listSettings } from "../deploy/settings";
import { makeJobStatusKey } from "./jobStatus";
import { describeRestart } from "./text";

const versions = [{ id: 103, number: 3, note: "", created_at: "2026-01-01T00:00:00Z", created_by: "ada" }];
const cause = { code: "run.failed", message: "It broke.", hint: "Fix it." } as const;

describe("activity", () => {
  it("says what somebody did", () => {
    const event = (what: JobEvent["what"], before = {}, after = {}) =>
      describeActivity({ what, before, after }, versions);

    expect(event("deploy", {}, { version: 103, on_state: "keep" })).toBe("deployed version 3");
    expect(event("deploy", { spark: "" }, { version: 103, spark: "blue" })).toBe(
      "deployed version 3 on Spark cluster blue",
    );
    expect(event("deploy", { spark: "blue" }, { version: 103, spark: "" })).toBe(
      "deployed version 3 on a host of Streamwright",
    );
    expect(event("deploy", { spark: "blue" }, { version: 103, spark: "blue" })).toBe("deployed version 3");
    expect(event("kill", {}, {})).toBe("killed its run");
    expect(event("deploy", {}, { version: 103, on_state: "fresh_from_now" })).toBe(
      "deployed version 3, fresh from now",
    );
    expect(event("deploy", {}, { version: 103, on_state: "fresh_from_earliest" })).toBe(
      "deployed version 3, fresh from where its sources start",
    );
    expect(event("restart", { desired: "stopped" })).toBe("started it");
    expect(event("restart", { desired: "running" })).toBe("restarted it");
    expect(event("stop")).toBe("stopped it");
  });
});

describe("a run", () => {
  it("lasted from its start to its end, or to now", () => {
    const run = { started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:00:05Z" };
    const start = Date.parse(run.started_at);

    expect(measureDuration(run, start + 60_000)).toBe(5_000);
    expect(measureDuration({ ...run, ended_at: null }, start + 60_000)).toBe(60_000);
    expect(measureDuration({ started_at: null, ended_at: null }, start)).toBeNull();
  });

  it("names its version by the number people know", () => {
    expect(findVersionNumber(103, versions)).toBe("3");
    expect(findVersionNumber(99, versions)).toBe("?99");
  });

  it("waits after a failure, and says for how long", () => {
    const start_after = "2026-01-01T00:00:10Z";
    const now = Date.parse(start_after) - 7_400;

    expect(measureWait({ ...JOB_STATUS, status: "starting", start_after }, now)).toBe(8_000);
    expect(measureWait({ ...JOB_STATUS, status: "starting", start_after }, now + 10_000)).toBeNull();
    expect(measureWait({ ...JOB_STATUS, start_after }, now)).toBeNull();
  });
});

describe("settings", () => {
  it("are written in words with their units", () => {
    const settings = { guarantee: "exactly_once" as const, tasks: 0, batch_interval_ms: 200, memory_mb: 1_024 };
    const others = { memory_limit_mb: 0, cache: true, dead_letter_topic: "" };

    const say = (title: string, format = "", otherwise: object = {}) => {
      return { title, format, description: "", ...otherwise };
    };
    const properties = {
      guarantee: say("Guarantee"),
      tasks: say("Tasks", "", { default: 0, default_means: "automatic" }),
      batch_interval_ms: say("Batch interval", "milliseconds"),
      memory_mb: say("Memory", "mebibytes"),
      memory_limit_mb: say("Memory limit", "mebibytes", { default: 0, default_means: "no limit" }),
      cache: say("Cache"),
      dead_letter_topic: say("Dead letter topic", "", { default: "", default_means: "default" }),
    };

    const lines = listSettings({ ...settings, ...others }, { properties });

    expect(lines.map(({ title, value }) => [title, value])).toEqual([
      ["Guarantee", "exactly once"],
      ["Tasks", "automatic"],
      ["Batch interval", "200 ms"],
      ["Memory", "1.0 GiB"],
      ["Memory limit", "no limit"],
      ["Cache", "on"],
      ["Dead letter topic", "default"],
    ]);
  });

  it("stand in the order of their schema, with its help, and tell what was chosen", () => {
    const properties = {
      tasks: { title: "Tasks", description: "Tasks of each sub-topology.", default: 0 },
      cache: { title: "Cache", default: true },
    };

    const lines = listSettings({ cache: true, tasks: 8 }, { properties });

    expect(lines.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ["tasks", false],
      ["cache", true],
    ]);
    expect(lines[0]?.help).toBe("Tasks of each sub-topology.");
  });
});

describe("what must be known of a job", () => {
  it("is its problem before its run's failure", () => {
    const problem = { ...cause, message: "The topic is gone." };

    expect(findProblem({ ...JOB_STATUS, problem, failure: cause })).toBe(problem);
    expect(findProblem({ ...JOB_STATUS, status: "failed", failure: cause })).toBe(cause);
  });

  it("is nothing while it runs, or was stopped after a failure", () => {
    expect(findProblem({ ...JOB_STATUS, failure: cause })).toBeNull();
    expect(findProblem({ ...JOB_STATUS, status: "stopped", desired: "stopped", failure: cause })).toBeNull();
  });

  it("is fetched again when its status changes", () => {
    expect(makeJobStatusKey(null)).toBe("");
    expect(makeJobStatusKey({ ...JOB_STATUS, status: "stopping" })).not.toBe(makeJobStatusKey(JOB_STATUS));
  });
});

describe("a restart", () => {
  it("goes on with the state of the last run", () => {
    const words = "Version 3 starts in a new process and continues with the state and offsets of the last run.";

    expect(describeRestart(3, LIVE)).toBe(words);
    expect(describeRestart(3, null)).toBe(words);
  });

  it.each(["gone", "recreated"] as const)("is not promised while a topic of the job is %s", (changed) => {
    const state = { ...LIVE, numbers: { ...NUMBERS, sources: { orders: { ...SOURCE, changed } } } };

    expect(describeRestart(3, state)).toContain("The next run will fail: topic `orders` was deleted");
    expect(describeRestart(3, state)).toContain("then deploy the job instead");
  });

  it.each(["topic.missing", "topic.recreated"] as const)("is not promised after a run that ended with %s", (code) => {
    const failure = { code, message: "Topic orders was deleted.", hint: "Create the topic, or name another one." };
    const state = { ...LIVE, jobStatus: { ...JOB_STATUS, status: "failed" as const, failure } };

    expect(describeRestart(3, state)).toBe(
      "The last run failed. Topic orders was deleted. Create the topic again if it does not exist, then deploy the " +
        "job instead: the dialog offers to keep its state and continue with the new topic.",
    );
  });
});
