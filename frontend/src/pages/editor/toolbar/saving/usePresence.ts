import { useEffect, useState } from "react";
import { fetchTopology } from "../../../../api/calls";
import { toRefusal } from "../../../../api/refusal";
import { guardLeaving, keepPresent } from "../../../../editor/comparing/presence";
import { useDocument, useEditing } from "../../../../editor/interface/useEditor";
import { useLive } from "../../../../live/LiveContext";
import { useDeployment } from "../../../../editor/interface/useDeployment";
import type { Word } from "../parts/TransientNotice";

const ADOPTED: Word = { tone: "info", title: "A newer draft was saved elsewhere. The canvas now shows it." };

/** Follows other users' changes of the draft. True after the topology is deleted. */
export function usePresence(say: (word: Word) => void): boolean {
  const { store, autosave, rules } = useEditing();
  const [isGone, setGone] = useState(false);
  const isDraftGone = useDocument(({ saving }) => saving.word === "failed" && saving.refusal.status === 404);
  const isLost = useLive(({ connection }) => connection === "lost" || connection === "gone");
  const { topology, reload } = useDeployment();

  useEffect(() => guardLeaving(store), [store]);
  useEffect(
    () =>
      keepPresent({ store, autosave, operators: rules.operators }, (news) => {
        if (news === "deleted") setGone(true);
        else say(ADOPTED);
      }),
    [store, autosave, rules, say],
  );
  useEffect(() => {
    if (!isLost) return;
    fetchTopology(topology.id).then(
      () => void reload(), // its job may be the deleted one
      (error: unknown) => {
        if (toRefusal(error).status === 404) setGone(true);
      },
    );
  }, [isLost, topology.id, reload]);
  return isGone || isDraftGone;
}
