/** Whose brain a request is about, and who asks. */
import type { Brain } from "../../agents/index.ts";
import type { Principal } from "../../people/index.ts";
import { type AgentId, type AgentRecord, HearthError } from "@hearth/protocol";
import type { RouteOptions } from "./route.ts";

/** Throws `record.not-found`, and `brain.not-found` for a person and for a bot that runs elsewhere. */
export const brainOf = async (
  options: Pick<RouteOptions, "access" | "brains">,
  principal: Principal,
  name: string,
): Promise<Brain> => options.brains.open(await botOf(options, principal, name));

/** Whose brain it is. Throws as `brainOf`. */
export const botOf = async (
  { access }: Pick<RouteOptions, "access">,
  principal: Principal,
  name: string,
): Promise<AgentRecord> => {
  const agent = await access.find(principal, "agent", name);
  if (agent.content.kind === "bot" && agent.content.runs !== "elsewhere") return agent;
  throw new HearthError("brain.not-found", `${agent.content.name} has no brain here: it is no bot of this house.`, {
    hint: "Those that have one: hearth agent list",
  });
};

/** The person who asks. A bot with a key is none, whatever its level: what it changes of brains passes the choke point. */
export const personOf = async ({ access }: Pick<RouteOptions, "access">, principal: Principal): Promise<AgentId> => {
  const { id, content } = await access.self(principal);
  if (content.kind === "human") return id;
  throw new HearthError("auth.denied", "This takes a person's own word.", {
    hint: "Use a person's key or login.",
  });
};
