/** Resolves the brain and the person of a request. */
import type { Brain } from "../../agents/index.ts";
import type { Principal } from "../../people/index.ts";
import { type AgentId, type AgentRecord, HearthError } from "@hearth/protocol";
import type { RouteOptions } from "./route.ts";

/**
 * Returns the brain. Throws `record.not-found`, and `brain.not-found` for a person and for an
 * external bot.
 */
export const brainOf = async (options: RouteOptions, principal: Principal, name: string): Promise<Brain> =>
  options.areas.agents.brains.open(await botOf(options, principal, name));

/** Returns the bot that has the brain. Throws the same errors as `brainOf`. */
export const botOf = async ({ access }: RouteOptions, principal: Principal, name: string): Promise<AgentRecord> => {
  const agent = await access.find(principal, "agent", name);
  if (agent.content.kind === "bot" && agent.content.runs !== "elsewhere") return agent;
  throw new HearthError(
    "brain.not-found",
    `${agent.content.name} has no brain here, because it is not a bot of this house.`,
    {
      hint: "List the bots: hearth agent list",
    },
  );
};

/**
 * Returns the requesting person. A bot with a key is refused at any level, because its brain
 * changes must pass the choke point.
 */
export const personOf = async ({ access }: RouteOptions, principal: Principal): Promise<AgentId> => {
  const { id, content } = await access.self(principal);
  if (content.kind === "human") return id;
  throw new HearthError("auth.denied", "Only a person may do this.", {
    hint: "Use a person's key or login.",
  });
};
