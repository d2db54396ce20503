/**
 * The places of activations in one cell: hands each its own frames, and holds the inmate to how an inmate speaks. What waits to be read
 * is bounded, whatever it sends.
 */
import {
  type ActivationId,
  createMailbox,
  type FrameScope,
  HearthError,
  type InmateFrame,
  type Mailbox,
  MAX_MESSAGE_SIZE,
  type WardenFrameBody,
} from "@hearth/protocol";

/** An activation's place in a cell. */
export interface CellLease {
  send(frame: WardenFrameBody): void;
  /** Its frames, in order. Ends with a thrown `cell.lost` when the cell dies. */
  readonly frames: AsyncIterable<InmateFrame>;
  /** Nothing of it runs in the cell until it is called back: meanwhile the cell may make way for another one. */
  pause(): () => void;
  /** Whether the cell made way for another one while it paused. Then nobody is to blame. */
  gaveWay(): boolean;
  /** Ends the cell: its inmate does what no inmate of ours does. */
  accuse(why: string): void;
  /** Frees the place. Frames that come later are dropped. */
  leave(): void;
}

/** A frame of an activation. */
export type LeaseFrame = Exclude<InmateFrame, { type: "hello" }>;

export interface CellLeases {
  sit(scope: FrameScope): CellLease;
  /** Whether somebody sits there to get it. Throws `cell.protocol` when the inmate could not rightly send it. */
  deliver(frame: LeaseFrame): boolean;
  /** Whether nothing of anybody runs in the cell. */
  isAtRest(): boolean;
  readonly activations: readonly ActivationId[];
  /** Everybody learns `error`, except those who paused when it is `gaveWay`. */
  end(error: HearthError, how?: "gave-way"): void;
}

export interface CellLeasesOptions {
  readonly send: (frame: WardenFrameBody) => void;
  /** The cell has come to rest. */
  readonly atRest: () => void;
  /** An activation runs in the cell: one has begun, or goes on. */
  readonly atWork: () => void;
  readonly accuse: (why: string) => void;
}

interface Taken {
  readonly scope: FrameScope;
  readonly mailbox: Mailbox<InmateFrame>;
  unread: number;
  /** Characters, about, of what is unread. */
  unreadSize: number;
  isPaused: boolean;
  gaveWay: boolean;
}

/** An inmate waits for an answer before it goes on: more than the end of a call and the next one is never under way. */
export const MAX_UNREAD = 8;
/** One frame of the greatest length, with little beside it. */
export const MAX_UNREAD_SIZE = MAX_MESSAGE_SIZE + 64 * 1024;

export const createCellLeases = (options: CellLeasesOptions): CellLeases => {
  const taken = new Map<ActivationId, Taken>();

  const isAtRest = (): boolean => [...taken.values()].every(({ isPaused }) => isPaused);

  const read = async function* (cellLease: Taken): AsyncGenerator<InmateFrame> {
    for await (const frame of cellLease.mailbox) {
      cellLease.unread -= 1;
      cellLease.unreadSize -= sizeOf(frame);
      yield frame;
    }
  };

  return {
    sit(scope) {
      const cellLease: Taken = {
        ...{ scope, mailbox: createMailbox<InmateFrame>() },
        ...{ unread: 0, unreadSize: 0, isPaused: false, gaveWay: false },
      };
      taken.set(scope.activation, cellLease);
      options.atWork();
      return {
        send: options.send,
        frames: read(cellLease),
        pause() {
          cellLease.isPaused = true;
          if (isAtRest()) options.atRest();
          return () => {
            cellLease.isPaused = false;
            if (taken.get(scope.activation) === cellLease) options.atWork();
          };
        },
        gaveWay: () => cellLease.gaveWay,
        accuse: options.accuse,
        leave() {
          if (taken.get(scope.activation) !== cellLease) return;
          taken.delete(scope.activation);
          cellLease.mailbox.close();
          if (isAtRest()) options.atRest();
        },
      };
    },

    deliver(frame) {
      const cellLease = taken.get(frame.activation);
      if (cellLease === undefined) return false;
      if (!isSameScope(cellLease.scope, frame)) throw broken("it spoke for someone else");
      cellLease.unread += 1;
      cellLease.unreadSize += sizeOf(frame);
      if (cellLease.unread > MAX_UNREAD || cellLease.unreadSize > MAX_UNREAD_SIZE)
        throw broken("it went on without waiting for answers");
      cellLease.mailbox.put(frame);
      return true;
    },

    isAtRest,
    get activations() {
      return [...taken.keys()];
    },

    end(error, how) {
      for (const cellLease of taken.values()) {
        cellLease.gaveWay = how === "gave-way" && cellLease.isPaused;
        cellLease.mailbox.close(error);
      }
      taken.clear();
    },
  };
};

export const broken = (what: string): HearthError => new HearthError("cell.protocol", what);

/** About how many characters of text a frame holds. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 16;
  for (const part of Object.values(value)) size += sizeOf(part);
  return size;
};

/** An inmate speaks for the activations that it was given and for nobody else. */
const isSameScope = (scope: FrameScope, frame: FrameScope): boolean =>
  scope.agent === frame.agent &&
  scope.room === frame.room &&
  scope.person === frame.person &&
  scope.session === frame.session;
