import { createContext, useContext } from "react";
import type { Job, Topology } from "../../api/types";

/** The topology on the screen, and the job that runs it, if it was ever deployed. */
export interface Deployment {
  readonly topology: Topology;
  readonly job: Job | null;
  /** The cluster it is drawn with: its draft looks at the topics of this one, and a deploy goes there. */
  readonly cluster: string;
  /** Ask the server again: something was renamed, deployed, deleted. */
  readonly reload: () => Promise<void>;
}

export const DeploymentContext = createContext<Deployment | null>(null);

export function useDeployment(): Deployment {
  const deployment = useContext(DeploymentContext);
  if (deployment === null) throw new Error("This component is outside the editor.");
  return deployment;
}
