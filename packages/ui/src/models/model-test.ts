/** One small call to a model, and what came of it in words. */
import type { Client } from "@hearth/client";
import type { ProviderTest } from "@hearth/protocol";
import { countModels } from "./sources.ts";

export type TestOutcome =
  | { readonly kind: "called"; readonly test: ProviderTest }
  /** No model was named yet, but the provider says which there are. */
  | { readonly kind: "listed"; readonly count: number }
  | { readonly kind: "failed"; readonly error: unknown };

/** Without a model's name it asks which there are: that tells as well whether the provider answers. Never rejects. */
export const tryModel = async (
  calls: Pick<Client["providers"], "models" | "test">,
  provider: Promise<string>,
  model: string,
): Promise<TestOutcome> => {
  try {
    const name = await provider;
    return model === ""
      ? { kind: "listed", count: (await calls.models(name)).length }
      : { kind: "called", test: await calls.test(name, model) };
  } catch (error) {
    return { kind: "failed", error };
  }
};

export const isFailed = (outcome: TestOutcome | undefined): boolean =>
  outcome?.kind === "failed" || (outcome?.kind === "called" && !outcome.test.ok);

export interface OutcomeWords {
  readonly kind: "success" | "danger" | "info";
  readonly title: string;
  readonly text: string;
}

export const tellOutcome = (outcome: Exclude<TestOutcome, { kind: "failed" }>): OutcomeWords => {
  if (outcome.kind === "listed") {
    return outcome.count === 0
      ? { kind: "info", title: "It answers, but it lists no models.", text: "Write the name of the model." }
      : { kind: "info", title: `It answers, with ${countModels(outcome.count)}.`, text: "Now choose the model." };
  }
  const { ok, detail, durationMs } = outcome.test;
  return ok
    ? { kind: "success", title: `It answered in ${inSeconds(durationMs)}.`, text: "" }
    : { kind: "danger", title: "It did not answer.", text: detail };
};

const inSeconds = (ms: number): string => `${Math.max(0.1, ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
