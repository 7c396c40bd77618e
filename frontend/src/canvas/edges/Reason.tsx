import { useConnection, useReactFlow } from "@xyflow/react";
import type { RefusedDrop } from "./useConnecting";
import type { Position } from "../../editor/document/document";
import { useEditing } from "../../editor/interface/useEditor";
import { Button } from "../../ui/controls/Button";
import { Prose } from "../../ui/messages/Prose";
import { measureCanvas } from "../flow/room";
import { findRefusal, readEnds } from "./wiring";
import "./Reason.css";

interface Props {
  /** The last dropped edge that was refused, shown for a while. */
  readonly refusal: RefusedDrop | null;
  /** Puts the node between that lets it. */
  readonly repair: () => void;
  readonly reconnectedEdge: string | null;
}

/** Why an edge cannot end here: beside the pointer during the drag, and on top after it. */
export function ReasonNotice({ refusal, repair, reconnectedEdge }: Props) {
  const { store, rules } = useEditing();
  const flow = useReactFlow();
  const drag = useConnection();
  const ends = drag.inProgress && drag.isValid === false ? readEnds(drag) : null;
  const reason = ends === null ? null : findRefusal(ends, store.getState().document.graph, rules, reconnectedEdge);
  const to = drag.inProgress ? flow.flowToScreenPosition(drag.to) : null;
  const isHeld = reason !== null && to !== null;
  const notice = reason ?? (drag.inProgress ? null : (refusal?.reason ?? null));
  const bridge = notice !== null && notice === refusal?.reason ? refusal.bridge : null;
  const style = isHeld ? placeBeside(to) : undefined;
  return (
    <div
      className={`reason${isHeld ? " is-held" : ""}`}
      role="status"
      aria-label="Why not"
      style={style}
      hidden={!notice}
    >
      {notice !== null && (
        <>
          <strong>
            <Prose text={notice.message} />
          </strong>
          <Prose text={notice.hint} />
          {bridge !== null && (
            <Button onClick={repair}>
              Put <code>{bridge.operator}</code> between
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function placeBeside({ x, y }: Position): { readonly left: number; readonly top: number } {
  const box = measureCanvas();
  return { left: x - box.x + 18, top: y - box.y + 18 };
}
