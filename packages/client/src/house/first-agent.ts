/** Finds the agent for the welcome: the house's initial agent, or else the oldest one. */
import type { AgentRecord } from "@hearth/protocol";

export const pickFirstAgent = (agents: Iterable<AgentRecord>): AgentRecord | undefined => {
  const bots = [...agents].filter(({ content }) => content.kind === "bot");
  return bots.find(({ handle }) => handle === "main") ?? bots.sort((a, b) => a.createdAt - b.createdAt)[0];
};
