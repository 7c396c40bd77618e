/** The parts of the form for new records. */
import { useState } from "react";
import { Refusal } from "../../api/refusal";
import type { TopicDetails, TopicSchema } from "../../api/types";
import { FileButton } from "../../ui/controls/FileButton";
import { FormatChoice } from "./FormatChoice";
import { holdsRecords, type RecordForm } from "./sending";
import { SideText } from "./SideText";
import { ValueForm } from "./ValueForm";
import { listFields } from "./valueFields";

const MAX_FILE = 20 * 1_024 * 1_024;

interface Props {
  readonly form: RecordForm;
  readonly change: (part: Partial<RecordForm>) => void;
}

interface TopicProps extends Props {
  /** Null while unknown. */
  readonly details: TopicDetails | null;
  /** The schemas of the registry for the topic. */
  readonly schemas: readonly TopicSchema[];
}

interface SideProps extends TopicProps {
  readonly side: "key" | "value";
}

/** The text of a key or value, with its format and schema. */
export function SidePart({ side, form, details, schemas, change }: SideProps) {
  const { formats, schemas: chosen } = form;
  const changeText = (text: string | null) => {
    const isEachLine = side === "value" && holdsRecords(text) && !holdsRecords(form.value);
    change({ [side]: text, ...(isEachLine && { isEachLine }) });
  };
  return (
    <SideText
      label={side === "key" ? "Key" : "Value"}
      text={form[side]}
      change={changeText}
      rows={side === "key" ? 1 : 8}
    >
      <FormatChoice
        label={`Format of the ${side}`}
        value={formats[side]}
        guess={details?.[side].format ?? null}
        change={(format) => change({ formats: { ...formats, [side]: format } })}
      />
      <SchemaChoice
        label={`Schema of the ${side}`}
        schemas={schemas.filter((schema) => schema.side === side)}
        value={chosen[side]}
        change={(id) => change({ schemas: { ...chosen, [side]: id } })}
      />
    </SideText>
  );
}

interface SchemaChoiceProps {
  readonly label: string;
  readonly schemas: readonly TopicSchema[];
  readonly value: number | null;
  readonly change: (id: number | null) => void;
}

/** A schema of the registry for the written side. The server checks the text against it. */
function SchemaChoice({ label, schemas, value, change }: SchemaChoiceProps) {
  if (schemas.length === 0) return null;
  return (
    <select
      aria-label={label}
      title={label}
      value={value ?? ""}
      onChange={({ target }) => change(target.value === "" ? null : Number(target.value))}
    >
      <option value="">without a schema</option>
      {schemas.map(({ id, subject, version }) => (
        <option key={id} value={id}>
          {subject === "" ? `id ${id}` : `${subject} version ${version}, id ${id}`}
        </option>
      ))}
    </select>
  );
}

/** The value by its fields, if it is one object whose fields are known. */
export function FieldsPart({ form, details, schemas, change }: TopicProps) {
  const [isOpen, open] = useState(false);
  const chosen = schemas.find(({ side, id }) => side === "value" && id === form.schemas.value);
  const type = form.schemas.value === null ? details?.value.type : (chosen?.type ?? undefined);
  const hasFields = chosen === undefined ? hasKnownFields(details, form) : listFields(type).length > 0;
  if (form.isEachLine || form.value === null || !hasFields) return null;
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>Fill in the fields</summary>
      {isOpen && (
        <div className="controls">
          <ValueForm text={form.value} type={type} change={(value) => change({ value })} />
        </div>
      )}
    </details>
  );
}

/** Whether the topic holds objects of known fields, in the format of the form. */
function hasKnownFields(details: TopicDetails | null, { formats }: RecordForm): boolean {
  if (details === null) return false;
  const { format, type } = details.value;
  const isRight = formats.value === null ? format === "json" : formats.value === format;
  return isRight && listFields(type).length > 0;
}

/** Whether each line is a record, and where its key is. */
export function LinesPart({ form, change, refuse }: Props & { readonly refuse: (refusal: Refusal) => void }) {
  const readFile = (file: File) => {
    if (file.size > MAX_FILE) {
      refuse(new Refusal(422, "file.large", `${file.name} is larger than 20 MiB.`, "Split it into several files."));
      return;
    }
    void file.text().then((value) => change({ value, isEachLine: true }));
  };
  return (
    <div className="send-lines controls">
      <label className="check">
        <input
          type="checkbox"
          checked={form.isEachLine}
          onChange={({ target }) => change({ isEachLine: target.checked })}
        />
        Each line of the value is a record
      </label>
      {form.isEachLine && (
        <>
          <label>
            Field that is the key{" "}
            <input
              value={form.keyField}
              placeholder="none"
              onChange={({ target }) => change({ keyField: target.value, separator: "" })}
            />
          </label>
          <label title="The text between key and value, such as : for alice:3">
            Key before{" "}
            <input
              value={form.separator}
              placeholder="none"
              size={3}
              onChange={({ target }) => change({ separator: target.value, keyField: "" })}
            />
          </label>
        </>
      )}
      <FileButton label="File with a record on each line" pick={readFile}>
        Read lines from a file
      </FileButton>
    </div>
  );
}

export function MetadataPart({ form, partitions, change }: Props & { readonly partitions: number }) {
  return (
    <details>
      <summary>Headers, partition and time</summary>
      <div className="controls form-rows">
        <label>
          <span>Headers, one per line (name: value)</span>
          <textarea
            rows={3}
            value={form.headers}
            spellCheck={false}
            onChange={({ target }) => change({ headers: target.value })}
          />
        </label>
        <label>
          <span>Partition</span>
          <select value={form.partition} onChange={({ target }) => change({ partition: target.value })}>
            <option value="">the key decides</option>
            {Array.from({ length: partitions }, (_, number) => (
              <option key={number}>{number}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Time (empty: now)</span>
          <input
            type="datetime-local"
            step="0.001"
            value={form.time}
            onChange={({ target }) => change({ time: target.value })}
          />
        </label>
      </div>
    </details>
  );
}
