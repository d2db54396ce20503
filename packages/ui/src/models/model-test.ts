/** Tests a model with one small call, and describes the outcome. */
import type { Client } from "@hearth/client";
import type { ProviderTest, TestNewProvider } from "@hearth/protocol";
import { plainWords } from "../design/error-words.ts";
import { countModels } from "./sources.ts";
import * as texts from "./text.ts";

export type TestOutcome =
  | { readonly kind: "called"; readonly test: ProviderTest }
  /** The models that the provider lists, for a test without a model name. */
  | { readonly kind: "listed"; readonly models: readonly string[] }
  | { readonly kind: "failed"; readonly error: unknown };

/** A configured provider, or one with form values that is not stored. */
export type TestTarget =
  | { readonly kind: "existing"; readonly name: string }
  | { readonly kind: "create"; readonly provider: TestNewProvider };

type TestCalls = Pick<Client["providers"], "test" | "testNew">;

/**
 * Calls the model. Without a name it lists the models, which also tests the connection. Never
 * rejects.
 */
export const tryModel = async (calls: TestCalls, target: TestTarget, model: string): Promise<TestOutcome> => {
  try {
    const test =
      target.kind === "existing"
        ? await calls.test(target.name, model === "" ? undefined : model)
        : await calls.testNew({ ...target.provider, ...(model === "" ? {} : { model }) });
    return test.models === undefined ? { kind: "called", test } : { kind: "listed", models: test.models };
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

export const describeOutcome = (outcome: Exclude<TestOutcome, { kind: "failed" }>): OutcomeWords => {
  if (outcome.kind === "listed") {
    const count = outcome.models.length;
    return count === 0
      ? { kind: "info", title: texts.noModelsListed, text: texts.enterAModelName }
      : { kind: "info", title: texts.connected(countModels(count)), text: texts.chooseAModel };
  }
  const { ok, detail, durationMs } = outcome.test;
  return ok
    ? { kind: "success", title: texts.answeredIn(inSeconds(durationMs)), text: "" }
    : { kind: "danger", title: texts.noAnswer, text: plainWords(detail) ?? "" };
};

const inSeconds = (ms: number): string => `${Math.max(0.1, ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
