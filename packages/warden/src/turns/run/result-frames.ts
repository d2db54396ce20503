/**
 * Puts frames around tool results that may contain text of third parties, so that the model sees
 * where that text begins and ends. The name of the frame derives from the session, so it is the
 * same in every round and after a restart, and the authors of the text cannot know it.
 */
import { isTainted, type Label, type ModelMessage, type ToolCall, type World } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { labelOfTool } from "./result-labels.ts";

export interface ResultFrames {
  /** Records the label of this call's result. */
  recordLabel(call: Pick<ToolCall, "id">, label: Label): void;
  /** Puts a frame around each tainted result. Without a recorded label, the tool's label counts. */
  addFrames(messages: readonly ModelMessage[]): readonly ModelMessage[];
}

/** Length of a frame's name: it cannot be guessed and occurs in no text by chance. */
const FRAME_NAME_LENGTH = 10;

export const createResultFrames = (options: {
  readonly world: Pick<World, "ids">;
  readonly session: string;
  readonly table: ToolTable;
}): ResultFrames => {
  const { world, session, table } = options;
  const frame = world.ids.derive("ses", session, "frame").slice(-FRAME_NAME_LENGTH);
  /** Whether a result is tainted, by call id. If a model reuses an id, taint of either call counts. */
  const taintedCalls = new Map<string, boolean>();
  return {
    recordLabel: ({ id }, label) => void taintedCalls.set(id, (taintedCalls.get(id) ?? false) || isTainted(label)),
    addFrames: (messages) =>
      messages.map((message) => {
        if (message.role !== "tool") return message;
        const { frame: _, ...withoutFrame } = message;
        return (taintedCalls.get(message.call) ?? isTainted(labelOfTool(message.name, table)))
          ? { ...withoutFrame, frame }
          : withoutFrame;
      }),
  };
};
