/**
 * What the host and the keeper in a machine say to each other, on a port of their own. First the host says what cell the machine is to be, and the
 * keeper answers when it is one: in as few bytes and by as little code as can be, for every cell waits for it, and where the processor is emulated
 * it waits for each piece of code. After that the host opens a stream for each order, named by it, and the answer comes on the same stream; one
 * that could not be done is reset. Orders are done one after the other.
 */

/** What both programs say once when they wait to become a cell, and the keeper when it is one: a line, so that nobody takes it for a frame. */
export const WAITING = new TextEncoder().encode("\n");
export const BEGUN = WAITING;
/** What the inmate waits for. */
export const GO = WAITING;

/** `fill`: a tree, which is laid over the brain. `collect`: nothing; the answer is a tree of what changed. */
export const orders = ["fill", "collect"] as const;
export type Order = (typeof orders)[number];

/** What makes a cell of a machine that waits. */
export interface Begin {
  /** UTC milliseconds. */
  readonly at: number;
  readonly processes: number;
  readonly fileMiB: number;
  /** `SEED_LENGTH` random bytes. No other cell has had them. */
  readonly seed: Uint8Array;
}

export const SEED_LENGTH = 64;
const HEAD_LENGTH = 16;
export const BEGIN_LENGTH = HEAD_LENGTH + SEED_LENGTH;

/** f64 `at` · u32 `processes` · u32 `fileMiB` · `seed`. */
export const encodeBegin = ({ at, processes, fileMiB, seed }: Begin): Uint8Array => {
  const bytes = new Uint8Array(BEGIN_LENGTH);
  const head = new DataView(bytes.buffer);
  head.setFloat64(0, at);
  head.setUint32(8, processes);
  head.setUint32(12, fileMiB);
  bytes.set(seed, HEAD_LENGTH);
  return bytes;
};

export const decodeBegin = (bytes: Uint8Array): Begin => {
  const head = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    at: head.getFloat64(0),
    processes: head.getUint32(8),
    fileMiB: head.getUint32(12),
    seed: bytes.subarray(HEAD_LENGTH, BEGIN_LENGTH),
  };
};

/** Where the workspace is in a tree, and that of the brain is all the rest. */
export const WORKSPACE = "workspace";
