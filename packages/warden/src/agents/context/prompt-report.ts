/** Reports the parts of a prompt to people. */
import type { AudienceOf } from "../../people/index.ts";
import type { AgentRecord, PromptPartReport, PromptReport, RoomRecord } from "@hearth/protocol";
import type { Context } from "./context.ts";
import type { ContextPart } from "./parts.ts";

/**
 * Reports what the agent's next turn in that room would receive. Without a room, reports it for a
 * turn that only the agent's own people see.
 */
export type PromptReports = (agent: AgentRecord, room?: RoomRecord) => Promise<PromptReport>;

export const createPromptReports =
  ({
    context,
    audienceOf,
  }: {
    readonly context: Pick<Context, "parts">;
    readonly audienceOf: AudienceOf;
  }): PromptReports =>
  async (agent, room) => {
    const audience = room === undefined ? "private" : await audienceOf(agent, room);
    const parts = (await context.parts(agent, audience)).map(toPart);
    return { audience, parts, tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0) };
  };

const toPart = ({ name, place, text, file }: ContextPart): PromptPartReport => ({
  name,
  place,
  text,
  length: text.length,
  fileLength: file?.length ?? text.length,
  tokens: estimateTokens(text),
  isCut: file?.isCut ?? false,
  hiddenLines: file?.hiddenLines ?? 0,
});

/** Average number of bytes per token of ordinary text. */
const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text. Models count differently. */
export const estimateTokens = (text: string): number =>
  Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN);
