/**
 * Puts frames around tool results that may contain text of third parties, so that the model sees
 * where that text begins and ends. The name of a frame derives from the session: a result reads the
 * same in every round and after a restart, and authors of the text cannot know the name.
 */
import { isTainted, type Label, type ModelMessage, type ToolCall, type World } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { labelOfTool } from "./result-labels.ts";

export interface ResultFrames {
  /** Records the label of this call's result. */
  note(call: Pick<ToolCall, "id">, label: Label): void;
  /**
   * Puts a frame around each tainted result, whatever the cell reports. A result without a recorded
   * label counts as its tool's.
   */
  around(messages: readonly ModelMessage[]): readonly ModelMessage[];
}

/** Long enough that it cannot be guessed and never occurs in a text by chance. */
const LENGTH = 10;

export const createResultFrames = (options: {
  readonly world: Pick<World, "ids">;
  readonly session: string;
  readonly table: ToolTable;
}): ResultFrames => {
  const { world, session, table } = options;
  const frame = world.ids.derive("ses", session, "frame").slice(-LENGTH);
  /** By call id. Some models reuse ids in each round; then the weakest label counts. */
  const tainted = new Map<string, boolean>();
  return {
    note: ({ id }, label) => void tainted.set(id, (tainted.get(id) ?? false) || isTainted(label)),
    around: (messages) =>
      messages.map((message) => {
        if (message.role !== "tool") return message;
        const { frame: _, ...bare } = message;
        return (tainted.get(message.call) ?? isTainted(labelOfTool(message.name, table))) ? { ...bare, frame } : bare;
      }),
  };
};
