import { Fragment } from "react";

/** A message of the server. Text between backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => {
    const Part = index % 2 === 1 ? "code" : Fragment;
    return <Part key={index}>{part}</Part>;
  });
}
