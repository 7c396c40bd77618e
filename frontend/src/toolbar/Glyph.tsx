/** Icons of the toolbar, on the 16 × 16 grid of parts/Icon. */
const PATHS = {
  undo: "M6 3 2.8 6.2 6 9.4M3 6.2h6.2a3.8 3.8 0 0 1 0 7.6H6",
  redo: "M10 3l3.2 3.2L10 9.4M13 6.2H6.8a3.8 3.8 0 0 0 0 7.6H10",
  more: "M3.2 8h.1M8 8h.1M12.8 8h.1",
} as const;

export function Glyph({ name }: { readonly name: keyof typeof PATHS }) {
  const width = name === "more" ? 2.4 : 1.6;
  return (
    <svg width="15" height="15" viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} stroke="currentColor" strokeWidth={width} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
