/** Serves a house's memory over a pipe. Answers may be in a different order than their requests. */
import { createDecoder, encodeMessage, HearthError, toErrorBody } from "@hearth/protocol";
import { MemoryRequest, type MemoryResponse, type MemoryVectors } from "@hearth/protocol/memory-frames";
import type { HouseMemory } from "./house-memory.ts";

export interface ServedPipe {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly send: Send;
  /** Accepts vectors that were requested from the house. */
  readonly acceptVectors?: (vectors: MemoryVectors) => void;
}

export type Send = (response: MemoryResponse) => Promise<void>;

export const createSend = (write: (bytes: Uint8Array) => void | Promise<void>): Send => {
  let count = 0;
  return async (response) => {
    count = (count + 1) >>> 0;
    await write(encodeMessage(response, count));
  };
};

/**
 * Serves until the input ends. Throws `cell.protocol` for a malformed frame, and the pipe's error
 * if a response cannot be sent. An invalid request gets an error answer.
 */
export const serveMemory = async (memory: HouseMemory, { bytes, send, acceptVectors }: ServedPipe): Promise<void> => {
  const decoder = createDecoder();
  const runningRequests = new Map<number, AbortController>();
  const answerRequest = async (message: unknown): Promise<void> => {
    const request = MemoryRequest.safeParse(message);
    if (!request.success) {
      const id = idOf(message);
      const error = new HearthError(
        "request.invalid",
        `Invalid request to the memory process: ${request.error.message}`,
      );
      if (id !== undefined) await send({ id, error: toErrorBody(error) });
      return;
    }
    if ("stop" in request.data) return runningRequests.get(request.data.stop)?.abort();
    if ("called" in request.data) return acceptVectors?.(request.data);
    const { id, ask } = request.data;
    const controller = new AbortController();
    runningRequests.set(id, controller);
    const response = await memory.answer(ask, controller.signal).then(
      (answer) => ({ id, answer }),
      (error: unknown) => ({ id, error: toErrorBody(error) }),
    );
    runningRequests.delete(id);
    await send(response);
  };
  const sendFailure = Promise.withResolvers<never>();
  const read = async (): Promise<void> => {
    for await (const chunk of bytes)
      for (const message of decoder.push(chunk)) answerRequest(message).catch(sendFailure.reject);
  };
  await Promise.race([read(), sendFailure.promise]);
};

const idOf = (message: unknown): number | undefined => {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  const { id } = message;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
};
