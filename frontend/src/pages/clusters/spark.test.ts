import { describe, expect, it } from "vitest";
import type { SparkCluster } from "../../api/types";
import { describeAnswer, makeForm, makeSparkConnection } from "./spark";

const KEPT: SparkCluster = {
  name: "blue",
  master: "spark://blue:7077",
  checkpoint_root: "hdfs://names:9000/jobs",
  executor_cores: 2,
  executor_memory_mb: 2048,
  python: "",
  config: { "spark.network.timeout": "60s" },
  has_secret: true,
  jobs: [],
  is_default: false,
};

describe("a Spark cluster's form", () => {
  it("wants what is kept, and leaves the secret alone", () => {
    expect(makeSparkConnection(makeForm(KEPT))).toEqual({
      master: "spark://blue:7077",
      checkpoint_root: "hdfs://names:9000/jobs",
      executor_cores: 2,
      executor_memory_mb: 2048,
      python: "",
      config: { "spark.network.timeout": "60s" },
      secret: null,
      is_untested: false,
    });
  });

  it("reads one setting a line, whose value may hold an equals sign", () => {
    const { config } = makeSparkConnection({ ...makeForm(null), settings: "spark.hadoop.fs.a = b=c\n\n" });
    expect(config).toEqual({ "spark.hadoop.fs.a": "b=c" });
  });
});

describe("what a probe found", () => {
  const hosts = [{ host: "10.1.1.2", python: "3.11.7" }];

  it("names the hosts", () => {
    expect(describeAnswer({ hosts, faults: [] })).toEqual({
      isGood: true,
      text: "Ran a probe on 1 host: 10.1.1.2 (Python 3.11.7)",
    });
  });

  it("tells all faults", () => {
    const answer = describeAnswer({ hosts, faults: ["The hosts share no folder.", "No broker answers."] });
    expect(answer).toEqual({ isGood: false, text: "The hosts share no folder. No broker answers." });
  });
});
