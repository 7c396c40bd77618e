import { useId, useState, type KeyboardEvent } from "react";
import type { Topic } from "../../api/types";
import { formatAmount } from "../../ui/text/format";
import type { CellAria } from "../form/controls";
import { findNextPlace, showOption } from "../../ui/controls/options";
import "../../ui/controls/options.css";
import { findTopics } from "./fitting";
import "./TopicBox.css";

interface Props {
  readonly name: string;
  readonly topics: readonly Topic[];
  readonly change: (name: string) => void;
  /** The user is in the middle of a name. */
  readonly begin: () => void;
  /** A name is whole. */
  readonly finish: () => void;
  readonly aria: CellAria;
}

/** A combobox: typing filters the list, and other names are allowed. */
export function TopicBox({ name, topics, change, begin, finish, aria }: Props) {
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [active, setActive] = useState(-1);
  const choices = isTyped ? findTopics(topics, name) : topics;

  const openAll = () => {
    if (isOpen) return;
    setOpen(true);
    setActive(topics.findIndex((topic) => topic.name === name));
  };
  const close = () => {
    setOpen(false);
    setTyped(false);
    setActive(-1);
  };
  const choose = (name: string) => {
    change(name);
    close();
    finish();
  };
  const hasList = isOpen && choices.length > 0;
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) openAll();
      else setActive(findNextPlace(active, event.key === "ArrowDown" ? 1 : -1, choices.length));
    } else if (event.key === "Enter" && isOpen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose(choices[active]?.name ?? name);
    } else if (event.key === "Escape" && hasList) {
      event.stopPropagation();
      close();
    }
  };
  return (
    <div className="option-box topic-box">
      <input
        type="text"
        role="combobox"
        spellCheck={false}
        autoComplete="off"
        placeholder="Pick or type a name"
        value={name}
        aria-expanded={hasList}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={hasList && active >= 0 ? `${list}-${active}` : undefined}
        onChange={(event) => {
          begin();
          change(event.target.value);
          setOpen(true);
          setTyped(true);
          setActive(-1);
        }}
        onClick={openAll}
        onBlur={() => {
          close();
          finish();
        }}
        onKeyDown={handleKey}
        {...aria}
      />
      <ul id={list} role="listbox" aria-label="Topics" hidden={!hasList}>
        {choices.map((topic, index) => (
          <li
            key={topic.name}
            id={`${list}-${index}`}
            ref={index === active ? showOption : null}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(topic.name)}
          >
            <span className="mono">{topic.name}</span>
            <span className="quiet number">{formatAmount(topic.partitions, "partition")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
