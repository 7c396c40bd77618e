import { useCallback, type ComponentProps } from "react";
import { fetchSampleData } from "../../../../api/feed";
import { useResource } from "../../../../api/useResource";
import { RemoveQuestion } from "../../../../canvas/sample/SampleDataPanel";
import { DeleteQuestion } from "./DeleteQuestion";

interface Props extends ComponentProps<typeof DeleteQuestion> {
  readonly topology: number;
}

/** Asks before a topology is deleted. One that runs with sample data takes its job and its topics with it. */
export function DeleteTopology({ topology, ...question }: Props) {
  const load = useCallback(async () => ({ sample: await fetchSampleData(topology) }), [topology]);
  const { data, refusal } = useResource(load);
  if (data === null && refusal === null) return null;
  const sample = data?.sample ?? null;
  return sample === null ? <DeleteQuestion {...question} /> : <RemoveQuestion data={sample} close={question.close} />;
}
