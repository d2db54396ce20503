/** Which bot is meant where none is named. */
import type { AgentRecord } from "@hearth/protocol";
import { UsageError } from "./usage-error.ts";

export interface Asking {
  /** What is asked where it could be any of several. */
  readonly question: string;
  /** What one writes before a name, as an answer. */
  readonly before: string;
}

/** `main`, or the only one, whatever it is called. Throws a `UsageError` that names the others. */
export const defaultBot = (agents: readonly AgentRecord[], { question, before }: Asking): AgentRecord => {
  const bots = agents.filter(({ content }) => content.kind === "bot");
  const [first, ...more] = bots;
  if (first === undefined) throw new UsageError("There is no bot here.", "Add one: hearth agent add NAME");
  const found = bots.find(({ handle }) => handle === "main") ?? (more.length === 0 ? first : undefined);
  if (found !== undefined) return found;
  throw new UsageError(question, `Name one: ${before} ${bots.map(({ handle }) => handle).join(" | ")}`);
};
