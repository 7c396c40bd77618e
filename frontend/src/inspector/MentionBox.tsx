import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { listPeople } from "../api/comments";
import { complete, findMention, findNames, type Mention } from "./mentioning";
import { findNextPlace, showOption } from "../ui/controls/options";
import "../ui/controls/options.css";

interface Props {
  readonly topology: number;
  readonly text: string;
  readonly whyNot: string | null;
  readonly change: (text: string) => void;
}

/** The text of a comment. After an `@` it lists the users who may see the topology. */
export function MentionBox({ topology, text, whyNot, change }: Props) {
  const list = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const [mention, setMention] = useState<Mention | null>(null);
  const [active, setActive] = useState(0);
  const names = usePeople(topology, mention !== null);
  const choices = mention === null ? [] : findNames(names, mention.part);
  const isOpen = choices.length > 0;

  useLayoutEffect(() => {
    if (caret.current === null) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);

  const look = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    setMention(selectionStart === selectionEnd ? findMention(value, selectionStart) : null);
    setActive(0);
  };
  const choose = (name: string | undefined) => {
    if (mention === null || name === undefined) return;
    const whole = complete(text, mention, mention.start + 1 + mention.part.length, name);
    caret.current = whole.caret;
    setMention(null);
    change(whole.text);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      setActive(findNextPlace(active, event.key === "ArrowDown" ? 1 : -1, choices.length));
    } else if (event.key === "Enter" || event.key === "Tab") choose(choices[active]);
    else if (event.key === "Escape") {
      event.stopPropagation();
      setMention(null);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="option-box mention-box">
      <textarea
        ref={box}
        role="combobox"
        aria-label="New comment"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${list}-${active}` : undefined}
        placeholder="Comment on this node. @name mentions a user."
        rows={2}
        maxLength={2_000}
        value={text}
        disabled={whyNot !== null}
        title={whyNot ?? undefined}
        onChange={({ target }) => {
          change(target.value);
          look(target);
        }}
        onClick={({ currentTarget }) => look(currentTarget)}
        onBlur={() => setMention(null)}
        onKeyDown={handleKey}
      />
      <ul id={list} role="listbox" aria-label="Users" hidden={!isOpen}>
        {choices.map((name, index) => (
          <li
            key={name}
            id={`${list}-${index}`}
            ref={index === active ? showOption : null}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(name)}
          >
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The names of the users who may see a topology, once they are wanted. Empty without an answer. */
function usePeople(topology: number, isWanted: boolean): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const show = (people: readonly string[]) => isCurrent && setNames(people);
    void listPeople(topology).then(show, () => undefined); // the name can be written without the list
    return () => {
      isCurrent = false;
    };
  }, [topology, isWanted]);
  return names;
}
