/** The page's own icons: our word for each, and its name in Lucide. Operators name theirs in their classes. */
export const ICONS = {
  back: "chevron-left",
  deploy: "upload",
  stop: "square",
  restart: "rotate-cw",
  search: "search",
  warning: "triangle-alert",
  note: "info",
  import: "download",
  leave: "log-out",
  open: "chevron-right",
  close: "x",
  add: "plus",
  up: "arrow-up",
  down: "arrow-down",
  undo: "undo-2",
  redo: "redo-2",
  more: "ellipsis",
  operator: "box",
  stream: "waves",
  table: "table-2",
  global: "globe",
  group: "group",
  pin: "pin",
  comment: "message-square",
} as const;

export type IconName = keyof typeof ICONS;
