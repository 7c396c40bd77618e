import { useEffect } from "react";
import {
  findLinkedRecord,
  follow as followRecord,
  stopFollowing,
  useFollowing,
} from "../../editor/interface/following";
import type { InterfaceState } from "../../editor/interface/interfaceStore";
import { isNote } from "../../editor/edits/notes";
import { useEditing } from "../../editor/interface/useEditor";
import { useLooking } from "../../editor/comparing/useLooking";
import { formatOrigin, hrefs, parsePlace, type Place } from "../../ui/routing/route";
import { followMoves } from "../../ui/routing/usePath";

/**
 * The address names the selected node or the followed record, and the shown version. A link opens them,
 * and Back and Forward follow. A link may also open a dialog, once.
 */
export function usePlaceLink(): void {
  const { store, ui } = useEditing();
  const look = useLooking();
  useEffect(() => {
    const { topology } = store.getState();
    const home = hrefs.editor(topology);
    let isFollowing = false;
    let turn = 0; // a newer place, or the end of the editor, ends the turn of one whose version still loads
    const follow = async () => {
      const mine = ++turn;
      isFollowing = window.location.pathname === home;
      if (!isFollowing) return;
      const place = parsePlace(window.location.search);
      const isMine = () => mine === turn;
      const isThere = await showVersion(place, ui.getState(), (before, after) => look(before, after, isMine));
      if (!isMine()) return;
      const { versionView } = ui.getState();
      const { nodes } = versionView?.graph ?? store.getState().document.graph;
      const node = nodes.find(({ id }) => id === place.node);
      if (!isThere || (place.node !== null && node === undefined)) window.history.replaceState(null, "", home);
      ui.getState().select(node === undefined ? [] : [node.id]);
      followIn(place, ui.getState());
      if (place.dialog !== null) {
        ui.getState().ask(place.dialog);
        window.history.replaceState(null, "", hrefs.editor(topology, { ...place, dialog: null }));
      }
      isFollowing = false;
    };
    void follow();
    const note = () => {
      const href = hrefs.editor(topology, readPlace(ui.getState()));
      if (isFollowing || href === window.location.pathname + window.location.search) return;
      window.history.pushState(null, "", href);
    };
    const stop = ui.subscribe((now, before) => {
      const isElsewhere = now.selection !== before.selection || now.versionView !== before.versionView;
      if (isElsewhere && now.selection.nodes.size <= 1) note();
    });
    const stopNoting = useFollowing.subscribe((now, before) => {
      if (now.target !== before.target || now.origin !== before.origin) note();
    });
    const stopFollowingMoves = followMoves(() => void follow());
    return () => {
      turn += 1;
      stop();
      stopNoting();
      stopFollowingMoves();
    };
  }, [store, ui, look]);
}

/** False if the version does not exist. */
async function showVersion(
  { version, against }: Place,
  { versionView, show }: InterfaceState,
  look: (before: string | null, after: string) => Promise<void>,
): Promise<boolean> {
  if (version === null) {
    if (versionView !== null) show("draft");
    return true;
  }
  if (versionView?.after === version && versionView.before === against) return true;
  try {
    await look(against, version);
    return true;
  } catch {
    return false;
  }
}

/** Follows the record of a place, or nothing. */
function followIn({ follow }: Place, { openDrawer }: InterfaceState): void {
  const record = findLinkedRecord(useFollowing.getState());
  if (follow === null) stopFollowing();
  else if (record === null || formatOrigin(record) !== formatOrigin(follow)) followRecord({ record: follow });
  if (follow !== null) openDrawer("trial");
}

/** While a record is followed, the steps select nodes, so the address names only the record. */
function readPlace({ selection: { nodes }, versionView }: InterfaceState): Place {
  const following = useFollowing.getState();
  const follow = findLinkedRecord(following);
  const [only = ""] = nodes;
  const node = only === "" || isNote(only) || following.target !== null ? null : only;
  return { node, follow, version: versionView?.after ?? null, against: versionView?.before ?? null, dialog: null };
}
