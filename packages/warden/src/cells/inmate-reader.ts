/** Reads what an inmate says, for as long as it keeps to the protocol. Every frame is checked; what comes out of turn, or in floods, ends the cell. */
import { type Clock, InmateFrame, LINK_VERSION } from "@hearth/protocol";
import type { WardenLink } from "./backend.ts";
import { broken, type CellLeases, sizeOf } from "./cell-leases.ts";

export interface InmateReaderOptions {
  readonly link: Pick<WardenLink, "frames">;
  readonly cellLeases: Pick<CellLeases, "deliver">;
  readonly clock: Pick<Clock, "monotonic" | "turn">;
  /** It has said hello: first, and in our version. */
  readonly greeted: () => void;
}

/** After so many frames everybody else has a turn. */
const BURST = 32;
/** Frames for activations that have just left may still be under way, so some for nobody are no wonder: so many, and so much, in a while. */
export const MAX_UNROUTED_FRAMES = 100;
const MAX_STRAY_SIZE = 32 * 1024 * 1024;
const WHILE_MS = 10_000;

/** Resolves when the link ends. Throws `cell.protocol` at what no inmate of ours says. */
export const readInmate = async ({ link, cellLeases, clock, greeted }: InmateReaderOptions): Promise<void> => {
  const strays = createAllowance(clock);
  let last = 0;
  let burst = 0;
  for await (const received of link.frames) {
    const frame = parse(received);
    if (frame.id <= last) throw broken("its frames do not count up");
    if (last === 0 ? frame.type !== "hello" : frame.type === "hello") throw broken("a hello comes first, and once");
    last = frame.id;
    if (frame.type === "hello") {
      if (frame.version !== LINK_VERSION) throw broken(`it speaks version ${frame.version} of the link`);
      greeted();
    } else if (!cellLeases.deliver(frame)) strays.spend(sizeOf(frame));
    burst += 1;
    if (burst < BURST) continue;
    burst = 0;
    await clock.turn();
  }
};

const parse = (received: unknown): InmateFrame => {
  try {
    const { data } = InmateFrame.safeParse(received);
    if (data !== undefined) return data;
  } catch {
    // What is nested too deeply to be looked at is none either.
  }
  throw broken("it sent a frame that is none");
};

const createAllowance = (clock: Pick<Clock, "monotonic">): { spend(size: number): void } => {
  let since = clock.monotonic();
  let [count, total] = [0, 0];
  return {
    spend(size) {
      if (clock.monotonic() - since >= WHILE_MS) [since, count, total] = [clock.monotonic(), 0, 0];
      count += 1;
      total += size;
      if (count > MAX_UNROUTED_FRAMES || total > MAX_STRAY_SIZE) throw broken("it keeps talking to nobody");
    },
  };
};
