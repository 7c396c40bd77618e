import { useState } from "react";
import { changeTopology } from "../../api/calls";
import { useDraftGraph } from "../../api/useGraph";
import { makeApplicationId, proposeName, UNTITLED } from "./naming";

interface Naming {
  /** The new name where it has one, else the present one. */
  readonly name: string;
  /** The text of the field for the new name. Null: the topology keeps its name. */
  readonly newName: string | null;
  readonly rename: (name: string) => void;
  /** The application id without the prefix, typed or made of the new name. Null: the server chooses. */
  readonly id: string | null;
  readonly changeId: (id: string) => void;
  /** Sends the name and the id to the server. */
  readonly save: () => Promise<void>;
}

/** The name and the application id that a topology gets at its first deploy. */
export function useNaming(present: string, topology: number | null, isFirst: boolean): Naming {
  const [typedName, rename] = useState<string | null>(null);
  const [typedId, changeId] = useState<string | null>(null);
  const isUnnamed = isFirst && present === UNTITLED && topology !== null;
  const draft = useDraftGraph(isUnnamed ? topology : null);
  const newName = isUnnamed && draft !== null ? (typedName ?? proposeName(draft)) : null;
  const name = newName?.trim() ?? "";
  const id = typedId ?? (name === "" ? null : makeApplicationId(name));
  const save = async () => {
    if (id === null || topology === null) return;
    await changeTopology(topology, { slug: id, ...(name !== "" && { name }) });
  };
  return { name: name || present, newName, rename, id, changeId, save };
}
