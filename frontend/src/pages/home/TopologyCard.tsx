import type { Operators } from "../../api/useOperators";
import type { Card } from "./cards";
import { JobCard } from "./JobCard";
import { UndeployedCard } from "./UndeployedCard";

interface Props {
  readonly card: Card;
  readonly operators: Operators;
}

export function TopologyCard({ card, operators }: Props) {
  if (card.job === null) return <UndeployedCard topology={card.topology} operators={operators} />;
  return <JobCard job={card.job} title={card.name} operators={operators} />;
}
