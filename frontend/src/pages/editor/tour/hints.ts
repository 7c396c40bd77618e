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
    title: "Watch it live on the canvas",
    text: "Nodes and edges of the running job show live what they process, even while you edit.",
    side: "inside",
    find: at(".desk > .canvas"),
  },
  {
    name: "inspector",
    title: "Settings, checked as you type",
    text: "Select a node to set it up here. Problems appear beside the field and under Problems below the canvas.",
    side: "left",
    find: () => at(".desk .inspector")() ?? at(".desk .of-inspector > .fold")(),
    open: lendInspector,
  },
  {
    name: "deploy",
    title: "One click to deploy",
    text: "Deploy saves a version and runs it. Before that, it shows what happens to the state of each node.",
    side: "below",
    find: () => findButton("Deploy"),
  },
  {
    name: "sample",
    title: "Break it: nothing is lost",
    text: "Control the sample feed here. Send broken records or kill the run, and see that no record is lost.",
    side: "above",
    find: at(".sample-panel"),
  },
];

function findButton(name: string): Element | null {
  const buttons = document.querySelectorAll(".desk > .toolbar button");
  return [...buttons].find((button) => button.textContent.trim().startsWith(name)) ?? null;
}
