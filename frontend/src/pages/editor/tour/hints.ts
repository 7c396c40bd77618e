/** The hints for new users, in order, with their places on the screen. */
import { lendInspector } from "../../../editor/interface/sides";
import type { Side } from "./placing";

export interface Hint {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** The side of the target on which the hint appears. */
  readonly side: Side;
  readonly find: () => Element | null;
  /** Unfolds the target while the hint is shown. Returns how to put it back. */
  readonly open?: () => () => void;
}

const at = (selector: string) => () => document.querySelector(selector);

export const HINTS: readonly Hint[] = [
  {
    name: "palette",
    title: "Drag a node onto the canvas",
    text: "These are the operators of the Kafka Streams DSL. Drag one onto the canvas, then draw edges between nodes.",
    side: "right",
    find: at(".desk .palette"),
  },
  {
    name: "canvas",
    title: "See it live",
    text: "The thicker an edge, the higher its rate; the warmer a node, the busier it is. You can edit while it runs.",
    side: "inside",
    find: at(".desk > .canvas"),
  },
  {
    name: "sample",
    title: "Break it",
    text: "Send ten broken records, or kill the run. The job comes back by itself.",
    side: "above",
    find: at(".sample-panel"),
  },
  {
    name: "balance",
    title: "See that nothing is lost",
    text: "Each record of the topic is read or waits. The broken ones are dead letters: look at them in their tab.",
    side: "right",
    find: at(".sample-panel .balance"),
  },
  {
    name: "record",
    title: "Follow one record",
    text: "Rest the pointer on a running node and choose Follow this record. The canvas lights its way.",
    side: "inside",
    find: at(".desk .react-flow__node"),
  },
  {
    name: "inspector",
    title: "Change a filter",
    text: "Select a node to change its settings here. Problems appear beside the field as you type.",
    side: "left",
    find: () => at(".desk .inspector")() ?? at(".desk .of-inspector > .fold")(),
    open: lendInspector,
  },
  {
    name: "deploy",
    title: "Deploy the change",
    text: "Deploy saves a version and runs it. Before that, it shows what happens to the state of each node.",
    side: "below",
    find: () => findButton("Deploy"),
  },
];

function findButton(name: string): Element | null {
  const buttons = document.querySelectorAll(".desk > .toolbar button");
  return [...buttons].find((button) => button.textContent.trim().startsWith(name)) ?? null;
}
