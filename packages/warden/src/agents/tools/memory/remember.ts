/** Stores a fact in the agent's memory, with the label of the turn. */
import { isHearthError, joinLabels, OWNER_LABEL } from "@hearth/protocol";
import { remember as keep, type RememberOutcome } from "../../memory/remembering.ts";
import { type HostCall, TRUSTED_LABEL } from "../call.ts";
import type { MemoryParts } from "../parts.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

export const remember: RunHostTool<"remember", MemoryParts> = async ({ text, replaces }, call, parts) => {
  const { agent, activation, audience } = call;
  const { id, created_at: at } = activation;
  try {
    const outcome = await keep(await parts.brains.open(agent), {
      agent,
      audience,
      text,
      day: await parts.dayOf(agent, at),
      from: await describeSource(call, parts),
      ...(replaces === undefined ? {} : { replaces }),
      by: { agent: agent.id, activation: id, label: joinLabels(TRUSTED_LABEL, call.label ?? OWNER_LABEL) },
    });
    return toOutcome(outcome);
  } catch (error) {
    if (REFUSALS.some((code) => isHearthError(error, code)) && error instanceof Error)
      return failedOutcome(error.message);
    throw error;
  }
};

/** The codes of errors that the model can correct. */
const REFUSALS = ["brain.path", "brain.text", "brain.too-large", "brain.changed"] as const;

/** Returns "@ada in #kitchen", or "@ada" in a direct room. */
const describeSource = async ({ activation }: HostCall, { records }: MemoryParts): Promise<string> => {
  const [person, room] = await Promise.all([
    records.find("agent", activation.person),
    records.find("room", activation.room as never),
  ]);
  const who = person === undefined ? "somebody" : `@${person.handle}`;
  return room === undefined || room.content.kind === "direct" ? who : `${who} in #${room.handle}`;
};

const toOutcome = (outcome: RememberOutcome): HostOutcome => {
  switch (outcome.kind) {
    case "kept":
      return {
        text: [`Kept in ${outcome.path}.`, ...outcome.replaced.map((line) => `It replaces: ${line}`)].join("\n"),
        failed: false,
      };
    case "known":
      return { text: `${outcome.path} says so already.`, failed: false };
    case "refused":
      return failedOutcome(outcome.why);
  }
};
