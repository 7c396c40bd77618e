/** The gallery: applications to begin a topology with. */

import type { Application } from "../../api/types";
import { wordsOf } from "./cards";

/** Those that hold every word of the search in their id, their name or what they are about. */
export function findApplications(applications: readonly Application[], search: string): readonly Application[] {
  const words = wordsOf(search);
  return applications.filter(({ id, name, about }) => {
    const text = `${id} ${name} ${about}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** What import reads to make a topology of it. */
export function exportedFrom({ name, graph }: Application): unknown {
  return { streamwright: 1, name, graph };
}
