import { describeAlerts, findFiring, useAlerts } from "../../live/alerts";
import { formatAmount } from "../text/format";
import "./FiringMark.css";

interface Props {
  readonly job: number;
  /** The nodes and topics to include. Null: all of the job. */
  readonly parts: readonly string[] | null;
}

/** The number of firing alerts, or nothing. Their texts are the title. */
export function FiringMark({ job, parts }: Props) {
  const words = useAlerts((alerts) => describeAlerts(findFiring(alerts, job, parts)));
  if (words === "") return null;
  return (
    <span className="firing-mark" title={words}>
      {formatAmount(words.split("\n").length, "alert")}
    </span>
  );
}
