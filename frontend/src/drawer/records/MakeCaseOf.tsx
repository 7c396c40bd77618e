import { makeCaseOfRecords } from "../../api/calls";
import type { Origin } from "../../api/types";
import { useDeployment } from "../../editor/interface/useDeployment";
import { formatRecordPlace } from "../../ui/text/format";
import { MakeCase, ShowCases } from "./MakeCase";

interface Props {
  /** Empty: those of the pinned batch. */
  readonly records: readonly Origin[];
  readonly batch?: number;
  readonly label?: string;
}

/** Makes records of the job on the screen, or a pinned batch, a test case. Without a job there is nothing to press. */
export function MakeCaseOf({ records, batch, label }: Props) {
  const { job, topology } = useDeployment();
  if (job === null) return null;
  const name = nameCaseOf(records, batch);
  const make = () => makeCaseOfRecords(job.id, { case: name, records: [...records], batch: batch ?? null });
  const words = label === undefined ? {} : { label };
  return <MakeCase project={topology.project} make={make} link={<ShowCases />} {...words} />;
}

function nameCaseOf(records: readonly Origin[], batch: number | undefined): string {
  const [first, ...others] = records;
  if (first === undefined) return `batch ${batch}`;
  return `${formatRecordPlace(first)}${others.length === 0 ? "" : ` and ${others.length} more`}`;
}
