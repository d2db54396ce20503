/** Forgets a source after a person has approved it. */
import { isHearthError, joinLabels, OWNER_LABEL } from "@hearth/protocol";
import { logFolder } from "../../brains/audience-files.ts";
import { LINE_REFERENCE } from "../../memory/fact-text.ts";
import { TRUSTED_LABEL } from "../call.ts";
import type { MemoryParts } from "../parts.ts";
import { failedOutcome, type RunHostTool } from "../tool.ts";

export const forget: RunHostTool<"forget", MemoryParts> = async (
  { source },
  { agent, audience, activation, label },
  parts,
) => {
  const folder = `${logFolder(audience)}/`;
  if (audience !== "private" && !(LINE_REFERENCE.test(source) && source.startsWith(folder) && !source.includes("..")))
    return failedOutcome(
      `In this room you forget places in ${folder} alone. Your own people have the rest forgotten in a room of their own.`,
    );
  const by = {
    agent: agent.id,
    activation: activation.id,
    label: joinLabels(TRUSTED_LABEL, label ?? OWNER_LABEL),
  };
  try {
    const brain = await parts.brains.open(agent);
    const person = activation.person;
    const report = await parts.forget({ agent, brain, source, by, person });
    const { files, versions, steps, messages, summaries, keptCount } = report;
    const fileList = files.length === 0 ? "no file" : files.join(", ");
    const keptNote = keptCount === 0 ? "" : ` ${keptCount} messages of yours stay: nothing of it was found in them.`;
    return {
      text: `Forgotten: ${fileList}; ${versions} versions and ${steps} results of calls hold less; ${messages} messages and ${summaries} summaries are gone.${keptNote}`,
      failed: false,
    };
  } catch (error) {
    if (REFUSALS.some((code) => isHearthError(error, code)) && error instanceof Error)
      return failedOutcome(error.message);
    throw error;
  }
};

/** The codes of errors that the model can correct or report. */
const REFUSALS = ["brain.path", "memory.nothing", "memory.lost"] as const;
