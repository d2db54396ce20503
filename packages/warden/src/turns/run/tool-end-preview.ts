/** What people see of the end of a tool call, as it happens: a glimpse. The model gets it all. */
import type { DeltaEvent } from "@hearth/protocol";

/** Longest tool output in a delta. */
const MAX_GLIMPSE = 4000;

export const toolEnd = (end: {
  readonly at: number;
  readonly call: string;
  readonly name: string;
  readonly failed: boolean;
  readonly text: string;
  readonly durationMs: number;
}): DeltaEvent => {
  const { text, ...rest } = end;
  return { type: "tool-end", ...rest, output: text.slice(0, MAX_GLIMPSE) };
};
