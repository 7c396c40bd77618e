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

function listShortcuts(): readonly ShortcutGroup[] {
  return [
    {
      name: "Add",
      shortcuts: [
        { keys: "/", does: "Search operators; Enter adds the first" },
        { keys: "Tab", does: "Add after the selected node, or into the selected edge" },
        { keys: "Click an output", does: "Add a node after it" },
        { keys: "+ on an edge", does: "Insert a node there" },
        { keys: "Double-click the canvas", does: `Add there (or ${withControl("click")})` },
        { keys: "N", does: "Add a note (or Shift+S)" },
        { keys: withControl("G"), does: "Frame the selection; with Shift, remove the frame" },
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
        { keys: "Arrow keys", does: "Go to the neighbours" },
        { keys: "Shift+←, →", does: "Add all before, all behind" },
        { keys: "Alt+S, then U, D, C", does: "Add all before, all behind, all connected" },
        { keys: withControl("K"), does: "Find a node, topic, setting or command (/ only commands, @ only the rest)" },
        { keys: "Esc", does: "Leave, or select nothing" },
      ],
    },
    {
      name: "Change",
      shortcuts: [
        { keys: "Enter", does: "Go to the settings; Esc returns" },
        { keys: "F2", does: "Rename (or double-click the name)" },
        { keys: "B", does: "Bypass, or end the bypass (or D)" },
        { keys: "Delete", does: "Delete, and join the neighbours" },
        { keys: withControl("arrow key"), does: "Move; with Shift, farther" },
        { keys: `${withControl("C")}, X, V`, does: "Copy, cut, paste" },
        { keys: withControl("V", true), does: "Paste, and keep the edges into it" },
        { keys: withControl("Z"), does: "Undo" },
        { keys: withControl("Z", true), does: "Redo" },
        { keys: withControl("S"), does: "Save now" },
      ],
    },
    {
      name: "View",
      shortcuts: [
        { keys: "1", does: "See all" },
        { keys: ".", does: "See the selection" },
        { keys: "0", does: "Zoom to 100 %" },
        { keys: "+, −", does: "Zoom in, out" },
        { keys: "Wheel, middle button", does: "Move the view" },
        { keys: "P", does: "Pin the newest record of the selected nodes, or take it off" },
        { keys: withControl("Enter"), does: "Try the topology on the newest records" },
        { keys: "[, ]", does: "Fold the palette, the inspector" },
        { keys: "F6", does: "Go to the next part of the screen" },
        { keys: "?", does: "Show this list" },
      ],
    },
  ];
}
