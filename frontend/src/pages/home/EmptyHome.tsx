import { Notice } from "../../parts/Notice";

/** What the home page says before the first topology is there: the next step. */
export function EmptyHome() {
  return (
    <Notice tone="info" title="There is no topology yet.">
      <p>
        Import one that was exported as JSON, or start the sample with <code>make run</code>.
      </p>
    </Notice>
  );
}
