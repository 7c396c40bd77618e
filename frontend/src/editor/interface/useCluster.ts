import { useDeployment } from "./useDeployment";
import { useInterface } from "./useEditor";

/** The cluster whose topics are meant by what is shown: the job's while the canvas shows what runs. */
export function useCluster(): string {
  const { job, cluster } = useDeployment();
  const view = useInterface((editor) => editor.view);
  return view === "running" && job !== null ? job.cluster : cluster;
}
