/** Changes a file of the agent's brain, with the label of the turn. */
import type { ToolInput } from "@hearth/protocol/tools";
import { isHearthError, joinLabels, OWNER_LABEL } from "@hearth/protocol";
import type { Brain, ChangeAuthor, WriteResult } from "../../brains/brain.ts";
import { TRUSTED_LABEL } from "../call.ts";
import { writeRefusal } from "./brain-paths.ts";
import type { MemoryParts } from "../parts.ts";
import { failedOutcome, type HostOutcome, type RunHostTool } from "../tool.ts";

type Input = ToolInput<"write_brain">;

export const writeBrain: RunHostTool<"write_brain", MemoryParts> = async (input, call, { brains }) => {
  const { agent, activation, audience } = call;
  const why = writeRefusal(input.path, audience) ?? textRefusal(input);
  if (why !== undefined) return failedOutcome(why);
  const by: ChangeAuthor = {
    agent: agent.id,
    activation: activation.id,
    label: joinLabels(TRUSTED_LABEL, call.label ?? OWNER_LABEL),
  };
  try {
    return toOutcome(input, await change(await brains.open(agent), input, by));
  } catch (error) {
    if (REFUSALS.some((code) => isHearthError(error, code)) && error instanceof Error)
      return failedOutcome(error.message);
    throw error;
  }
};

/** The codes of errors that the model can correct. */
const REFUSALS = ["brain.path", "brain.text", "brain.too-large", "brain.changed"] as const;

const textRefusal = ({ mode, text }: Input): string | undefined => {
  if (mode === "remove") return text === undefined ? undefined : "`remove` takes no text: the whole file goes.";
  return text === undefined ? `\`${mode}\` needs a text.` : undefined;
};

const change = (brain: Brain, { path, mode, text = "" }: Input, by: ChangeAuthor): Promise<WriteResult> => {
  if (mode === "append") return brain.append(path, text, by);
  return brain.write(path, mode === "remove" ? undefined : text, by);
};

const toOutcome = ({ path, mode }: Input, result: WriteResult): HostOutcome => {
  switch (result.kind) {
    case "written":
      return { text: mode === "remove" ? `${path} is gone.` : `${path} is written.`, failed: false };
    case "unchanged":
      return { text: mode === "remove" ? `There was no ${path}.` : `${path} says so already.`, failed: false };
    case "proposed":
      return {
        text: `${path} stays as it is until a person approves the change, which waits for them as ${result.proposal}.`,
        failed: false,
      };
  }
};
