/** The host's end of the port to the keeper in a machine. See `wire.ts`. */
import { type BytePipe, createByteLink, HearthError } from "@hearth/protocol";
import { decodeTree, encodeTree, type Item } from "./tree-codec.ts";
import { type CellParameters, encodeParameters, type Order } from "./wire.ts";

export interface WorkspaceKeeper {
  /**
   * Writes the items into the machine. Throws `cell.lost` on failure. Orders are executed in the
   * order of the calls.
   */
  fill(items: AsyncIterable<Item>): Promise<void>;
  /** Yields what changed in the workspace since the last call. Also throws `cell.protocol`. */
  collect(): AsyncIterable<Item>;
  close(): void;
}

/** Turns the machine into a cell. Throws `cell.lost` when it ends before that. */
export const beginMachine = async (pipe: BytePipe, begin: CellParameters): Promise<WorkspaceKeeper> => {
  const incoming = pipe.bytes[Symbol.asyncIterator]();
  await pipe.write(encodeParameters(begin));
  if ((await incoming.next()).done === true)
    throw new HearthError("cell.lost", "the machine ended while it was starting");
  return createWorkspaceKeeper({ ...pipe, bytes: { [Symbol.asyncIterator]: () => incoming } });
};

const createWorkspaceKeeper = (pipe: BytePipe): WorkspaceKeeper => {
  const link = createByteLink<never>(pipe, "warden");
  drainFrames(link.frames).catch(link.close);

  const sendOrder = (name: Order, body: AsyncIterable<Uint8Array>) => {
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
    const sending = send();
    sending.catch(() => undefined);
    return { sending, answer: stream.bytes };
  };
  const completeOrder = async (name: Order, body: AsyncIterable<Uint8Array>): Promise<void> => {
    const { sending, answer } = sendOrder(name, body);
    // An error of sending explains more than a missing answer.
    await sending;
    await drainBytes(answer);
  };

  return {
    fill: (items) => completeOrder("fill", encodeTree(items)),
    collect: () => decodeTree(sendOrder("collect", emptyBytes()).answer),
    close: link.close,
  };
};

async function* emptyBytes(): AsyncGenerator<Uint8Array> {}

const drainBytes = async (bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of bytes) continue;
};

/**
 * The keeper sends nothing except answers, but reading the frames drives the streams. Throws on
 * bytes that are not a frame.
 */
const drainFrames = async (frames: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of frames) continue;
};
