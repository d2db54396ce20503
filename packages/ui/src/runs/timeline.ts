/** Joins the records of one run into one timeline, and lists its sources. Pure. */
import {
  type ActivationDetail,
  type ActivationPart,
  type Approval,
  type BrainChange,
  type EgressEntry,
  isTainted,
} from "@hearth/protocol";
import type { ReadText } from "./likely-sources.ts";

export type Step = ActivationDetail["steps"][number];
export type ToolCallPart = Extract<ActivationPart, { kind: "tool" }>;

/** The records of a run that this person may see. */
export interface RunRecord {
  readonly detail: ActivationDetail;
  readonly requests: readonly EgressEntry[];
  /** The approvals of the run. Empty for people who may not decide on approvals. */
  readonly approvals: readonly Approval[];
  /** The changes of the brain, oldest first. Empty for people who may not revert them. */
  readonly changes: readonly BrainChange[];
}

export type TimelineEntry =
  | { readonly kind: "queued" | "started" | "ended"; readonly at: number }
  | { readonly kind: "step"; readonly at: number; readonly step: Step; readonly call: ToolCallPart | undefined }
  | { readonly kind: "approval"; readonly at: number; readonly approval: Approval }
  | { readonly kind: "request"; readonly at: number; readonly request: EgressEntry };

/**
 * Returns the entries, oldest first. Entries of the same millisecond keep the order in which they
 * are listed here.
 */
export const timelineOf = ({ detail, requests, approvals }: RunRecord): readonly TimelineEntry[] => {
  const { createdAt, startedAt, endedAt, steps, parts } = detail;
  // Each tool step is one part, in the same order.
  const calls = parts.filter((part) => part.kind === "tool").values();
  const entries: readonly TimelineEntry[] = [
    { kind: "queued", at: createdAt },
    ...(startedAt === undefined ? [] : [{ kind: "started", at: startedAt } as const]),
    ...steps.map((step): TimelineEntry => {
      const call = step.kind === "tool" ? calls.next().value : undefined;
      return { kind: "step", at: step.startedAt, step, call };
    }),
    ...approvals.map((approval): TimelineEntry => ({ kind: "approval", at: approval.createdAt, approval })),
    ...requests.map((request): TimelineEntry => ({ kind: "request", at: request.at, request })),
    ...(endedAt === undefined ? [] : [{ kind: "ended", at: endedAt } as const]),
  ];
  return entries.toSorted((a, b) => a.at - b.at);
};

/** A text that the agent received: the result of a step, or the message that woke the agent (`undefined`). */
export type ReadFrom = Step | undefined;

/**
 * Returns the texts that the agent received before its reply. A step that took in messages has only their
 * beginning.
 */
export const readTextsOf = ({ message, steps, parts }: ActivationDetail): readonly ReadText<ReadFrom>[] => {
  const outputs = parts.filter((part) => part.kind === "tool").values();
  const results = steps
    .filter(({ kind }) => kind !== "model")
    .map((step) => ({
      key: step,
      text: (step.kind === "tool" ? outputs.next().value?.output : step.glimpse) ?? "",
    }));
  const texts = message === undefined ? results : [...results, { key: undefined, text: message.text }];
  return texts.filter(({ text }) => text !== "");
};

/** Returns the reply of a run that has ended: its last text. Undefined if the run ended without a reply. */
export const replyOf = ({ endedAt, parts }: ActivationDetail): string | undefined => {
  const lastPart = parts.at(-1);
  return endedAt === undefined || lastPart?.kind !== "text" ? undefined : lastPart.text;
};

export interface Source {
  /** The name of the source. Undefined if the content is untrusted and its source is unknown. */
  readonly name: string | undefined;
  /** The steps whose results came from this source. */
  readonly steps: readonly Step[];
}

/** Returns the sources of results, in the order in which the agent read them. */
export const sourcesOf = (steps: readonly Step[]): readonly Source[] => {
  const byName = new Map<string | undefined, Step[]>();
  for (const step of steps) {
    const { label } = step;
    if (label === undefined) continue;
    const isUnknown = label.sources.length === 0 && isTainted(label);
    for (const name of isUnknown ? [undefined] : label.sources) byName.set(name, [...(byName.get(name) ?? []), step]);
  }
  return [...byName].map(([name, sourceSteps]) => ({ name, steps: sourceSteps }));
};

/** Returns the names of the secrets that requests of the run contained. */
export const secretsOf = (requests: readonly EgressEntry[]): readonly string[] =>
  [...new Set(requests.flatMap(({ secrets }) => secrets))].toSorted();

/**
 * Returns the run with the model in the name of each model call. The journal names a call of the agent's
 * model by the agent.
 */
export const withModelNames = (detail: ActivationDetail): ActivationDetail => {
  const { model, steps } = detail;
  if (model === undefined) return detail;
  const isOwn = ({ kind, name }: Step): boolean => kind === "model" && !name.includes("/");
  return { ...detail, steps: steps.map((step) => (isOwn(step) ? { ...step, name: model } : step)) };
};

/** Returns the models that the run called, in order of their first call. */
export const modelsOf = (steps: readonly Step[]): readonly string[] => [
  ...new Set(steps.filter(({ kind }) => kind === "model").map(({ name }) => name)),
];
