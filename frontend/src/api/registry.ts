import type { Cluster } from "./types";

/** Whether to ask the registry of a cluster. One without a registry refuses, which the console would show. */
export function mayHaveRegistry(clusters: readonly Pick<Cluster, "name" | "registry">[], cluster: string): boolean {
  return clusters.find(({ name }) => name === cluster)?.registry !== null;
}
