import { useState } from "react";
import { KINDS, nameKindClass } from "../../editor/graph/kinds";
import { Sprite } from "../../ui/icons/Sprite";
import { isLegendFolded, keepLegendFolded } from "./folding";
import { noteHeight } from "../flow/room";
import "./Legend.css";

/** The kinds of what flows, with their look. This browser remembers whether it is folded. */
export function Legend() {
  const [isFolded, setFolded] = useState(isLegendFolded);
  const fold = () => {
    setFolded(!isFolded);
    keepLegendFolded(!isFolded);
  };
  return (
    <section className="legend" aria-label="Legend" ref={noteHeight}>
      <button type="button" aria-expanded={!isFolded} onClick={fold}>
        Legend
      </button>
      {!isFolded && (
        <ul>
          {Object.entries(KINDS).map(([kind, { name, icon, means }]) => (
            <li key={kind} className={nameKindClass(kind as keyof typeof KINDS)} title={means}>
              <i className={`sample ${kind}`}>
                <Sprite className="kind-icon" icon={icon} size={11} />
              </i>
              {name}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
