import { ViewportPortal } from "@xyflow/react";
import type { CSSProperties } from "react";
import type { Guide } from "../../editor/layout/aligning";
import "./Guides.css";

/** The lines to which the dragged items have snapped. */
export function Guides({ guides }: { readonly guides: readonly Guide[] }) {
  return (
    <ViewportPortal>
      {guides.map((guide) => (
        <i key={guide.line} className={`guide ${guide.line}`} style={findPlace(guide)} />
      ))}
    </ViewportPortal>
  );
}

function findPlace({ line, at, from, to }: Guide): CSSProperties {
  return line === "row" ? { left: from, top: at, width: to - from } : { left: at, top: from, height: to - from };
}
