import { forgetQuestion } from "../inspector/facts/asking";
import { closePanels } from "./flow/panels";
import { closeGlance } from "./running/glance";

/** The topology is left: what was open over it, or asked about its nodes, is not for the next one. */
export function forgetTopology(): void {
  closePanels();
  closeGlance();
  forgetQuestion();
}
