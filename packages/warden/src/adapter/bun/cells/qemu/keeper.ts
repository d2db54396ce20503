/** The host's end of the port to the keeper in a machine. See `wire.ts`. */
import { type BytePipe, createByteLink, HearthError } from "@hearth/protocol";
import { decodeTree, encodeTree, type Item } from "./tree-codec.ts";
import { type Begin, encodeBegin, type Order } from "./wire.ts";

export interface Keeper {
  /** Throws `cell.lost` when it could not be done. Those that were asked for later are done later. */
  fill(items: AsyncIterable<Item>): Promise<void>;
  /** What changed in the workspace since the last time. Throws `cell.protocol` too. */
  collect(): AsyncIterable<Item>;
  close(): void;
}

/** Makes a cell of the machine. Throws `cell.lost` when it ends before it is one. */
export const beginMachine = async (pipe: BytePipe, begin: Begin): Promise<Keeper> => {
  const incoming = pipe.bytes[Symbol.asyncIterator]();
  await pipe.write(encodeBegin(begin));
  if ((await incoming.next()).done === true)
    throw new HearthError("cell.lost", "the machine ended before it was a cell");
  return createKeeper({ ...pipe, bytes: { [Symbol.asyncIterator]: () => incoming } });
};

const createKeeper = (pipe: BytePipe): Keeper => {
  const link = createByteLink<never>(pipe, "warden");
  read(link.frames).catch(link.close);

  const order = (name: Order, body: AsyncIterable<Uint8Array>) => {
    const stream = link.openStream(name);
    const send = async (): Promise<void> => {
      try {
        for await (const bytes of body) await stream.write(bytes);
        stream.end();
      } catch (error) {
        stream.reset();
        throw error;
      }
    };
    const sent = send();
    sent.catch(() => undefined);
    return { sent, answer: stream.bytes };
  };
  const done = async (name: Order, body: AsyncIterable<Uint8Array>): Promise<void> => {
    const { sent, answer } = order(name, body);
    // What could not be sent says more than what was not answered.
    await sent;
    await exhaust(answer);
  };

  return {
    fill: (items) => done("fill", encodeTree(items)),
    collect: () => decodeTree(order("collect", none()).answer),
    close: link.close,
  };
};

async function* none(): AsyncGenerator<Uint8Array> {}

const exhaust = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of bytes) continue;
};

/** Reads the frames, which moves the streams. Throws on bytes that are no frame. */
const read = async (frames: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of frames) continue;
};
