/** Chooses the bot for a command whose arguments name no bot. */
import type { AgentRecord } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

export interface BotQuestion {
  /** The error message when several bots are possible. */
  readonly question: string;
  /** The command or flag that the hint shows before the name. */
  readonly hintPrefix: string;
}

/**
 * Returns the bot `main`, or the only bot. Throws a `UsageError` that lists the bots when there are
 * several.
 */
export const findDefaultBot = (agents: readonly AgentRecord[], { question, hintPrefix }: BotQuestion): AgentRecord => {
  const bots = agents.filter(({ content }) => content.kind === "bot");
  const [firstBot, ...otherBots] = bots;
  if (firstBot === undefined) throw new UsageError("There is no bot.", "Add one: hearth agent add NAME");
  const bot = bots.find(({ handle }) => handle === "main") ?? (otherBots.length === 0 ? firstBot : undefined);
  if (bot !== undefined) return bot;
  throw new UsageError(question, `Choose one: ${hintPrefix} ${bots.map(({ handle }) => handle).join(" | ")}`);
};
