/** What a newcomer is shown, in order, and where on the screen it is. */
import type { Side } from "./placing";

export interface Hint {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Where the hint stands, seen from what it points at. */
  readonly side: Side;
  readonly find: () => Element | null;
}

const at = (selector: string) => () => document.querySelector(selector);

export const HINTS: readonly Hint[] = [
  {
    name: "palette",
    title: "Drag a node onto the canvas",
    text: "These are the words of the Kafka Streams DSL. Drag one over, then pull a wire from node to node.",
    side: "right",
    find: at(".desk > .palette"),
  },
  {
    name: "canvas",
    title: "Watch it on what you draw",
    text: "Nodes and wires of the job that runs show what passes them, live, while you go on drawing.",
    side: "inside",
    find: at(".desk > .canvas"),
  },
  {
    name: "inspector",
    title: "Settings, checked as you type",
    text: "Select a node to set it up here. What is wrong is said beside the field, and in Problems below the canvas.",
    side: "left",
    find: at(".desk > .inspector"),
  },
  {
    name: "deploy",
    title: "One click to deploy",
    text: "Deploy saves a version and runs it. It says first, node by node, what becomes of the state.",
    side: "below",
    find: () => buttonNamed("Deploy"),
  },
  {
    name: "sample",
    title: "Break it: nothing is lost",
    text: "Drive the sample feed from here. Send broken records, kill the run, and see the books add up all the same.",
    side: "above",
    find: at(".sample-panel"),
  },
];

/** The hints whose place is on the screen now. */
export function hintsThere(): readonly Hint[] {
  return HINTS.filter(({ find }) => find() !== null);
}

function buttonNamed(name: string): Element | null {
  const buttons = document.querySelectorAll(".desk > .toolbar button");
  return [...buttons].find((button) => button.textContent.trim().startsWith(name)) ?? null;
}
