/**
 * A local embedding server with the APIs of Ollama (`/api/embed`) and OpenAI (`/v1/embeddings`).
 * Each word has a pseudo-random direction.
 */

export interface EmbedderPeer extends AsyncDisposable {
  readonly port: number;
  /** Every received text, in order. */
  readonly texts: readonly string[];
  /** The authorization header of each request. */
  readonly keys: readonly (string | null)[];
  /** Makes the server answer with this status instead of vectors, or with vectors again. */
  refuse(status: number | undefined): void;
}

export const createEmbedderPeer = (dimensions: number): EmbedderPeer => {
  const texts: string[] = [];
  const keys: (string | null)[] = [];
  let refusal: number | undefined;
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    async fetch(request) {
      const { input, model } = (await request.json()) as { input: readonly string[]; model: string };
      keys.push(request.headers.get("authorization"));
      if (refusal !== undefined) return Response.json({ error: "not now" }, { status: refusal });
      texts.push(...input);
      const vectors = input.map((text) => embed(text, dimensions));
      const { pathname } = new URL(request.url);
      if (pathname === "/api/embed") return Response.json({ model, embeddings: vectors, total_duration: 1 });
      if (pathname !== "/v1/embeddings") return new Response("", { status: 404 });
      const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
      return Response.json({ object: "list", model, data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    },
  });
  return {
    ...{ port: server.port ?? 0, texts, keys },
    refuse(status) {
      refusal = status;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
};

const embed = (text: string, dimensions: number): readonly number[] => {
  const sum = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? ["-"]) {
    let state = 0x811c9dc5;
    for (const sign of word) state = Math.imul(state ^ sign.charCodeAt(0), 0x01000193);
    for (let at = 0; at < dimensions; at += 1) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + at;
      sum[at] = (sum[at] ?? 0) + (state | 0) / 2 ** 31;
    }
  }
  return sum;
};
