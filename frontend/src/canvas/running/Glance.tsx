import { EdgeToolbar, NodeToolbar, Position, useStore, type Align } from "@xyflow/react";
import { useEffect } from "react";
import type { Job } from "../../api/types";
import { follow } from "../../editor/interface/following";
import { useSides } from "../../editor/interface/sides";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useInterfaceActions } from "../../editor/interface/useEditor";
import { useLive } from "../../live/LiveContext";
import { SAMPLES } from "../../live/minute";
import { findEdgeRate, flows } from "../../live/rates";
import { Button } from "../../ui/controls/Button";
import { Sparkline } from "../../ui/display/Sparkline";
import { Icon } from "../../ui/icons/Icon";
import { Prose } from "../../ui/messages/Prose";
import { formatLogTime } from "../../ui/text/content";
import { formatRate } from "../../ui/text/format";
import type { FlowEdge } from "../flow/flow";
import { closeGlance, hold, leave, useGlance, type Spot } from "./glance";
import { findRecord, hasSeenRecord, useNewest } from "./newest";
import { isPinned, togglePin, usePins, type Pin, type PinnedValue } from "./pins";
import { describeValue, MEANINGS, NAMES } from "./values";
import "./Glance.css";

/** React Flow places a toolbar just above its node: others' pinned values would be above a card. */
const ABOVE = { zIndex: 2_000 };

type EdgeFacts = NonNullable<FlowEdge["data"]>;

/** The card beside the node or edge that the pointer rests on, while the job runs. */
export function Glance({ edges }: { readonly edges: readonly FlowEdge[] }) {
  const spot = useGlance((glance) => glance.spot);
  const { job } = useDeployment();
  useClosingAtPress();
  const node = spot === null ? null : findNode(spot);
  const isRunning = useLive(({ state }) => node !== null && state !== null && flows(state) && hasNode(state, node));
  if (spot === null || job === null || !isRunning) return null;
  if (spot.of === "node") return <NodeCard spot={spot} job={job} />;
  const data = edges.find(({ id }) => id === spot.key)?.data;
  return data === undefined ? null : <EdgeCard spot={spot} job={job} edge={data} />;
}

/** Whoever presses a button of the mouse means what is behind the card. */
function useClosingAtPress(): void {
  useEffect(() => {
    const close = ({ target }: PointerEvent) => {
      if (!(target instanceof Element) || target.closest(".glance") === null) closeGlance();
    };
    window.addEventListener("pointerdown", close, { capture: true });
    return () => window.removeEventListener("pointerdown", close, { capture: true });
  }, []);
}

/** The node whose newest record the card shows. */
function findNode(spot: Spot): string {
  return spot.of === "node" ? spot.node : spot.target;
}

function hasNode({ numbers }: { readonly numbers: { readonly nodes: object } | null }, node: string): boolean {
  return numbers !== null && node in numbers.nodes;
}

interface NodeCardProps {
  readonly spot: Extract<Spot, { of: "node" }>;
  readonly job: Job;
}

/** Below its node, or above it in the lower half of the canvas. */
function NodeCard({ spot, job }: NodeCardProps) {
  const isLow = useStore(({ nodeLookup, transform: [, top, zoom], height }) => {
    return (nodeLookup.get(spot.node)?.position.y ?? 0) * zoom + top > height / 2;
  });
  const covered = useSides((sides) => sides.covered);
  const align = useStore(({ nodeLookup, transform: [left, , zoom], width: whole }): Align => {
    const width = whole - covered;
    const x = (nodeLookup.get(spot.node)?.position.x ?? 0) * zoom + left;
    if (x < width / 4) return "start";
    return x > (width * 2) / 3 ? "end" : "center";
  });
  const position = isLow ? Position.Top : Position.Bottom;
  return (
    <NodeToolbar nodeId={spot.node} isVisible position={position} align={align} offset={6} style={ABOVE}>
      <Card key={spot.node} spot={spot} job={job} edge={null} />
    </NodeToolbar>
  );
}

interface EdgeCardProps {
  readonly spot: Extract<Spot, { of: "edge" }>;
  readonly job: Job;
  readonly edge: EdgeFacts;
}

