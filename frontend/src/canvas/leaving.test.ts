import { beforeEach, afterEach, expect, it, vi } from "vitest";
import { useAsking } from "../inspector/facts/asking";
import { openPanel, usePanels } from "./flow/panels";
import { forgetTopology } from "./leaving";
import { useGlance } from "./running/glance";

beforeEach(() => vi.stubGlobal("window", globalThis));
afterEach(() => vi.unstubAllGlobals());

it("leaves nothing of a topology for the next one, whose nodes may have the same names", () => {
  openPanel("finder");
  usePanels.setState({ renaming: "orders", isReaching: true });
  useGlance.setState({ spot: { of: "node", node: "orders" } });
  useAsking.setState({ node: "orders", times: 1 });

  forgetTopology();

  expect(usePanels.getState()).toEqual({ panel: null, renaming: null, isReaching: false });
  expect(useGlance.getState().spot).toBeNull();
  expect(useAsking.getState().node).toBeNull();
});
