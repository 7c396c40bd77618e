import { Dialog } from "../../ui/messages/Dialog";
import { withControl } from "../../ui/browser/keys";
import "./ShortcutsDialog.css";

/** All keys and gestures of the canvas. */
export function ShortcutsDialog({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <div className="shortcuts">
        {listShortcuts().map(({ name, shortcuts }) => (
          <section key={name} aria-label={name}>
            <h3>{name}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The keys and gestures of the canvas, as its list shows them. */

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

export interface ShortcutGroup {
  readonly name: string;
  readonly shortcuts: readonly Shortcut[];
}

export function listShortcuts(): readonly ShortcutGroup[] {
  return [
    {
      name: "Add",
      shortcuts: [
        { keys: "/", does: "Search operators; Enter adds the first" },
        { keys: "Tab", does: "Add after the selected node, or into the selected edge" },
        { keys: "Click an output", does: "Add a node after it" },
        { keys: "Double-click the canvas", does: "Add there" },
        { keys: "N", does: "Add a note" },
        { keys: withControl("G"), does: "Frame the selection" },
        { keys: withControl("D"), does: "Duplicate" },
        { keys: "Alt+drag", does: "Copy to another place" },
      ],
    },
    {
      name: "Select",
      shortcuts: [
        { keys: "Shift+click", does: "Add to the selection" },
        { keys: "Drag on the canvas", does: "Select in a box" },
        { keys: withControl("A"), does: "Select all" },
        { keys: withControl("K"), does: "Find a node, topic, setting or command" },
        { keys: "Esc", does: "Leave, or select nothing" },
      ],
    },
    {
      name: "Change",
      shortcuts: [
        { keys: "Enter", does: "Go to the settings; Esc returns" },
        { keys: "F2", does: "Rename (or double-click)" },
        { keys: "B", does: "Bypass, or end the bypass" },
        { keys: "Delete", does: "Delete, and join the neighbours" },
        { keys: "Arrow keys", does: "Move" },
        { keys: `${withControl("C")}, X, V`, does: "Copy, cut, paste" },
        { keys: withControl("Z"), does: "Undo" },
        { keys: withControl("Z", true), does: "Redo" },
        { keys: withControl("S"), does: "Save now" },
      ],
    },
    {
      name: "View",
      shortcuts: [
        { keys: "1", does: "See all" },
        { keys: "0", does: "Zoom to 100 %" },
        { keys: "+, −", does: "Zoom in, out" },
        { keys: "Wheel, middle button", does: "Move the view" },
        { keys: "[, ]", does: "Fold the palette, the inspector" },
        { keys: "F6", does: "Go to the next part of the screen" },
        { keys: "?", does: "Show this list" },
      ],
    },
  ];
}
