/** Builds the preview of a tool's result for watchers. The model gets the whole result. */
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
