import { createContext } from "react";

/** Asks for the node to insert into an edge, by its key. Null where nothing is drawn. */
export const InsertContext = createContext<((edge: string) => void) | null>(null);
