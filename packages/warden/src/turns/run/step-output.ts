/** Reads and writes the journaled output of a finished step. */
import { createVersions } from "../../kernel/index.ts";
import { AssistantMessage, CitableFile, EventId, Parts, Usage, UserMessage } from "@hearth/protocol";
import { z } from "zod";

/** Step number of the relevance gate's model call, which precedes the steps of the loop. */
export const GATE_STEP = -1;
/** Step numbers of a compaction's model calls: notes for the memory, then the summary. */
export const NOTES_STEP = -3;
export const SUMMARY_STEP = -2;

/** Removes the picture of a version 1 output, which contained its bytes instead of a reference. */
const withoutPicture = ({ image, ...step }: Record<string, unknown>): Record<string, unknown> =>
  image === undefined ? step : { ...step, text: `${String(step["text"])}\n[the picture was not kept]` };

/** The versions of each format. Released ones never change: append an upcast for a new version. */
const versions = {
  model: createVersions("The output of a model's step", []),
  intake: createVersions("The output of an intake step", []),
  tool: createVersions("The output of a tool's step", [withoutPicture]),
};

const ModelStep = z.object({ message: AssistantMessage });
/** The messages of an intake as the model read them, and their event ids in the room. */
const IntakeStep = z.object({ messages: z.array(UserMessage), events: z.array(EventId) });
export type IntakeStep = z.infer<typeof IntakeStep>;
const ToolStep = z.object({
  text: z.string(),
  failed: z.boolean(),
  /** References to its files. */
  parts: Parts.exactOptional(),
  /** Files that the reply may cite. */
  cites: z.array(CitableFile).exactOptional(),
  /** Calls that other activations made on its behalf. */
  toolCalls: z.int().nonnegative().exactOptional(),
  /** Usage of the models that the tool called. */
  usage: Usage.exactOptional(),
});
export type ToolStep = z.infer<typeof ToolStep>;

export const readModelStep = (output: string): z.infer<typeof ModelStep> =>
  ModelStep.parse(versions.model.read(JSON.parse(output), undefined));
export const readToolStep = (output: string): ToolStep =>
  ToolStep.parse(versions.tool.read(JSON.parse(output), undefined));
export const readIntakeStep = (output: string): IntakeStep =>
  IntakeStep.parse(versions.intake.read(JSON.parse(output), undefined));

export const writeToolStep = ({ text, failed, parts, cites, toolCalls, usage }: ToolStep): string =>
  JSON.stringify(versions.tool.stamp({ text, failed, parts, cites, toolCalls, usage }));
