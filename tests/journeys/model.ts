/** A model on the OpenAI wire that a test holds by the hand: it says what it is told, as slowly as it is told. */
import type { Json } from "./daemon.ts";

/** A part of a reply: words, or a call of a tool. */
export type Piece = string | { readonly tool: string; readonly input: Json };

export interface Model extends AsyncDisposable {
  readonly baseUrl: string;
  /** Bodies of the requests, oldest first. */
  readonly requests: readonly Json[];
  /** What each of them said of who it is. */
  readonly keys: readonly (string | null)[];
  /** What each request is answered with, piece by piece; the pieces of one answer are one stream. */
  answer: (request: Json) => AsyncIterable<Piece> | Iterable<Piece>;
  /** What a request is refused with. Undefined, or without one: it is answered. */
  refuse?: () => Response | undefined;
}

export interface ModelOptions {
  /** Any free one by default. */
  readonly port?: number;
}

export const createModel = ({ port = 0 }: ModelOptions = {}): Model => {
  const requests: Json[] = [];
  const keys: (string | null)[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "model", object: "model" }] });
      const body = await request.json();
      requests.push(body);
      keys.push(request.headers.get("authorization"));
      const refusal = model.refuse?.();
      if (refusal !== undefined) return refusal;
      const pieces = model.answer(body);
      const line = (delta: object, finish: string | null): Uint8Array =>
        new TextEncoder().encode(
          `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
        );
      return new Response(
        new ReadableStream({
          async start(controller) {
            let calls = 0;
            try {
              for await (const piece of pieces) {
                controller.enqueue(line(typeof piece === "string" ? { content: piece } : toCall(piece, calls++), null));
              }
              controller.enqueue(line({}, calls === 0 ? "stop" : "tool_calls"));
              controller.enqueue(new TextEncoder().encode("data: [DONE]\n\n"));
              controller.close();
            } catch {
              // The reader hung up, or the test ends the line without a last word.
              if (!request.signal.aborted) controller.close();
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
    keys,
    answer: () => ["ok"],
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
  return model;
};

const toCall = ({ tool, input }: Exclude<Piece, string>, index: number): object => ({
  tool_calls: [
    { index, id: `call_${index}`, type: "function", function: { name: tool, arguments: JSON.stringify(input) } },
  ],
});

/** A config that makes `main` think with this model. */
export const configFor = (baseUrl: string, kind = "openai"): string =>
  `version = 1\n[providers.test]\nkind = "${kind}"\nbase_url = "${baseUrl}"\napi_key = "env:TEST_KEY"\n[agents.main]\nmodel = "test/model"\n`;
