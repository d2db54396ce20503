/** The embedders over HTTP against peers on loopback that answer as the vendors' documentation says, and against peers that do not. */
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
  /** Beside the vectors: what they took. */
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
    // Backwards: what counts is the index.
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
): EmbedderHarness & { readonly told: EmbedderOptions; advance(ms: number): Promise<void> } => {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { input } = (await request.clone().json()) as { input: readonly string[] };
      return answer(request, input);
    },
  });
  const world = createFakeWorld({ hash: () => "", fetch });
  const told = {
    ...world,
    baseUrl: `http://127.0.0.1:${server.port}`,
    model: "m",
    dimensions: 96,
    key: () => Promise.resolve("key-of-the-peer"),
  };
  const embedder = wire.factory(told);
  if (embedder === undefined) throw new Error("there is no embedder");
  return { embedder, told, advance: world.advance, [Symbol.asyncDispose]: () => server.stop(true) };
};

const refusalOf = async (harness: EmbedderHarness): Promise<Error> => {
  const error: unknown = await harness.embedder.embed(["text"]).catch((thrown: unknown) => thrown);
  expect(isHearthError(error, "memory.no-embedder")).toBe(true);
  expect(String(error)).not.toContain("key-of-the-peer");
  return error as Error;
};

for (const [name, wire] of Object.entries(wires)) {
  embedderConformance(name, () => open(wire, answering(wire)));

  describe(`${name}, when the peer is not well:`, () => {
    test.each([
      ["refuses the key", 401],
      ["has no such model", 404],
      ["is broken", 500],
    ])("one that %s is named, with what to do", async (_what, status) => {
      await using harness = open(wire, () => new Response("secret words", { status }));
      const error = await refusalOf(harness);
      expect(error.message).toContain(name);
      expect(error).toHaveProperty("hint");
    });

    test("each request is paid for before it leaves, and what it came to is told: as reported, nothing where it was turned away, and else nobody knows", async () => {
      const vectors = (await fake.embed(["ä"])).map((vector) => [...vector]);
      const told: unknown[] = [];
      const cases: readonly Answer[] = [
        () => Response.json({ ...wire.answer(vectors), ...wire.used(3) }),
        () => Response.json(wire.answer(vectors)),
        () => new Response("", { status: 429 }),
        () => new Response("{"),
      ];
      for (const answer of cases) {
        await using harness = open(wire, answer);
        const pay = async (most: number) => ({
          settle: (tokens: number | undefined) => void told.push([most, tokens]),
        });
        await wire
          .factory({ ...harness.told, pay })
          ?.embed(["ä"])
          .catch(() => {});
      }
      expect(told).toEqual([
        [4, 3],
        [4, undefined],
        [4, 0],
        [4, undefined],
      ]);
    });

    test("what may not be paid for is not sent", async () => {
      let asked = 0;
      await using harness = open(wire, () => new Response(String((asked += 1))));
      const pay = () => Promise.reject(new HearthError("memory.no-embedder", "It is spent."));
      const error = await wire
        .factory({ ...harness.told, pay })
        ?.embed(["a"])
        .catch((thrown: unknown) => thrown);
      expect([isHearthError(error, "memory.no-embedder"), asked]).toEqual([true, 0]);
    });

    test("an answer that is none is refused", async () => {
      for (const body of ["", "{", "[]", '{"data":1,"embeddings":[["x"]]}']) {
        await using harness = open(wire, () => new Response(body));
        expect((await refusalOf(harness)).message).toContain("an answer that is none");
      }
    });

    test("an answer with vectors of another length says which", async () => {
      await using harness = open(wire, (_, texts) => Response.json(wire.answer(texts.map(() => [1, 2, 3]))));
      expect((await refusalOf(harness)).message).toContain("3 numbers for a text where 96 were expected");
    });

    test("an answer with too few vectors is refused", async () => {
      await using harness = open(wire, () => Response.json(wire.answer([])));
      await refusalOf(harness);
    });

    test("an answer without an end is cut off", async () => {
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

    test("a peer that hangs is left after a minute, and at once when nobody waits any more", async () => {
      const asked = Promise.withResolvers<void>();
      await using harness = open(wire, () => {
        asked.resolve();
        return new Promise<Response>(() => undefined);
      });
      const refused = refusalOf(harness);
      await asked.promise;
      await harness.advance(60_000);
      expect((await refused).message).toContain("60 s");
      const stop = new AbortController();
      const stopped = harness.embedder.embed(["text"], stop.signal).catch((error: unknown) => error);
      stop.abort();
      expect(isHearthError(await stopped, "memory.aborted")).toBe(true);
    });

    test("a text is cleaned before it is cut to what the peer takes, and the key is read anew each time", async () => {
      const asked: (readonly string[])[] = [];
      const keys: string[] = [];
      await using harness = open(wire, (request, texts) => {
        asked.push(texts);
        keys.push(request.headers.get("authorization") ?? "none");
        return Response.json(wire.answer(texts.map(() => Array.from({ length: 96 }, () => 1))));
      });
      const secret = "sk-of-somebody";
      const given = ["one", undefined];
      const embedder = wire.factory({
        ...harness.told,
        clean: (text) => text.replaceAll(secret, "[left out]"),
        key: () => Promise.resolve(given.shift()),
      });
      await embedder?.embed([`${"x".repeat(7995)}${secret}`]);
      await embedder?.embed(["y"]);
      expect(asked).toEqual([[`${"x".repeat(7995)}[left`], ["y"]]);
      expect(keys).toEqual(["Bearer one", "none"]);
    });

    test("its name tells the model, its length and where it is: none of another is taken for it", () => {
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

    test("what is not told is refused before anything is asked", () => {
      const { clock } = createFakeWorld({ hash: () => "" });
      expect(() => wire.factory({ clock, fetch, baseUrl: "http://127.0.0.1:1", model: "m" })).toThrow("dimensions");
    });
  });
}
