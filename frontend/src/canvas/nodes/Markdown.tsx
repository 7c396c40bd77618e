import { compiler } from "markdown-to-jsx/react";
import type { ReactNode } from "react";

/** Markdown as elements. HTML in it stays text, links open a new tab, and foreign pictures are not fetched. */
export default function Markdown({ text }: { readonly text: string }) {
  return <>{compiler(text, OPTIONS)}</>;
}

const OPTIONS = {
  disableParsingRawHTML: true,
  overrides: {
    a: ({ href, children }: { readonly href?: string; readonly children?: ReactNode }) => (
      <a className="nodrag nopan" href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ),
    img: ({ alt = "" }: { readonly alt?: string }) => <>{alt}</>,
    input: ({ checked = false }: { readonly checked?: boolean }) => <>{checked ? "☑ " : "☐ "}</>,
  },
};
