import { listProjects, useRights } from "../../api/rights";

const DEFAULT = "default";

/** The chosen project, else `default` if the user may draw in it, else the first where they may. */
export function useProject(choice: string | undefined): string {
  const rights = useRights();
  const projects = rights === null ? [] : listProjects(rights, "editor");
  return choice ?? (projects.includes(DEFAULT) ? DEFAULT : (projects[0] ?? DEFAULT));
}
