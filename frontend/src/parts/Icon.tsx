/** Line icons on a 16 × 16 grid. Never alone: a word stands beside each. */
const PATHS = {
  back: "M10 3 5 8l5 5",
  deploy: "M8 11V3M4.5 6.5 8 3l3.5 3.5M3 13h10",
  stop: "M4 4h8v8H4z",
  restart: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.7 10.7 14 14",
  warning: "M8 2.5 14.5 13.5h-13ZM8 6.5v3M8 11.5v.1",
  note: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5v.1",
  import: "M8 3v8M4.5 7.5 8 11l3.5-3.5M3 13h10",
  leave: "M6.5 3H3v10h3.5M7 8h6.5M11 5.5 13.5 8 11 10.5",
  open: "M6 3l5 5-5 5",
  close: "M4 4l8 8M12 4l-8 8",
  add: "M8 3v10M3 8h10",
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  undo: "M6 3 2.8 6.2 6 9.4M3 6.2h6.2a3.8 3.8 0 0 1 0 7.6H6",
  redo: "M10 3l3.2 3.2L10 9.4M13 6.2H6.8a3.8 3.8 0 0 0 0 7.6H10",
  more: "M3.2 8h.1M8 8h.1M12.8 8h.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 14 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
