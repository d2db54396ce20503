/** A house's memory behind a pipe: requests come in, answers go out, each as soon as it is there. */
import {
  createDecoder,
  encodeMessage,
  HearthError,
  MemoryRequest,
  type MemoryResponse,
  type MemoryVectors,
  toErrorBody,
} from "@hearth/protocol";
import type { HouseMemory } from "./house-memory.ts";

export interface ServedPipe {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly send: Send;
  /** Vectors that were called for. */
  readonly take?: (vectors: MemoryVectors) => void;
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
 * Resolves when the other side has ended. Throws `cell.protocol` on bytes that are no frame, and the pipe's error when a response
 * cannot be sent. An unknown request gets an error as its response.
 */
export const serveMemory = async (
  memory: HouseMemory,
  { bytes, send, take: takeVectors }: ServedPipe,
): Promise<void> => {
  const decoder = createDecoder();
  const asked = new Map<number, AbortController>();
  const take = async (message: unknown): Promise<void> => {
    const request = MemoryRequest.safeParse(message);
    if (!request.success) {
      const id = idOf(message);
      const error = new HearthError(
        "request.invalid",
        `The memory process was asked what it does not know: ${request.error.message}`,
      );
      if (id !== undefined) await send({ id, error: toErrorBody(error) });
      return;
    }
    if ("stop" in request.data) return asked.get(request.data.stop)?.abort();
    if ("called" in request.data) return takeVectors?.(request.data);
    const { id, ask } = request.data;
    const stop = new AbortController();
    asked.set(id, stop);
    const response = await memory.answer(ask, stop.signal).then(
      (answer) => ({ id, answer }),
      (error: unknown) => ({ id, error: toErrorBody(error) }),
    );
    asked.delete(id);
    await send(response);
  };
  const unsent = Promise.withResolvers<never>();
  const read = async (): Promise<void> => {
    for await (const chunk of bytes) for (const message of decoder.push(chunk)) take(message).catch(unsent.reject);
  };
  await Promise.race([read(), unsent.promise]);
};

const idOf = (message: unknown): number | undefined => {
  if (typeof message !== "object" || message === null || !("id" in message)) return undefined;
  const { id } = message;
  return typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : undefined;
};
