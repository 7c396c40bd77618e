import type { SparkCluster, SparkConnection, SparkProbe } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import type { Answer } from "./useTest";

/** A Spark cluster in its form. `settings` has one `name=value` a line. */
export interface SparkForm {
  readonly name: string;
  readonly master: string;
  readonly root: string;
  readonly cores: string;
  readonly memory: string;
  readonly python: string;
  readonly settings: string;
  /** Null: unchanged. */
  readonly secret: string | null;
}

/** The result of a probe, in words. */
export function describeAnswer({ hosts, faults }: SparkProbe): Answer {
  if (faults.length > 0) return { isGood: false, text: faults.join(" ") };
  const names = hosts.map((host) => `${host.host} (Python ${host.python})`);
  return { isGood: true, text: `Ran a probe on ${formatAmount(names.length, "host")}: ${names.join(", ")}` };
}

export function makeForm(cluster: SparkCluster | null): SparkForm {
  return {
    name: cluster?.name ?? "",
    master: cluster?.master ?? "",
    root: cluster?.checkpoint_root ?? "",
    cores: String(cluster?.executor_cores ?? 1),
    memory: String(cluster?.executor_memory_mb ?? 1024),
    python: cluster?.python ?? "",
    settings: Object.entries(cluster?.config ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join("\n"),
    secret: cluster === null ? "" : null,
  };
}

export function makeSparkConnection(form: SparkForm): SparkConnection {
  return {
    master: form.master.trim(),
    checkpoint_root: form.root.trim(),
    executor_cores: Number(form.cores),
    executor_memory_mb: Number(form.memory),
    python: form.python.trim(),
    config: parseSettings(form.settings),
    secret: form.secret,
    is_untested: false,
  };
}

function parseSettings(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...rest] = line.split("=");
      return [name.trim(), rest.join("=").trim()];
    }),
  );
}
