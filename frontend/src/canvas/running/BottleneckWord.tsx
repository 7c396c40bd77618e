import { useInterfaceActions } from "../../editor/interface/useEditor";
import { usePressure } from "./pressure";
import "./BottleneckWord.css";

/** Which node makes records wait, or what else does. Empty while none waits. */
export function BottleneckWord() {
  const bottleneck = usePressure((pressure) => pressure.bottleneck);
  const { select } = useInterfaceActions();
  if (bottleneck === null) return null;
  const { node, step, share, topics } = bottleneck;
  const waiting = <Topics names={topics} />;
  return (
    <p className="canvas-word bottleneck number" role="status" aria-label="Bottleneck">
      {node !== null && (
        <>
          <button type="button" onClick={() => select([node])} title="Select it">
            {node}
          </button>{" "}
          is the bottleneck: <b>{share} % busy</b>, {waiting}.
        </>
      )}
      {node === null && (
        <>
          {waiting}, and no node is busy
          {step === null ? ". Its host or Kafka may be overloaded." : `: ${share} % of the time is ${step}.`}
        </>
      )}
    </p>
  );
}

function Topics({ names }: { readonly names: readonly string[] }) {
  const [first = "", ...others] = names;
  if (others.length > 1) return <>{names.length} topics wait</>;
  return (
    <>
      <code>{first}</code>
      {others.length === 0 ? " waits" : ""}
      {others.length === 1 && (
        <>
          {" and "}
          <code>{others[0]}</code> wait
        </>
      )}
    </>
  );
}
