import { expect, test } from "bun:test";
import { HearthError, type ProviderTest, type TestNewProvider } from "@hearth/protocol";
import { isFailed, describeOutcome, tryModel } from "./model-test.ts";

const calls = {
  test: async (name: string, model?: string): Promise<ProviderTest> =>
    model === undefined
      ? { ok: true, detail: "", durationMs: 1, models: ["a", "b"] }
      : { ok: true, detail: `${name}/${model}`, durationMs: 812 },
  testNew: async ({ name, model }: TestNewProvider): Promise<ProviderTest> =>
    model === undefined
      ? { ok: true, detail: "", durationMs: 1, models: [`${name}-small`] }
      : { ok: true, detail: `new ${name}/${model}`, durationMs: 812 },
};

const existing = { kind: "existing", name: "den" } as const;
const created = { kind: "create", provider: { name: "den", kind: "openai", key: "typed" } } as const;

test("a named model is called; without a name the models are listed", async () => {
  expect(await tryModel(calls, existing, "qwen")).toEqual({
    kind: "called",
    test: { ok: true, detail: "den/qwen", durationMs: 812 },
  });
  expect(await tryModel(calls, existing, "")).toEqual({ kind: "listed", models: ["a", "b"] });
});

test("an unconfigured provider is tested with its form values, and not created", async () => {
  expect(await tryModel(calls, created, "qwen")).toMatchObject({ kind: "called", test: { detail: "new den/qwen" } });
  expect(await tryModel(calls, created, "")).toEqual({ kind: "listed", models: ["den-small"] });
});

test("a failed test is an outcome, not an exception", async () => {
  const error = new HearthError("config.invalid", "no");
  const outcome = await tryModel({ ...calls, testNew: () => Promise.reject(error) }, created, "qwen");
  expect(outcome).toEqual({ kind: "failed", error });
  expect(isFailed(outcome)).toBe(true);
});

const called = (ok: boolean, durationMs: number) =>
  ({ kind: "called", test: { ok, detail: "The key was not accepted.", durationMs } }) as const;

test("the outcome shows the duration or the reason", () => {
  expect(describeOutcome(called(true, 812)).title).toBe("The model answered in 0.8 s.");
  expect(describeOutcome(called(true, 3)).title).toBe("The model answered in 0.1 s.");
  expect(describeOutcome(called(true, 12_400)).title).toBe("The model answered in 12 s.");
  expect(describeOutcome(called(false, 3))).toEqual({
    kind: "danger",
    title: "The model did not answer.",
    text: "The key was not accepted.",
  });
});

test("a list asks the user to choose a model", () => {
  expect(describeOutcome({ kind: "listed", models: ["a"] })).toMatchObject({ title: "Connected: 1 model." });
  expect(describeOutcome({ kind: "listed", models: [] })).toMatchObject({ text: "Enter the name of a model." });
});

test("only a failed call or connection counts as failed", () => {
  expect([undefined, called(true, 1), { kind: "listed", models: [] } as const].map(isFailed)).toEqual([
    false,
    false,
    false,
  ]);
  expect(isFailed(called(false, 1))).toBe(true);
});
