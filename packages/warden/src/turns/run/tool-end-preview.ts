/** Builds the preview of a tool's result for watchers. The model gets the whole result. */
import type { DeltaEvent } from "@hearth/protocol";

/** Longest tool output in a delta. */
const MAX_PREVIEW_LENGTH = 4000;

export const toToolEnd = (end: {
  readonly at: number;
  readonly call: string;
  readonly name: string;
  readonly failed: boolean;
  readonly text: string;
  readonly durationMs: number;
}): DeltaEvent => {
  const { text, ...otherFields } = end;
  return { type: "tool-end", ...otherFields, output: text.slice(0, MAX_PREVIEW_LENGTH) };
};
