/**
 * The frames around tools' results that others may have written: a model reads where their words begin and end. What a frame is called derives from
 * the session, so a result reads the same in every round and after a restart, and whoever wrote the words cannot know it.
 */
import { isTainted, type Label, type ModelMessage, type ToolCall, type World } from "@hearth/protocol";
import type { ToolTable } from "@hearth/protocol/tools";
import { labelOfTool } from "./result-labels.ts";

export interface ResultFrames {
  /** Where the result of this call came from. */
  note(call: Pick<ToolCall, "id">, label: Label): void;
  /** With a frame around each result that has to have one, whatever the cell says of it. What is not known here counts as its tool's. */
  around(messages: readonly ModelMessage[]): readonly ModelMessage[];
}

/** Enough that nobody guesses it, and no text has it in it by chance. */
const LENGTH = 10;

export const createResultFrames = (options: {
  readonly world: Pick<World, "ids">;
  readonly session: string;
  readonly table: ToolTable;
}): ResultFrames => {
  const { world, session, table } = options;
  const frame = world.ids.derive("ses", session, "frame").slice(-LENGTH);
  /** By call. Some models count their calls anew in each round: then the weakest counts. */
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
