import { Dialog } from "../../ui/messages/Dialog";
import { listShortcuts } from "./listShortcuts";
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
