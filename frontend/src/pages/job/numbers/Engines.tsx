import { useCallback } from "react";
import { fetchEngines } from "../../../api/calls";
import { useResource } from "../../../api/useResource";
import { Prose } from "../../../ui/messages/Prose";
import { describeEngine } from "./describeEngine";

interface Props {
  readonly job: number;
}

/** Says which engine runs which nodes of a job, and why. */
export function Engines({ job }: Props) {
  const ask = useCallback(() => fetchEngines(job), [job]);
  const { data } = useResource(ask);
  if (data === null || data.length === 0) {
    return null;
  }
  return (
    <ul aria-label="Engines">
      {data.map((use) => (
        <li key={use.nodes.join()}>
          <Prose text={describeEngine(use)} />
        </li>
      ))}
    </ul>
  );
}
