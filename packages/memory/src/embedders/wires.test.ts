/**
 * Tests the HTTP embedders with loopback servers that follow the vendors' documentation, and with
 * broken ones.
 */
import { describe, expect, test } from "bun:test";
import { HearthError, isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { type EmbedderHarness, embedderConformance } from "./embedder.conformance.ts";
import type { EmbedderFactory, EmbedderOptions } from "./factory.ts";
import { createFakeEmbedder } from "./fake.ts";
import { embedders } from "./index.ts";

interface Wire {
  readonly factory: EmbedderFactory;
  readonly path: string;
  readonly answer: (vectors: readonly (readonly number[])[]) => object;
  /** The fields that report the used tokens. */
  readonly used: (tokens: number) => object;
}

const wires: Readonly<Record<string, Wire>> = {
  ollama: {
    factory: embedders.ollama,
    path: "/api/embed",
    answer: (embeddings) => ({ model: "m", embeddings }),
    used: (tokens) => ({ prompt_eval_count: tokens }),
  },
  "openai-compatible": {
    factory: embedders["openai-compatible"],
    path: "/embeddings",
    // Reversed: clients must use the index.
    answer: (vectors) => ({ data: vectors.map((embedding, index) => ({ index, embedding })).toReversed() }),
    used: (tokens) => ({ usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  },
};

const fake = createFakeEmbedder();

type Answer = (request: Request, texts: readonly string[]) => Response | Promise<Response>;

const answering =
  ({ path, answer }: Wire): Answer =>
  async (request, texts) => {
    expect(new URL(request.url).pathname).toBe(path);
    expect(request.headers.get("authorization")).toBe("Bearer key-of-the-peer");
    expect(texts.every((text) => text.trim() !== "" && text.isWellFormed() && text.length <= 8000)).toBe(true);
    return Response.json(answer((await fake.embed(texts)).map((vector) => Array.from(vector, (value) => value * 3))));
  };

const open = (
  wire: Wire,
  answer: Answer,
): EmbedderHarness & { readonly options: EmbedderOptions; advance(ms: number): Promise<void> } => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { input } = (await request.clone().json()) as { input: readonly string[] };
      return answer(request, input);
    },
  });
  const world = createFakeWorld({ hash: () => "", fetch });
  const options = {
    ...world,
    baseUrl: `http://127.0.0.1:${server.port}`,
    model: "m",
    dimensions: 96,
    readKey: () => Promise.resolve("key-of-the-peer"),
  };
  const embedder = wire.factory(options);
  if (embedder === undefined) throw new Error("the factory returned no embedder");
  return { embedder, options, advance: world.advance, [Symbol.asyncDispose]: () => server.stop(true) };
};

const refusalOf = async (harness: EmbedderHarness): Promise<Error> => {
  const error: unknown = await harness.embedder.embed(["text"]).catch((thrown: unknown) => thrown);
  expect(isHearthError(error, "memory.no-embedder")).toBe(true);
  expect(String(error)).not.toContain("key-of-the-peer");
  return error as Error;
};

