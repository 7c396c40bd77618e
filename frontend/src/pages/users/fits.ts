import type { User } from "../../api/types";

/** Whether the text is in a user's name, or in the name of one of their groups. */
export function fits({ name, groups }: Pick<User, "name" | "groups">, text: string): boolean {
  const query = text.trim().toLowerCase();
  return [name, ...groups].some((one) => one.toLowerCase().includes(query));
}
