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
  /** What the hint leaves uncovered if there is room for both. */
  readonly findClear?: () => Element | null;
  /** Unfolds the target while the hint is shown. Returns how to put it back. */
  readonly open?: () => () => void;
}

const NODE = ".desk .react-flow__node";

const at = (selector: string) => () => document.querySelector(selector);
/** Hints for a canvas with nodes, and for one without. */
const drawn = (find: Hint["find"]) => () => (at(NODE)() === null ? null : find());
const empty = (find: Hint["find"]) => () => (at(NODE)() === null ? find() : null);
const findInspector = () => at(".desk .inspector")() ?? at(".desk .of-inspector > .fold")();

export const HINTS: readonly Hint[] = [
  {
    name: "palette",
    title: "Drag a node onto the canvas",
    text: "These are the operators of the Kafka Streams DSL. Drag one onto the canvas, then draw edges between nodes.",
    side: "right",
    find: empty(at(".desk .palette")),
    findClear: at(".canvas .start"),
  },
  {
    name: "settings",
    title: "Set it up",
    text: "Select a node to see its settings here. Problems appear beside the field as you type.",
    side: "left",
    find: empty(findInspector),
    open: lendInspector,
  },
  {
    name: "start",
    title: "Deploy it",
    text: "Deploy saves a version and runs it. Before that, it shows which topics it reads, writes and makes.",
    side: "below",
    find: empty(findDeploy),
  },
  {
    name: "canvas",
    title: "See it live",
    text: "The thicker an edge, the higher its rate; the warmer a node, the busier it is. You can edit while it runs.",
    side: "inside",
    find: drawn(at(".desk > .canvas")),
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
    side: "below",
    find: at(NODE),
  },
  {
    name: "inspector",
    title: "Change a filter",
    text: "Select a node to change its settings here. Problems appear beside the field as you type.",
    side: "left",
    find: drawn(findInspector),
    open: lendInspector,
  },
  {
    name: "deploy",
    title: "Deploy the change",
    text: "Deploy saves a version and runs it. Before that, it shows what happens to the state of each node.",
    side: "below",
    find: drawn(findDeploy),
  },
];

function findDeploy(): Element | null {
  const buttons = document.querySelectorAll(".desk > .toolbar button");
  return [...buttons].find((button) => button.textContent.trim().startsWith("Deploy")) ?? null;
}
