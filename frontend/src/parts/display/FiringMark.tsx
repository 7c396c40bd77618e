import { describeAlerts, findFiring, useAlerts } from "../../live/alerts";
import { formatAmount } from "../../numbers/format";
import "./FiringMark.css";

interface Props {
  readonly job: number;
  /** The nodes and topics that are meant; null: all of the job. */
  readonly parts: readonly string[] | null;
}

/** How many alerts fire; nothing if none does. What they say is its title. */
export function FiringMark({ job, parts }: Props) {
  const words = useAlerts((alerts) => describeAlerts(findFiring(alerts, job, parts)));
  if (words === "") return null;
  return (
    <span className="firing-mark" title={words}>
      {formatAmount(words.split("\n").length, "alert")}
    </span>
  );
}
