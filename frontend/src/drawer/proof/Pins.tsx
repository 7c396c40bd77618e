import { useState } from "react";
import { pinBatch, unpinBatch } from "../../api/calls";
import { toRefusal, type Refusal } from "../../api/refusal";
import { useWhyNot } from "../../api/rights";
import type { Origin, Pins } from "../../api/types";
import { useDeployment } from "../../editor/interface/useDeployment";
import { Button } from "../../ui/controls/Button";
import { RefusalNotice } from "../../ui/messages/Notice";
import { formatBytes, formatMoment } from "../../ui/text/format";
import { MakeCaseOf } from "../records/MakeCaseOf";

interface Props {
  readonly job: number;
  readonly pins: Pins;
  readonly reload: () => Promise<void>;
}

/** The pinned batches of the job: their manifests stay. Empty if there is none. */
export function PinnedBatches({ job, pins, reload }: Props) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const unpin = async (batch: number) => {
    setRefusal(null);
    await unpinBatch(job, batch).catch((error: unknown) => setRefusal(toRefusal(error)));
    await reload();
  };
  if (pins.pins.length === 0) return refusal === null ? null : <RefusalNotice refusal={refusal} />;
  return (
    <details className="pins">
      <summary>
        <b>Pinned batches</b>{" "}
        <span className="quiet">
          {pins.pins.length} of at most {pins.max_pins}
        </span>
      </summary>
      <ul aria-label="Pinned batches">
        {pins.pins.map(({ batch, time, by, note }) => (
          <li key={batch}>
            <b className="number">Batch {batch}</b>
            <span className="quiet">
              {formatMoment(time)}, pinned by {by}
            </span>
            <span className="pin-note">{note}</span>
            <MakeCaseOf records={[]} batch={batch} />
            <Button why={why} onClick={() => void unpin(batch)}>
              Unpin
            </Button>
          </li>
        ))}
      </ul>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
      <p className="quiet">
        Other manifests are kept for {pins.kept_days} days, and take at most {formatBytes(pins.kept_bytes)} together
        with the changes of state. Topics decide how long the records of a pinned batch are there.
      </p>
    </details>
  );
}

interface ButtonProps extends Props {
  readonly batch: number;
  readonly note: string;
  /** The input record that shows it. */
  readonly record: Origin | null;
}

/** Pins the batch of a difference, so that its manifest stays. */
export function PinButton({ job, batch, note, record, pins, reload }: ButtonProps) {
  const { topology } = useDeployment();
  const why = useWhyNot("editor", topology.project);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isPinned = pins.pins.some((pin) => pin.batch === batch);
  const act = async () => {
    setRefusal(null);
    try {
      await (isPinned ? unpinBatch(job, batch) : pinBatch(job, batch, note, record));
      await reload();
    } catch (error) {
      setRefusal(toRefusal(error));
    }
  };
  return (
    <>
      <Button icon="pin" why={why} onClick={() => void act()}>
        {isPinned ? `Unpin batch ${batch}` : `Pin batch ${batch}`}
      </Button>
      {refusal !== null && <RefusalNotice refusal={refusal} />}
    </>
  );
}
