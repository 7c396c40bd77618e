import { NodeToolbar, Position } from "@xyflow/react";
import { useEffect } from "react";
import type { Job } from "../../api/types";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useLive } from "../../live/LiveContext";
import { UNKNOWN } from "../../ui/text/format";
import { findRecord, useNewest } from "./newest";
import { openPins, togglePin, usePins, type Pin } from "./pins";
import { describeValue, MEANINGS, NAMES } from "./values";
import "./Glance.css";

/** A pinned record is asked for again after this time: the job executes a batch for each answer. */
const ASK_MS = 10_000;

/** The pinned values below their nodes. */
export function Pinned() {
  const { topology, job } = useDeployment();
  const pins = usePins((all) => all.pins);
  useEffect(() => openPins(topology.id), [topology.id]);
  if (job === null) return null;
  return [...new Set(pins.map(({ node }) => node))].map((node) => (
    <NodeToolbar key={node} nodeId={node} isVisible position={Position.Bottom} offset={3}>
      <ul className="pinned nodrag nopan" aria-label={`Pinned to ${node}`}>
        {pins
          .filter((pin) => pin.node === node)
          .map((pin) => (
            <li key={pin.value} className="number" title={MEANINGS[pin.value]}>
              {pin.value === "record" ? <PinnedRecord job={job} node={node} /> : <PinnedNumber pin={pin} />}
              <button type="button" aria-label={`Take off ${NAMES[pin.value]}`} onClick={() => togglePin(pin)}>
                ×
              </button>
            </li>
          ))}
      </ul>
    </NodeToolbar>
  ));
}

function PinnedNumber({ pin }: { readonly pin: Pin }) {
  const text = useLive((live) => describeValue(live, pin));
  return (
    <>
      <span className="quiet">{NAMES[pin.value]}</span> {text}
    </>
  );
}

function PinnedRecord({ job, node }: { readonly job: Job; readonly node: string }) {
  const { way } = useNewest(job.id, node, ASK_MS);
  const record = findRecord(way?.steps[way.at]);
  const text = record === null ? UNKNOWN : `${record.key ?? "null"} ${record.value ?? "null"}`;
  return <span className="record">{text}</span>;
}
