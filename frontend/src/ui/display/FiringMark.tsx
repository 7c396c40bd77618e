import { describeAlerts, findFiring, isUnsilenced, useAlerts } from "../../live/alerts";
import { formatAmount } from "../text/format";
import "./FiringMark.css";

interface Props {
  readonly job: number;
  /** The nodes and topics to include. Null: all of the job. */
  readonly parts: readonly string[] | null;
}

/** The number of firing alerts that are not silenced, or nothing. Their texts are the title. */
export function FiringMark({ job, parts }: Props) {
  const words = useAlerts((alerts) => describeAlerts(findFiring(alerts, job, parts).filter(isUnsilenced)));
  if (words === "") return null;
  return (
    <span className="firing-mark" title={words}>
      {formatAmount(words.split("\n").length, "alert")}
    </span>
  );
}
