import { ChoiceControl } from "./ChoiceControl";
import type { ControlProps } from "./control";
import { DurationControl } from "./DurationControl";
import { NumberControl } from "./NumberControl";
import { SegmentsControl } from "./SegmentsControl";
import { SwitchControl } from "./SwitchControl";
import { TextControl } from "./TextControl";

/** The control of a field with one plain value. */
export function ValueControl(props: ControlProps) {
  switch (props.field.kind) {
    case "number":
      return <NumberControl {...props} />;
    case "duration":
      return <DurationControl {...props} />;
    case "choice":
      return <ChoiceControl {...props} />;
    case "segments":
      return <SegmentsControl {...props} />;
    case "switch":
      return <SwitchControl {...props} />;
    default:
      return <TextControl {...props} />;
  }
}
