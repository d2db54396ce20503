/** A provider made of scripted ones, as the contract needs it. Contains no tests. */
import type { Clock, ErrorBody } from "@hearth/protocol";
import { createFakeWorld, type FakeWorld } from "@hearth/protocol/world-fake";
import type { ProviderHarness } from "../provider.conformance.ts";
import type { Provider } from "../provider.ts";
import { createScriptedProvider, type ScriptedModels, type ScriptedReply } from "./scripted.ts";

export type Reply = ScriptedReply | { readonly models: readonly string[] };

export const failing = (code: ErrorBody["code"]): ScriptedReply => ({ error: { code, message: "It is so written." } });

const isScriptedReply = (reply: Reply): reply is ScriptedReply => !("models" in reply);
/** Returns the models of a reply. A reply that is not about models gives none. */
const toModels = (reply: Reply | undefined): ScriptedModels => {
  if (reply === undefined) return [];
  if ("models" in reply) return reply.models;
  if ("error" in reply) return { error: reply.error };
  return "hang" in reply ? { hang: true } : [];
};

/**
 * Creates the harness. `wrap` creates the provider from a scripted one, and `attempts` is the
 * number of its calls on transient failures.
 */
export const scriptedHarness = (
  wrap: (scripted: Provider, world: FakeWorld, clock: Clock) => Provider,
  attempts = 1,
): ProviderHarness<Reply> => {
  /** The replies that fail so often that the retries are used up. */
  const retriedReplies = new Set<Reply>();
  const createTransient = (code: ErrorBody["code"]): Reply => {
    const reply = failing(code);
    retriedReplies.add(reply);
    return reply;
  };
  return {
    open(replies) {
      const repliesWithRetries = replies.flatMap((reply) =>
        Array.from({ length: retriedReplies.has(reply) ? attempts : 1 }, () => reply),
      );
      const scripted = createScriptedProvider(repliesWithRetries.filter(isScriptedReply), toModels(replies[0]));
      const world = createFakeWorld({ hash: () => "" });
      let openCount = 0;
      const countedProvider: Provider = {
        ...scripted,
        async *stream(request, signal) {
          openCount += 1;
          try {
            yield* scripted.stream(request, signal);
          } finally {
            openCount -= 1;
          }
        },
      };
      return Promise.resolve({
        provider: wrap(countedProvider, world, instantSleepClock(world)),
        world,
        calls: () => scripted.requests.length,
        openConnections: () => openCount,
      });
    },
    saying: (text) => ({ text }),
    calling: (calls, text) => ({ text, toolCalls: calls }),
    stopping: (stopReason, text) => ({ text, stopReason }),
    listing: (models) => ({ models }),
    silent: (text) => ({ hang: true, text }),
    unauthorized: () => failing("provider.auth"),
    rateLimited: () => createTransient("provider.rate-limited"),
    overloaded: () => createTransient("provider.overloaded"),
    failing: () => createTransient("provider.failed"),
    contextOverflow: () => failing("provider.context-overflow"),
  };
};

/** Creates a clock whose `sleep` advances the time at once. */
export const instantSleepClock = ({ clock, advance }: FakeWorld): Clock => ({
  ...clock,
  sleep: (ms, signal) => (signal?.aborted === true ? Promise.resolve() : advance(ms)),
});
