import { createContext, useContext } from "react";
import type { Job, Topology } from "../../api/types";

/** The topology on the screen, and its job if it was ever deployed. */
export interface Deployment {
  readonly topology: Topology;
  readonly job: Job | null;
  /** The cluster of the draft's topics, and the target of a deploy. */
  readonly cluster: string;
  /** Asks the server again after a rename, deploy or deletion. */
  readonly reload: () => Promise<void>;
}

export const DeploymentContext = createContext<Deployment | null>(null);

export function useDeployment(): Deployment {
  const deployment = useContext(DeploymentContext);
  if (deployment === null) throw new Error("This component is outside the editor.");
  return deployment;
}
