import { useEffect } from "react";
import type { InterfaceState } from "../../editor/interfaceStore";
import { isNote } from "../../editor/notes";
import { useEditing } from "../../editor/useEditor";
import { useLooking } from "../../editor/useLooking";
import { hrefs, placeIn, type Place } from "../../routing/route";

/** The address names the selected node and the version that is shown: a link opens them, Back and Forward follow. */
export function usePlaceLink(): void {
  const { store, ui } = useEditing();
  const look = useLooking();
  useEffect(() => {
    const { topology } = store.getState();
    const home = hrefs.editor(topology);
    let isFollowing = false;
    const follow = async () => {
      if (window.location.pathname !== home) return;
      const place = placeIn(window.location.search);
      isFollowing = true;
      const isThere = await showVersion(place, ui.getState(), look);
      const { looked } = ui.getState();
      const { nodes } = looked?.graph ?? store.getState().document.graph;
      const node = nodes.find(({ id }) => id === place.node);
      if (!isThere || (place.node !== null && node === undefined)) window.history.replaceState(null, "", home);
      ui.getState().select(node === undefined ? [] : [node.id]);
      isFollowing = false;
    };
    void follow();
    const followed = () => void follow();
    const stop = ui.subscribe((now, before) => {
      const isElsewhere = now.selection !== before.selection || now.looked !== before.looked;
      if (isFollowing || !isElsewhere || now.selection.nodes.size > 1) return;
      const href = hrefs.editor(topology, placeOf(now));
      if (href !== window.location.pathname + window.location.search) window.history.pushState(null, "", href);
    });
    window.addEventListener("popstate", followed);
    return () => {
      stop();
      window.removeEventListener("popstate", followed);
    };
  }, [store, ui, look]);
}

/** False where there is no such version. */
async function showVersion(
  { version, against }: Place,
  { looked, show }: InterfaceState,
  look: ReturnType<typeof useLooking>,
): Promise<boolean> {
  if (version === null) {
    if (looked !== null) show("draft");
    return true;
  }
  if (looked?.after === version && looked.before === against) return true;
  try {
    await look(against, version);
    return true;
  } catch {
    return false;
  }
}

function placeOf({ selection: { nodes }, looked }: InterfaceState): Place {
  const [only = ""] = nodes;
  const node = only === "" || isNote(only) ? null : only;
  return { node, version: looked?.after ?? null, against: looked?.before ?? null };
}
