/**
 * Reads the frames of an inmate and validates each one. A frame out of order ends the cell, and so
 * do too many frames.
 */
import { type Clock, InmateFrame, LINK_VERSION } from "@hearth/protocol";
import type { WardenLink } from "./backend.ts";
import { protocolError, type CellLeases, sizeOf } from "./cell-leases.ts";

export interface InmateReaderOptions {
  readonly link: Pick<WardenLink, "frames">;
  readonly cellLeases: Pick<CellLeases, "deliver">;
  readonly clock: Pick<Clock, "monotonic" | "turn">;
  /** Called when the inmate has sent hello, as its first frame and in our version. */
  readonly onHello: () => void;
}

/** Number of frames after which the reader yields to other work. */
const FRAMES_PER_BURST = 32;
/**
 * Maximum number of frames without an activation per period. Frames for activations that have just
 * ended may still be in flight. Their size is limited too.
 */
export const MAX_UNROUTED_FRAMES = 100;
const MAX_UNROUTED_SIZE = 32 * 1024 * 1024;
const PERIOD_MS = 10_000;

/**
 * Reads frames. Resolves when the link ends. Throws `cell.protocol` for a frame that our inmate
 * never sends.
 */
export const readInmate = async ({ link, cellLeases, clock, onHello }: InmateReaderOptions): Promise<void> => {
  const unroutedLimit = createUnroutedLimit(clock);
  let lastId = 0;
  let burst = 0;
  for await (const unvalidatedFrame of link.frames) {
    const frame = parse(unvalidatedFrame);
    if (frame.id <= lastId) throw protocolError("its frame ids do not increase");
    if (lastId === 0 ? frame.type !== "hello" : frame.type === "hello")
      throw protocolError("hello must be its first frame and must not repeat");
    lastId = frame.id;
    if (frame.type === "hello") {
      if (frame.version !== LINK_VERSION)
        throw protocolError(`it uses version ${frame.version} of the link instead of ${LINK_VERSION}`);
      onHello();
    } else if (!cellLeases.deliver(frame)) unroutedLimit.record(sizeOf(frame));
    burst += 1;
    if (burst < FRAMES_PER_BURST) continue;
    burst = 0;
    await clock.turn();
  }
};

const parse = (value: unknown): InmateFrame => {
  try {
    const { data } = InmateFrame.safeParse(value);
    if (data !== undefined) return data;
  } catch {
    // A frame that is nested too deeply to parse is invalid too.
  }
  throw protocolError("it sent an invalid frame");
};

const createUnroutedLimit = (clock: Pick<Clock, "monotonic">): { record(size: number): void } => {
  let periodStart = clock.monotonic();
  let [count, totalSize] = [0, 0];
  return {
    record(size) {
      if (clock.monotonic() - periodStart >= PERIOD_MS) [periodStart, count, totalSize] = [clock.monotonic(), 0, 0];
      count += 1;
      totalSize += size;
      if (count > MAX_UNROUTED_FRAMES || totalSize > MAX_UNROUTED_SIZE)
        throw protocolError("it keeps sending frames for activations that are not in the cell");
    },
  };
};
