/** A fake model on the OpenAI wire. The test controls the text and the speed of its replies. */
import type { Json } from "./daemon.ts";

/** A part of a reply: text or a tool call. */
export type Piece = string | { readonly tool: string; readonly input: Json };

export interface Model extends AsyncDisposable {
  readonly baseUrl: string;
  /** Request bodies, oldest first. */
  readonly requests: readonly Json[];
  /** The authorization header of each request. */
  readonly keys: readonly (string | null)[];
  /** The models that the server lists. */
  models: readonly string[];
  /** Returns the pieces of the reply to a request, which are sent as one stream. */
  answer: (request: Json) => AsyncIterable<Piece> | Iterable<Piece>;
  /**
   * Returns an error response. If it is missing or returns `undefined`, the request is answered.
   */
  refuse?: () => Response | undefined;
}

export interface ModelOptions {
  /** Default: any free port. */
  readonly port?: number;
}

export const createModel = ({ port = 0 }: ModelOptions = {}): Model => {
  const requests: Json[] = [];
  const keys: (string | null)[] = [];
  const listModels = (): Response =>
    Response.json({ object: "list", data: model.models.map((id) => ({ id, object: "model" })) });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === "GET") return listModels();
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
              // The reader disconnected, or the test ends the stream early.
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
    models: ["model"],
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

/** A config whose `main` agent uses this model. */
export const configFor = (baseUrl: string, kind = "openai"): string =>
  `version = 1\n[providers.test]\nkind = "${kind}"\nbase_url = "${baseUrl}"\napi_key = "env:TEST_KEY"\n[agents.main]\nmodel = "test/model"\n`;
