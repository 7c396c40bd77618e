import { useInterface, useInterfaceActions } from "../../../editor/interface/useEditor";
import type { View } from "../../../editor/interface/interfaceStore";
import { describeView } from "./parts/text";

interface Props {
  /** Whether both are the same graph, or null while unknown. */
  readonly isEqual: boolean | null;
  readonly version: number;
}

const WORDS: readonly (readonly [Exclude<View, "version">, string])[] = [
  ["draft", "Draft"],
  ["running", "Running"],
  ["past", "Past"],
];

/** Switches between the draft, what runs, and what ran. A dot says that the draft has changed since. */
export function ViewSwitch({ isEqual, version }: Props) {
  const view = useInterface((editor) => editor.view);
  const { show } = useInterfaceActions();
  return (
    <div className="view-switch" role="radiogroup" aria-label="Version shown">
      {WORDS.map(([value, word]) => (
        <label key={value} title={describeView(value, isEqual, version)}>
          <input type="radio" name="view" checked={view === value} onChange={() => show(value)} />
          <span>{word}</span>
          {value === "draft" && isEqual === false && <i aria-hidden="true" />}
        </label>
      ))}
    </div>
  );
}