for (const [name, wire] of Object.entries(wires)) {
  embedderConformance(name, () => open(wire, answering(wire)));

  describe(`${name}, when the server fails:`, () => {
    test.each([
      ["rejects the key", 401],
      ["does not know the model", 404],
      ["fails", 500],
    ])("a server that %s is named in the error, with a hint", async (_what, status) => {
      await using harness = open(wire, () => new Response("secret words", { status }));
      const error = await refusalOf(harness);
      expect(error.message).toContain(name);
      expect(error).toHaveProperty("hint");
    });

    test("each request reserves its cost before it is sent and settles it: as reported, 0 if rejected, else unknown", async () => {
      const vectors = (await fake.embed(["ä"])).map((vector) => [...vector]);
      const settled: unknown[] = [];
      const cases: readonly Answer[] = [
        () => Response.json({ ...wire.answer(vectors), ...wire.used(3) }),
        () => Response.json(wire.answer(vectors)),
        () => new Response("", { status: 429 }),
        () => new Response("{"),
      ];
      for (const answer of cases) {
        await using harness = open(wire, answer);
        const reserve = async (most: number) => ({
          settle: (tokens: number | undefined) => void settled.push([most, tokens]),
        });
        await wire
          .factory({ ...harness.options, reserve })
          ?.embed(["ä"])
          .catch(() => {});
      }
      expect(settled).toEqual([
        [4, 3],
        [4, undefined],
        [4, 0],
        [4, undefined],
      ]);
    });

    test("a request over the budget is not sent", async () => {
      let requests = 0;
      await using harness = open(wire, () => new Response(String((requests += 1))));
      const reserve = () => Promise.reject(new HearthError("memory.no-embedder", "It is spent."));
      const error = await wire
        .factory({ ...harness.options, reserve })
        ?.embed(["a"])
        .catch((thrown: unknown) => thrown);
      expect([isHearthError(error, "memory.no-embedder"), requests]).toEqual([true, 0]);
    });

    test("an invalid response is rejected", async () => {
      for (const body of ["", "{", "[]", '{"data":1,"embeddings":[["x"]]}']) {
        await using harness = open(wire, () => new Response(body));
        expect((await refusalOf(harness)).message).toContain("an invalid response");
      }
    });

    test("the error for vectors of another size names both sizes", async () => {
      await using harness = open(wire, (_, texts) => Response.json(wire.answer(texts.map(() => [1, 2, 3]))));
      expect((await refusalOf(harness)).message).toContain("vectors of 3 numbers; 96 were expected");
    });

    test("a response with too few vectors is rejected", async () => {
      await using harness = open(wire, () => Response.json(wire.answer([])));
      await refusalOf(harness);
    });

    test("an endless response is cut off", async () => {
      const endless = (): Response =>
        new Response(
          new ReadableStream({
            pull(controller) {
              controller.enqueue(new Uint8Array(64 * 1024).fill(32));
            },
          }),
        );
      await using harness = open(wire, endless);
      await refusalOf(harness);
    });

    test("a redirect is not followed", async () => {
      await using harness = open(wire, () => Response.redirect("http://127.0.0.1:1/"));
      await refusalOf(harness);
    });

    test("a request to a hanging server ends after a minute, or at once when it is aborted", async () => {
      const received = Promise.withResolvers<void>();
      await using harness = open(wire, () => {
        received.resolve();
        return new Promise<Response>(() => undefined);
      });
      const refused = refusalOf(harness);
      await received.promise;
      await harness.advance(60_000);
      expect((await refused).message).toContain("60 s");
      const stop = new AbortController();
      const stopped = harness.embedder.embed(["text"], stop.signal).catch((error: unknown) => error);
      stop.abort();
      expect(isHearthError(await stopped, "memory.aborted")).toBe(true);
    });

    test("a text is cleaned before it is truncated, and the key is read for each request", async () => {
      const batches: (readonly string[])[] = [];
      const keys: string[] = [];
      await using harness = open(wire, (request, texts) => {
        batches.push(texts);
        keys.push(request.headers.get("authorization") ?? "none");
        return Response.json(wire.answer(texts.map(() => Array.from({ length: 96 }, () => 1))));
      });
      const secret = "sk-of-somebody";
      const given = ["one", undefined];
      const embedder = wire.factory({
        ...harness.options,
        redact: (text) => text.replaceAll(secret, "[left out]"),
        readKey: () => Promise.resolve(given.shift()),
      });
      await embedder?.embed([`${"x".repeat(7995)}${secret}`]);
      await embedder?.embed(["y"]);
      expect(batches).toEqual([[`${"x".repeat(7995)}[left`], ["y"]]);
      expect(keys).toEqual(["Bearer one", "none"]);
    });

    test("the embedder's name contains the model, its dimensions and the address", () => {
      const { clock } = createFakeWorld({ hash: () => "" });
      const nameOf = (baseUrl: string, model: string, dimensions: number) =>
        wire.factory({ clock, fetch, baseUrl, model, dimensions })?.name;
      const names = [
        nameOf("http://127.0.0.1:1", "m", 3),
        nameOf("http://127.0.0.1:2", "m", 3),
        nameOf("http://127.0.0.1:1", "n", 3),
        nameOf("http://127.0.0.1:1", "m", 4),
      ];
      expect(new Set(names).size).toBe(4);
    });

    test("a missing option is rejected before any request", () => {
      const { clock } = createFakeWorld({ hash: () => "" });
      expect(() => wire.factory({ clock, fetch, baseUrl: "http://127.0.0.1:1", model: "m" })).toThrow("dimensions");
    });
  });
}
