/**
 * Formats a step of the journal for people: its kind, and the beginning of its result, but never
 * the whole output.
 */
import { readIntakeStep, readModelStep, readToolStep } from "../turns/index.ts";
import { usageOf, type JournaledStep } from "../kernel/index.ts";
import type { ActivationId, Step } from "@hearth/protocol";
import type { z } from "zod";

/** Maximum length of the beginning, in UTF-16 code units. */
const MAX_PREVIEW_LENGTH = 200;

export const toStep = (activation: ActivationId, index: number, journaledStep: JournaledStep): z.infer<typeof Step> => {
  const { kind, name, effect, state, startedAt, endedAt, output, label } = journaledStep;
  return {
    activation,
    step: index,
    kind,
    name,
    effect,
    state,
    startedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(output === undefined ? {} : outcomeOf(kind, output)),
    ...(label === undefined ? {} : { label }),
  };
};

/** Returns the beginning of a text, on one line. */
export const shortLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_PREVIEW_LENGTH ? line : `${line.slice(0, MAX_PREVIEW_LENGTH - 1).toWellFormed()}…`;
};

const outcomeOf = (
  kind: JournaledStep["kind"],
  output: string,
): Pick<z.infer<typeof Step>, "usage" | "glimpse" | "failed" | "messages"> => {
  switch (kind) {
    case "model": {
      const { text, toolCalls } = readModelStep(output).message;
      const toolRequest = toolCalls.length === 0 ? "" : `asks for ${toolCalls.map(({ name }) => name).join(", ")}`;
      return {
        usage: usageOf([{ kind, output }]),
        glimpse: shortLine([text, toolRequest].filter((part) => part !== "").join(" · ")),
      };
    }
    case "tool": {
      const { text, failed, usage } = readToolStep(output);
      return { glimpse: shortLine(text), failed, ...(usage === undefined ? {} : { usage }) };
    }
    case "intake": {
      const { messages, events } = readIntakeStep(output);
      return { glimpse: shortLine(messages.map(({ text }) => text).join(" · ")), messages: events };
    }
  }
};
