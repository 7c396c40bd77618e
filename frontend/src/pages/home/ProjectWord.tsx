import { useRights } from "../../api/rights";

/** In which project it lies, told to those who see several. */
export function ProjectWord({ name }: { readonly name: string }) {
  const rights = useRights();
  return rights !== null && rights.projects.length > 1 ? ` in ${name}` : null;
}
