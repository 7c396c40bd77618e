import { compareNames } from "../../../api/byName";
import type { Disk } from "../../../api/types";
import { formatBytes } from "../../../ui/text/format";
import type { LiveState } from "../../../live/state";

export interface DiskLine {
  readonly title: string;
  readonly path: string;
  readonly size: string;
}

/** The folders of a job with their sizes. None before the first run. Executors keep their own state. */
export function listFolders({ checkpoint, state }: Disk, isOnSpark: boolean): readonly DiskLine[] {
  return [listFolder("Checkpoint", checkpoint), listFolder(isOnSpark ? "Files of the driver" : "State", state)].flat();
}

function listFolder(title: string, folder: Disk["checkpoint"]): readonly DiskLine[] {
  if (folder === null) return [];
  const { path, bytes: usage, is_whole } = folder;
  const size = usage === null ? "not here" : `${is_whole ? "" : "more than "}${formatBytes(usage)}`;
  return [{ title, path, size }];
}

export interface HostMemory {
  readonly host: string;
  readonly role: "driver" | "executors";
  /** In bytes. */
  readonly bytes: number;
}

/** A run's memory on each host, its own first. Empty until it was counted. */
export function splitMemoryByHost(state: LiveState | null): readonly HostMemory[] {
  const memory = state?.numbers?.memory ?? null;
  if (state === null || memory === null) return [];
  const executors = Object.entries(state.numbers?.executors ?? {}).sort(([one], [other]) => compareNames(one, other));
  const elsewhere = executors.reduce((sum, [, bytes]) => sum + bytes, 0);
  return [
    { host: state.jobStatus.host, role: "driver", bytes: memory - elsewhere },
    ...executors.map(([host, bytes]) => ({ host, role: "executors" as const, bytes })),
  ];
}
