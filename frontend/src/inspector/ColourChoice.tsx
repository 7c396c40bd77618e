import { COLOURS } from "../api/values";
import { setColour, type Colour } from "../editor/edits/notes";
import { useDocumentActions } from "../editor/interface/useEditor";
import "../ui/style/tints.css";
import "./ColourChoice.css";

interface Props {
  readonly ids: ReadonlySet<string>;
  /** Their present colour. */
  readonly colour: Colour | null;
}

/** A colour for nodes, notes and frames. It does not affect a run. */
export function ColourChoice({ ids, colour }: Props) {
  const { edit } = useDocumentActions();
  return (
    <div className="colour-choice" role="group" aria-label="Colour">
      {[null, ...COLOURS].map((each) => (
        <button
          key={each ?? "none"}
          type="button"
          className={`tint-${each ?? "none"}${each === null ? " none" : ""}`}
          aria-label={each ?? "No colour"}
          title={each ?? "No colour"}
          aria-pressed={each === colour}
          onClick={() => edit(setColour(ids, each))}
        />
      ))}
    </div>
  );
}