/** Below or above the middle of its edge and its nodes. */
function EdgeCard({ spot, job, edge }: EdgeCardProps) {
  const isLow = useStore(({ nodeLookup, transform: [, top, zoom], height }) => {
    return (nodeLookup.get(spot.target)?.position.y ?? 0) * zoom + top > height / 2;
  });
  const x = useStore(({ nodeLookup }) => {
    const [source, target] = [nodeLookup.get(spot.source), nodeLookup.get(spot.target)];
    return ((source?.position.x ?? 0) + (source?.measured.width ?? 0) + (target?.position.x ?? 0)) / 2;
  });
  const y = useStore(({ nodeLookup }) => {
    const ends = [nodeLookup.get(spot.source), nodeLookup.get(spot.target)];
    const tops = ends.map((end) => end?.position.y ?? 0);
    if (isLow) return Math.min(...tops) - 6;
    return Math.max(...ends.map((end, at) => (tops[at] ?? 0) + (end?.measured.height ?? 0))) + 6;
  });
  const alignY = isLow ? "bottom" : "top";
  return (
    <EdgeToolbar edgeId={spot.key} x={x} y={y} alignX="center" alignY={alignY} isVisible style={ABOVE}>
      <Card key={spot.key} spot={spot} job={job} edge={edge} />
    </EdgeToolbar>
  );
}

interface CardProps {
  readonly spot: Spot;
  readonly job: Job;
  readonly edge: EdgeFacts | null;
}

function Card({ spot, job, edge }: CardProps) {
  const node = findNode(spot);
  const name = spot.of === "node" ? spot.node : `${spot.source} → ${spot.target}`;
  const rates = useLive((live) => live.minute).map(({ nodes }) => {
    if (nodes === null) return 0;
    return edge === null ? (nodes[node]?.rate ?? 0) : findEdgeRate(nodes, edge.edge, edge.isOnlyInput);
  });
  const hasState = useLive(({ state }) => state?.numbers?.nodes[node]?.state != null);
  return (
    <section
      className="glance nodrag nopan nowheel"
      aria-label={`Live: ${name}`}
      onMouseEnter={hold}
      onMouseLeave={leave}
    >
      <header>
        <strong>{name}</strong>
        <span className="rate number">{formatRate(rates.at(-1))}/s</span>
        {spot.of === "node" && <PinButton pin={{ node, value: "rate" }} />}
      </header>
      <div className="minute">
        <Sparkline values={rates} slots={SAMPLES} label={`Records per second of ${name} in the last minute`} />
        <span>60 s</span>
      </div>
      <dl className="number">
        <Value node={node} value="latency" canPin={spot.of === "node"} />
        {spot.of === "node" && <Value node={node} value="busy" canPin />}
        {spot.of === "node" && hasState && <Value node={node} value="rows" canPin />}
      </dl>
      <NewestRecord job={job} node={node} isArrival={spot.of === "edge"} />
    </section>
  );
}

interface ValueProps {
  readonly node: string;
  readonly value: PinnedValue;
  readonly canPin: boolean;
}

function Value({ node, value, canPin }: ValueProps) {
  const text = useLive((live) => describeValue(live, { node, value }));
  return (
    <div title={MEANINGS[value]}>
      <dt>{NAMES[value]}</dt>
      <dd>{text}</dd>
      {canPin && <PinButton pin={{ node, value }} />}
    </div>
  );
}

/** Pins a value to its node on the canvas, or takes it off. */
function PinButton({ pin }: { readonly pin: Pin }) {
  const isOn = usePins(({ pins }) => isPinned(pins, pin));
  const name = `Pin ${NAMES[pin.value].toLowerCase()} of ${pin.node}`;
  return (
    <button
      type="button"
      className="pin"
      aria-pressed={isOn}
      aria-label={name}
      title="Keep it on the canvas"
      onClick={() => togglePin(pin)}
    >
      <Icon name="pin" size={13} />
    </button>
  );
}

interface NewestRecordProps {
  readonly job: Job;
  readonly node: string;
  /** Whether to show the record as it arrives, and not what the node forwards. */
  readonly isArrival: boolean;
}

function NewestRecord(props: NewestRecordProps) {
  const hasSeen = useLive(({ state }) => hasSeenRecord(state, props.node));
  return hasSeen ? <RecordOfJob {...props} /> : <p className="newest quiet">No record has reached it in this run.</p>;
}

function RecordOfJob({ job, node, isArrival }: NewestRecordProps) {
  const { way, refusal } = useNewest(job.id, node);
  const { openDrawer } = useInterfaceActions();
  const step = way?.steps[way.at];
  const record = isArrival ? (step?.record ?? null) : findRecord(step);
  if (refusal !== null) {
    return (
      <p className="newest quiet">
        <Prose text={refusal.message} />
      </p>
    );
  }
  if (way === null || record === null) return <p className="newest quiet">Asking for the newest record …</p>;
  const press = () => {
    closeGlance();
    follow({ record: way.origin });
    openDrawer("trial");
  };
  return (
    <div className="newest">
      <p className="quiet">
        Newest record, {formatLogTime(way.time)}
        {!isArrival && <PinButton pin={{ node, value: "record" }} />}
      </p>
      <p className="record" title={`${record.key ?? "null"}: ${record.value ?? "null"}`}>
        <b>{record.key ?? "null"}</b> {record.value ?? "null"}
      </p>
      <Button onClick={press}>Follow this record</Button>
    </div>
  );
}
