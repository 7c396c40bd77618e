import type { Disk } from "../../../api/types";
import { formatBytes } from "../../../ui/text/format";

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
