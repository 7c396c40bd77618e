import { useDeployment } from "./useDeployment";
import { useInterface } from "./useEditor";

/** The cluster of the shown topics: the job's while the canvas shows the running version. */
export function useCluster(): string {
  const { job, cluster } = useDeployment();
  const view = useInterface((editor) => editor.view);
  return view === "running" && job !== null ? job.cluster : cluster;
}
