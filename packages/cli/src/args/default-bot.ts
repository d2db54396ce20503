/** Chooses the bot for commands that were given none. */
import type { AgentRecord } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

export interface BotQuestion {
  /** The error message when several bots are possible. */
  readonly question: string;
  /** The command or flag to write before the name, for the hint. */
  readonly before: string;
}

/**
 * The bot `main`, or the only bot. Throws a `UsageError` that lists the bots when there are
 * several.
 */
export const defaultBot = (agents: readonly AgentRecord[], { question, before }: BotQuestion): AgentRecord => {
  const bots = agents.filter(({ content }) => content.kind === "bot");
  const [first, ...more] = bots;
  if (first === undefined) throw new UsageError("There is no bot.", "Add one: hearth agent add NAME");
  const found = bots.find(({ handle }) => handle === "main") ?? (more.length === 0 ? first : undefined);
  if (found !== undefined) return found;
  throw new UsageError(question, `Choose one: ${before} ${bots.map(({ handle }) => handle).join(" | ")}`);
};
