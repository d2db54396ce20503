/**
 * The protocol between the host and the keeper in a machine, on a separate port. First the host
 * sends the parameters of the cell, and the keeper answers when the machine is a cell. This uses
 * few bytes and little code, because every cell waits for it and code is slow on an emulated
 * processor. Afterwards the host opens a stream for each order, labelled with it, and the answer
 * arrives on the same stream. A failed order resets its stream. Orders are executed one after
 * another.
 */

/**
 * Both programs send this line once when they wait to become a cell, and the keeper sends it again
 * when the machine is one. It cannot be mistaken for a frame.
 */
export const WAITING = new TextEncoder().encode("\n");
export const STARTED = WAITING;
/** The start signal for which the inmate waits. */
export const GO = WAITING;

/**
 * `fill` sends a tree, which is written over the brain. `collect` sends nothing, and the answer is
 * a tree of changes.
 */
export const orders = ["fill", "collect"] as const;
export type Order = (typeof orders)[number];

/** The parameters that turn a waiting machine into a cell. */
export interface CellParameters {
  /** UTC milliseconds. */
  readonly at: number;
  readonly processes: number;
  readonly fileMiB: number;
  /** `SEED_LENGTH` random bytes, never used for another cell. */
  readonly seed: Uint8Array;
}

export const SEED_LENGTH = 64;
const HEAD_LENGTH = 16;
export const BEGIN_LENGTH = HEAD_LENGTH + SEED_LENGTH;

/** f64 `at` · u32 `processes` · u32 `fileMiB` · `seed`. */
export const encodeParameters = ({ at, processes, fileMiB, seed }: CellParameters): Uint8Array => {
  const bytes = new Uint8Array(BEGIN_LENGTH);
  const head = new DataView(bytes.buffer);
  head.setFloat64(0, at);
  head.setUint32(8, processes);
  head.setUint32(12, fileMiB);
  bytes.set(seed, HEAD_LENGTH);
  return bytes;
};

export const decodeParameters = (bytes: Uint8Array): CellParameters => {
  const head = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    at: head.getFloat64(0),
    processes: head.getUint32(8),
    fileMiB: head.getUint32(12),
    seed: bytes.subarray(HEAD_LENGTH, BEGIN_LENGTH),
  };
};

/** The path of the workspace in a tree. Everything else is the brain. */
export const WORKSPACE = "workspace";
