import { useRights } from "../../api/rights";

/** Its project, shown to users who see several. */
export function ProjectWord({ name }: { readonly name: string }) {
  const rights = useRights();
  return rights !== null && rights.projects.length > 1 ? ` in ${name}` : null;
}
