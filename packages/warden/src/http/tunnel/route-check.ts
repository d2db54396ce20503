/**
 * Checks whether the public address of a tunnel reaches this house: a request to the address carries
 * a random question, and only the port of the tunnel knows the answer.
 */
import type { Clock, Fetch, World } from "@hearth/protocol";
import type { Http } from "../http.ts";

export interface RouteCheck {
  /** Returns a handler that answers the requests of checks, and passes all other requests to `http`. */
  answering(http: Http): Http;
  /** Returns why the address does not reach this house, or undefined if it does. Never rejects. */
  findProblem(url: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum duration of a request through the tunnel and back. */
export const ROUTE_TIMEOUT_MS = 10_000;
const RANDOM_BYTES = 24;
const CHECK_PATH = "/healthz";
const QUESTION_PARAMETER = "tunnel-check";
/** A longer answer is from another program. */
const MAX_ANSWER_LENGTH = 200;

export interface RouteCheckOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly fetch: Fetch;
  readonly random: World["random"];
}

export const createRouteCheck = ({ clock, fetch, random }: RouteCheckOptions): RouteCheck => {
  /** Maps each open question to its answer. */
  const expectedAnswers = new Map<string, string>();
  const randomHex = (): string => random(RANDOM_BYTES).toHex();

  const findAnswerProblem = async (url: string, signal: AbortSignal): Promise<string | undefined> => {
    const [question, answer] = [randomHex(), randomHex()];
    expectedAnswers.set(question, answer);
    try {
      const response = await fetch(`${url}${CHECK_PATH}?${QUESTION_PARAMETER}=${question}`, {
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
      expectedAnswers.delete(question);
    }
  };

  return {
    answering: (http) => ({
      ...http,
      async handle(request, connection) {
        const { pathname, searchParams } = new URL(request.url);
        const question = searchParams.get(QUESTION_PARAMETER) ?? "";
        const answer = pathname === CHECK_PATH ? expectedAnswers.get(question) : undefined;
        if (answer === undefined) return http.handle(request, connection);
        return new Response(answer, { headers: { "cache-control": "no-store", "content-type": "text/plain" } });
      },
    }),

    async findProblem(url, signal) {
      const timeout = new AbortController();
      const stopTimer = new AbortController();
      const timer = clock
        .sleep(ROUTE_TIMEOUT_MS, AbortSignal.any([signal, stopTimer.signal]))
        .then(() => timeout.abort(new Error("no answer within 10 s")));
      try {
        return await findAnswerProblem(url, AbortSignal.any([signal, timeout.signal]));
      } finally {
        stopTimer.abort();
        await timer;
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
      if (done || text.length > MAX_ANSWER_LENGTH) return text;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
};
