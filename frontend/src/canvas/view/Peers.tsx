import { useReactFlow, useStore, ViewportPortal } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { followDraft } from "../../editor/comparing/presence";
import { useDeployment } from "../../editor/interface/useDeployment";
import { useEditing, useInterface } from "../../editor/interface/useEditor";
import { forgetComments, loadComments } from "../../live/comments";
import { chooseColour, followPeers, listNames, NO_PEERS, type Here, type Peer, type Peers } from "../../live/peers";
import "./Peers.css";

/** Pointers are sent 12 times a second at most, and only while somebody else is here. */
const SAY_MS = 80;

/**
 * Shows who else has this topology open, with their pointers and selections, and what they draw. Tells them of this
 * user.
 */
export function PeersLayer() {
  const peers = usePeers();
  if (peers.size === 0) return null;
  const all = [...peers.values()];
  return (
    <>
      <ViewportPortal>
        {all.flatMap((peer) =>
          peer.selection.map((node) => <SelectedNode key={`${peer.page} ${node}`} peer={peer} node={node} />),
        )}
        {all.map((peer) => peer.pointer !== null && <Pointer key={peer.page} peer={peer} at={peer.pointer} />)}
      </ViewportPortal>
      <ul className="peers" aria-label="Also here">
        {listNames(peers).map(({ name, page }) => (
          <li key={name} className={`tint-${chooseColour(page)}`} title={`${name} has this topology open, too.`}>
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}

function usePeers(): Peers {
  const { topology } = useDeployment();
  const { store, autosave, rules } = useEditing();
  const { screenToFlowPosition } = useReactFlow();
  const selected = useInterface(({ selection }) => selection.nodes);
  const pane = useStore(({ domNode }) => domNode);
  const [peers, setPeers] = useState(NO_PEERS);
  const hasPeers = peers.size > 0;
  const pointer = useRef<Here["pointer"]>(null);
  const follow = useRef<ReturnType<typeof followPeers> | null>(null);
  const selection = useMemo(() => [...selected].slice(0, 50), [selected]);

  useEffect(() => {
    const drafts = followDraft({ store, autosave, operators: rules.operators });
    const following = followPeers(topology.id, {
      onChange: setPeers,
      onComments: () => void loadComments(topology.id),
      onDraft: drafts.hear,
    });
    follow.current = following;
    return () => {
      following.stop();
      drafts.stop();
      forgetComments();
    };
  }, [topology.id, store, autosave, rules]);
  useEffect(() => follow.current?.say({ pointer: pointer.current, selection }), [selection, topology.id]);
  useEffect(() => {
    if (pane === null || !hasPeers) return;
    let timer: number | null = null;
    const sayLater = () => {
      timer ??= window.setTimeout(() => {
        timer = null;
        follow.current?.say({ pointer: pointer.current, selection });
      }, SAY_MS);
    };
    const move = ({ clientX, clientY }: PointerEvent) => {
      pointer.current = screenToFlowPosition({ x: clientX, y: clientY }, { snapToGrid: false });
      sayLater();
    };
    const leave = () => {
      pointer.current = null;
      sayLater();
    };
    pane.addEventListener("pointermove", move, { passive: true });
    pane.addEventListener("pointerleave", leave);
    return () => {
      if (timer !== null) window.clearTimeout(timer);
      pane.removeEventListener("pointermove", move);
      pane.removeEventListener("pointerleave", leave);
    };
  }, [pane, hasPeers, selection, screenToFlowPosition]);
  return peers;
}

function SelectedNode({ peer, node }: { readonly peer: Peer; readonly node: string }) {
  const place = useStore(({ nodeLookup }) => {
    const found = nodeLookup.get(node);
    if (found?.measured.width === undefined || found.measured.height === undefined) return null;
    const { x, y } = found.internals.positionAbsolute;
    return `${x} ${y} ${found.measured.width} ${found.measured.height}`;
  });
  if (place === null) return null;
  const [left, top, width, height] = place.split(" ").map(Number);
  return <i className={`peer-selection tint-${chooseColour(peer.page)}`} style={{ left, top, width, height }} />;
}

/** As large at every zoom: it is a hand over the canvas, no part of it. */
function Pointer({ peer, at }: { readonly peer: Peer; readonly at: NonNullable<Peer["pointer"]> }) {
  const zoom = useStore(({ transform }) => transform[2]);
  return (
    <span
      className={`peer-pointer tint-${chooseColour(peer.page)}`}
      style={{ transform: `translate(${at.x}px, ${at.y}px) scale(${1 / zoom})` }}
      aria-hidden="true"
    >
      <svg width="14" height="16" viewBox="0 0 14 16">
        <path d="M1 1l11 8-5.2 1L4.5 15z" />
      </svg>
      {peer.name}
    </span>
  );
}
