/**
 * Checks whether the public address of a tunnel reaches this house: a request to the address carries
 * a random question, and only the port of the tunnel knows the answer.
 */
import type { Clock, Fetch, World } from "@hearth/protocol";
import type { Http } from "../http.ts";

export interface RouteCheck {
  /** Answers the questions of checks, and passes all other requests to the handler. */
  answering(http: Http): Http;
  /** Returns why the address does not reach this house, or undefined if it does. Never rejects. */
  findProblem(url: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum duration of a request through the tunnel and back. */
export const ROUTE_TIMEOUT_MS = 10_000;
const SECRET_SIZE = 24;
const PATH = "/healthz";
const QUESTION = "tunnel-check";
/** A longer answer is from another program. */
const MAX_ANSWER = 200;

export interface RouteCheckOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly fetch: Fetch;
  readonly random: World["random"];
}

export const createRouteCheck = ({ clock, fetch, random }: RouteCheckOptions): RouteCheck => {
  /** The answers by question. */
  const expected = new Map<string, string>();
  const secret = (): string => random(SECRET_SIZE).toHex();

  const ask = async (url: string, signal: AbortSignal): Promise<string | undefined> => {
    const [question, answer] = [secret(), secret()];
    expected.set(question, answer);
    try {
      const response = await fetch(`${url}${PATH}?${QUESTION}=${question}`, {
        signal,
        // Only the house itself may answer.
        redirect: "manual",
        headers: { "cache-control": "no-cache" },
      });
      if (response.status !== 200) {
        await response.body?.cancel();
        return `${url} answers with status ${response.status}`;
      }
      const text = (await readStart(response)).trim();
      return text === answer ? undefined : `${url} is answered by another program`;
    } catch (error) {
      return `this machine cannot reach ${url}: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      expected.delete(question);
    }
  };

  return {
    answering: (http) => ({
      ...http,
      async handle(request, connection) {
        const { pathname, searchParams } = new URL(request.url);
        const answer = pathname === PATH ? expected.get(searchParams.get(QUESTION) ?? "") : undefined;
        if (answer === undefined) return http.handle(request, connection);
        return new Response(answer, { headers: { "cache-control": "no-store", "content-type": "text/plain" } });
      },
    }),

    async findProblem(url, signal) {
      const ended = new AbortController();
      const limit = AbortSignal.any([signal, ended.signal]);
      const late = new AbortController();
      const deadline = clock.sleep(ROUTE_TIMEOUT_MS, limit).then(() => late.abort(new Error("no answer within 10 s")));
      try {
        return await ask(url, AbortSignal.any([signal, late.signal]));
      } finally {
        ended.abort();
        await deadline;
      }
    },
  };
};

const readStart = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || text.length > MAX_ANSWER) return text;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
};
