/** Activations that a test controls: the test creates them, and requests stop them. */
import { type Activation, type ActivationId, HearthError, noUsage } from "@hearth/protocol";
import type { Activations } from "../../turns/run/activations.ts";

export const createFakeActivations = (): Activations & { put(activation: Activation): void } => {
  const activations = new Map<ActivationId, Activation>();
  let nextChange = Promise.withResolvers<void>();
  const get = async (id: ActivationId): Promise<Activation> => {
    const activation = activations.get(id);
    if (activation === undefined) throw new HearthError("activation.not-found", `There is no activation ${id}.`);
    return activation;
  };
  const storeActivation = (activation: Activation): void => {
    activations.set(activation.id, activation);
    nextChange.resolve();
    nextChange = Promise.withResolvers();
  };
  const isOver = ({ state }: Activation): boolean => state !== "queued" && state !== "running";
  const stop = async (id: ActivationId): Promise<Activation> => {
    const activation = await get(id);
    if (!isOver(activation)) storeActivation({ ...activation, state: "stopped", reason: "It was stopped." });
    return get(id);
  };
  return {
    put: storeActivation,
    get,
    list: async ({ agent, room, rooms, state, limit }) =>
      [...activations.values()]
        .filter((activation) => agent === undefined || activation.agent === agent)
        .filter((activation) => room === undefined || activation.room === room)
        .filter((activation) => rooms === undefined || rooms.includes(activation.room))
        .filter((activation) => state === undefined || activation.state === state)
        .reverse()
        .slice(0, limit),
    detail: async () => ({
      steps: new Map([
        [
          0,
          {
            ...({
              kind: "model",
              name: "offline/echo",
              effect: "pure",
              state: "done",
              startedAt: 1,
              endedAt: 2,
            } as const),
            output: JSON.stringify({
              message: {
                role: "assistant",
                text: "what it said",
                toolCalls: [],
                vendor: { wire: "fake", data: "not for the port" },
              },
              usage: noUsage,
            }),
          },
        ],
      ]),
      parts: [{ kind: "text", text: "what it said" }],
    }),
    stop,
    async retry(id) {
      const failedActivation = await get(id);
      if (failedActivation.state !== "failed")
        throw new HearthError("activation.not-retryable", `Activation ${id} is ${failedActivation.state}.`);
      if (failedActivation.retriedBy !== undefined) return get(failedActivation.retriedBy);
      const retry: Activation = {
        id: `${id.slice(0, -1)}${id.endsWith("9") ? "8" : "9"}` as ActivationId,
        state: "queued",
        usage: noUsage,
        agent: failedActivation.agent,
        room: failedActivation.room,
        trigger: failedActivation.trigger,
        cause: failedActivation.cause,
        depth: failedActivation.depth,
        createdAt: failedActivation.createdAt,
      };
      storeActivation(retry);
      storeActivation({ ...failedActivation, retriedBy: retry.id });
      return retry;
    },
    async stopWoken(message) {
      for (const { id, cause } of [...activations.values()]) if (cause === message) await stop(id);
    },
    async wait(id, signal) {
      while (!isOver(await get(id)) && !signal.aborted) {
        await Promise.race([nextChange.promise, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      }
      return get(id);
    },
    counts: () => ({ queued: 0, running: 0 }),
  };
};
