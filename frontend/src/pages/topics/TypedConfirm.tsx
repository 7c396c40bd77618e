import { useState, type ReactNode } from "react";
import { Refusal } from "../../api/refusal";
import "../../ui/controls/controls.css";
import { Confirm } from "../../ui/messages/Confirm";
import "../../ui/controls/FormRows.css";

interface Props {
  readonly title: string;
  readonly verb: string;
  /** The text to type. */
  readonly name: string;
  readonly act: () => Promise<unknown>;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Asks for a name before an action that cannot be undone. */
export function TypedConfirm({ title, verb, name, act, close, children }: Props) {
  const [text, setText] = useState("");
  const hint = `Type ${name} to continue.`;
  const actIfRight = () =>
    text === name ? act() : Promise.reject(new Refusal(422, "name.wrong", "The name does not match.", hint));
  return (
    <Confirm title={title} verb={verb} look="danger" act={actIfRight} close={close}>
      {children}
      <div className="controls form-rows">
        <label>
          <span>
            Type <b>{name}</b> to confirm
          </span>
          <input
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      </div>
    </Confirm>
  );
}
