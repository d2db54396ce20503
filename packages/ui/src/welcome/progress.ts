/** Progress of the welcome and its typed text, stored in this browser. Never contains a key. */
import type { ModelDraft } from "../models/model-draft.ts";

export const steps = ["you", "agent", "model"] as const;
export type Step = (typeof steps)[number];

export interface Progress {
  readonly step: Step;
  /** The typed fields. A field that the user did not change is missing. */
  readonly you: TypedTexts;
  readonly agent: TypedTexts;
  readonly model: ModelDraft;
}
type TypedTexts = Readonly<Record<string, string>>;

export type Move =
  | { readonly type: "typed"; readonly step: "you" | "agent"; readonly field: string; readonly text: string }
  | { readonly type: "chosen"; readonly model: ModelDraft }
  | { readonly type: "next" }
  | { readonly type: "back" };

export const initialProgress: Progress = { step: "you", you: {}, agent: {}, model: {} };

export const advance = (progress: Progress, move: Move): Progress => {
  switch (move.type) {
    case "typed":
      return { ...progress, [move.step]: { ...progress[move.step], [move.field]: move.text } };
    case "chosen":
      return { ...progress, model: move.model };
    case "next":
      return { ...progress, step: steps[steps.indexOf(progress.step) + 1] ?? progress.step };
    case "back":
      return { ...progress, step: steps[steps.indexOf(progress.step) - 1] ?? progress.step };
  }
};

export const isLast = (step: Step): boolean => step === steps.at(-1);

/** Parses stored JSON. Invalid data starts the welcome again. */
export const readProgress = (text: string | undefined): Progress => {
  const storedFields = parseObject(text);
  const step = steps.find((name) => name === storedFields["step"]);
  if (step === undefined) return initialProgress;
  return {
    step,
    you: readTexts(storedFields["you"]),
    agent: readTexts(storedFields["agent"]),
    model: readModel(storedFields["model"]),
  };
};

const readModel = (value: unknown): ModelDraft => {
  const { source, vendor, address, model } = readTexts(value);
  return {
    ...(source === undefined ? {} : { source }),
    ...(vendor === undefined ? {} : { vendor }),
    ...(address === undefined ? {} : { address }),
    ...(model === undefined ? {} : { model }),
  };
};

const readTexts = (value: unknown): TypedTexts =>
  Object.fromEntries(
    Object.entries(typeof value === "object" && value !== null ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );

const parseObject = (text: string | undefined): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};
