/** A model on the OpenAI wire that a test holds by the hand: it says what it is told, as slowly as it is told. */
import type { Json } from "./daemon.ts";

export interface Model extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bodies of the requests, oldest first. */
  readonly requests: readonly Json[];
  /** What each request is answered with, piece by piece; the pieces of one answer are one stream. */
  answer: (request: Json) => AsyncIterable<string> | Iterable<string>;
}

export const createModel = (): Model => {
  const requests: Json[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body = await request.json();
      requests.push(body);
      const pieces = model.answer(body);
      const line = (delta: object, finish: string | null): Uint8Array =>
        new TextEncoder().encode(
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
        );
      return new Response(
        new ReadableStream({
          async start(controller) {
            try {
              for await (const content of pieces) controller.enqueue(line({ content }, null));
              controller.enqueue(line({}, "stop"));
              controller.enqueue(new TextEncoder().encode("data: [DONE]\n\n"));
              controller.close();
            } catch {
              // The reader hung up.
            }
          },
        }),
        { headers: { "content-type": "text/event-stream" } },
      );
    },
  });
  const model: Model = {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    requests,
    answer: () => ["ok"],
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
  return model;
};

/** A config that makes `main` think with this model. */
export const configFor = (baseUrl: string, kind = "openai"): string =>
  `version = 1\n[providers.test]\nkind = "${kind}"\nbase_url = "${baseUrl}"\napi_key = "env:TEST_KEY"\n[agents.main]\nmodel = "test/model"\n`;
