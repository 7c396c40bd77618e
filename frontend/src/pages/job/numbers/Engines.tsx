import { useCallback } from "react";
import { fetchEngines } from "../../../api/calls";
import { useResource } from "../../../api/useResource";
import { Prose } from "../../../ui/messages/Prose";
import { describeEngines } from "./describeEngine";

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
    <ul className="engines" aria-label="Engines">
      {describeEngines(data).map((sentence) => (
        <li key={sentence}>
          <Prose text={sentence} />
        </li>
      ))}
    </ul>
  );
}
