/**
 * The model of the storm: it makes all calls that the messages order at once, then replies with
 * their marks. Its answer depends only on the history. It counts its requests.
 */
import { pause } from "./clock.ts";
import { chunk, choice } from "./model/wires.ts";
import type { Site } from "./site.ts";

export interface StormModel extends AsyncDisposable {
  /** The `base_url` for a provider of the `openai` wire. */
  readonly baseUrl: string;
  requests(): number;
}

/** The order in a message: `storm-12 shell`, `storm-12 recall` or `storm-12 talk`. */
const ORDER = /storm-(\d+) (shell|recall|talk)\b/g;

export type OrderKind = "shell" | "recall" | "talk";

export const orderText = (mark: number, kind: OrderKind): string => `storm-${mark} ${kind}`;

/** The file that a call writes: its mark, then the number of the request. */
export const effectName = (mark: number, request: number): string => `effect-${mark}-${request}`;

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly id: string }[];
}

interface Wish {
  readonly mark: number;
  readonly kind: OrderKind;
}

/** Returns the open orders of a conversation, and all orders that its reply must name. */
export const readWishes = (
  messages: readonly Message[],
): { readonly left: readonly Wish[]; readonly all: readonly Wish[] } => {
  const spoken = messages.findLastIndex(
    ({ role, tool_calls: calls }) => role === "assistant" && (calls ?? []).length === 0,
  );
  const open = messages.slice(spoken + 1);
  const made = new Set(open.flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id)));
  const texts = open.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
  const wishes = texts.flatMap((text) =>
    [...text.matchAll(ORDER)].map(([, mark, kind]) => ({ mark: Number(mark), kind: kind as OrderKind })),
  );
  const all = [...new Map(wishes.map((wish) => [wish.mark, wish])).values()];
  return { all, left: all.filter(({ mark, kind }) => kind !== "talk" && !made.has(`call-${mark}`)) };
};

const toCall = ({ mark, kind }: Wish, request: number) =>
  kind === "shell"
    ? { name: "shell", arguments: JSON.stringify({ command: `echo done >> ${effectName(mark, request)}` }) }
    : { name: "recall", arguments: JSON.stringify({ query: `storm ${mark}` }) };

const answerTo = (messages: readonly Message[], request: number): string => {
  const { left, all } = readWishes(messages);
  const parts =
    left.length === 0
      ? [
          chunk(choice({ role: "assistant", content: `Done: ${all.map(({ mark }) => mark).join(" ")}.` }, null)),
          chunk(choice({}, "stop")),
        ]
      : [
          chunk(
            choice(
              {
                role: "assistant",
                content: null,
                tool_calls: left.map((wish, index) => ({
                  index,
                  id: `call-${wish.mark}`,
                  type: "function",
                  function: toCall(wish, request),
                })),
              },
              null,
            ),
          ),
          chunk(choice({}, "tool_calls")),
        ];
  const usage = chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  return `${parts.join("")}${usage}data: [DONE]\n\n`;
};

/** Starts the model. `delayMs` is the duration of each answer. */
export const startStormModel = (site: Site, delayMs: number): StormModel => {
  let requests = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (!new URL(request.url).pathname.endsWith("/chat/completions"))
        return new Response("This model only answers /chat/completions.", { status: 404 });
      const { messages } = (await request.json()) as { readonly messages: readonly Message[] };
      requests += 1;
      const own = requests;
      await pause(delayMs);
      return new Response(answerTo(messages, own), { headers: { "content-type": "text/event-stream" } });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    requests: () => requests,
    [Symbol.asyncDispose]: site.own(() => server.stop(true)),
  };
};
