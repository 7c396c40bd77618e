import { useDeployment } from "./useDeployment";
import { useInterface } from "./useEditor";

/** The cluster of the shown topics: the job's while the canvas shows what runs or ran. */
export function useCluster(): string {
  const { job, cluster } = useDeployment();
  const view = useInterface((editor) => editor.view);
  return (view === "running" || view === "past") && job !== null ? job.cluster : cluster;
}
