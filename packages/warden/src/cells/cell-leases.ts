/**
 * The leases of activations on one cell. Routes frames to their activation and checks them against
 * the protocol. The number and the size of unread frames are limited.
 */
import {
  type ActivationId,
  type ByteStream,
  type CellLimits,
  createMailbox,
  type FrameScope,
  HearthError,
  type InmateFrame,
  type Mailbox,
  MAX_MESSAGE_SIZE,
  type WardenFrameBody,
} from "@hearth/protocol";

/** An activation's lease on a cell. */
export interface CellLease {
  send(frame: WardenFrameBody): void;
  /** Opens a byte stream to the inmate, beside the frames. */
  openStream(label: string): ByteStream;
  /** The limits of the cell. */
  readonly limits: CellLimits;
  /** The lease's frames, in order. The iteration throws `cell.lost` when the cell dies. */
  readonly frames: AsyncIterable<InmateFrame>;
  /**
   * Pauses the lease: no work of it runs in the cell until the returned function is called.
   * Meanwhile the cell may be closed to free its slot for another cell.
   */
  pause(): () => void;
  /** Whether the cell was closed during a pause to free its slot. That is not a failure. */
  wasPreempted(): boolean;
  /** Closes the cell because its inmate violated the protocol. */
  reportViolation(why: string): void;
  /** Releases the lease. Later frames for it are dropped. */
  release(): void;
}

/** A frame of an activation. */
export type LeaseFrame = Exclude<InmateFrame, { type: "hello" }>;

export interface CellLeases {
  acquire(scope: FrameScope): CellLease;
  /**
   * Delivers a frame. Returns false when no lease matches it. Throws `cell.protocol` for a frame
   * that the inmate must not send.
   */
  deliver(frame: LeaseFrame): boolean;
  /** Whether no activation runs in the cell. */
  isIdle(): boolean;
  readonly activations: readonly ActivationId[];
  /** Ends all leases with `error`. With `preempted`, paused leases are not ended. */
  end(error: HearthError, reason?: "preempted"): void;
}

export interface CellLeasesOptions {
  readonly send: (frame: WardenFrameBody) => void;
  readonly openStream: (label: string) => ByteStream;
  readonly limits: CellLimits;
  /** Called when the cell has become idle. */
  readonly onIdle: () => void;
  /** Called when an activation began or resumed in the cell. */
  readonly onBusy: () => void;
  readonly reportViolation: (why: string) => void;
}

interface LeaseState {
  readonly scope: FrameScope;
  readonly mailbox: Mailbox<InmateFrame>;
  unreadCount: number;
  /** Approximate size of the unread frames, in characters. */
  unreadSize: number;
  isPaused: boolean;
  isPreempted: boolean;
}

/**
 * Maximum number of unread frames. An inmate waits for the answer to each request, so at most the
 * end of a call and the next call are in flight.
 */
export const MAX_UNREAD = 8;
/** Maximum size of the unread frames: one frame of the maximum length, and a margin. */
export const MAX_UNREAD_SIZE = MAX_MESSAGE_SIZE + 64 * 1024;

export const createCellLeases = (options: CellLeasesOptions): CellLeases => {
  const leases = new Map<ActivationId, LeaseState>();

  const isIdle = (): boolean => [...leases.values()].every(({ isPaused }) => isPaused);

  const readFrames = async function* (cellLease: LeaseState): AsyncGenerator<InmateFrame> {
    for await (const frame of cellLease.mailbox) {
      cellLease.unreadCount -= 1;
      cellLease.unreadSize -= sizeOf(frame);
      yield frame;
    }
  };

  return {
    acquire(scope) {
      const cellLease: LeaseState = {
        scope,
        mailbox: createMailbox<InmateFrame>(),
        unreadCount: 0,
        unreadSize: 0,
        isPaused: false,
        isPreempted: false,
      };
      leases.set(scope.activation, cellLease);
      options.onBusy();
      return {
        send: options.send,
        openStream: options.openStream,
        limits: options.limits,
        frames: readFrames(cellLease),
        pause() {
          cellLease.isPaused = true;
          if (isIdle()) options.onIdle();
          return () => {
            cellLease.isPaused = false;
            if (leases.get(scope.activation) === cellLease) options.onBusy();
          };
        },
        wasPreempted: () => cellLease.isPreempted,
        reportViolation: options.reportViolation,
        release() {
          if (leases.get(scope.activation) !== cellLease) return;
          leases.delete(scope.activation);
          cellLease.mailbox.close();
          if (isIdle()) options.onIdle();
        },
      };
    },

    deliver(frame) {
      const cellLease = leases.get(frame.activation);
      if (cellLease === undefined) return false;
      if (!isSameScope(cellLease.scope, frame)) throw protocolError("it sent a frame for another activation");
      cellLease.unreadCount += 1;
      cellLease.unreadSize += sizeOf(frame);
      if (cellLease.unreadCount > MAX_UNREAD || cellLease.unreadSize > MAX_UNREAD_SIZE)
        throw protocolError("it sent frames without waiting for answers");
      cellLease.mailbox.put(frame);
      return true;
    },

    isIdle,
    get activations() {
      return [...leases.keys()];
    },

    end(error, reason) {
      for (const cellLease of leases.values()) {
        cellLease.isPreempted = reason === "preempted" && cellLease.isPaused;
        cellLease.mailbox.close(error);
      }
      leases.clear();
    },
  };
};

export const protocolError = (problem: string): HearthError => new HearthError("cell.protocol", problem);

/** Approximate number of text characters in a frame. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let size = 16;
  for (const part of Object.values(value)) size += sizeOf(part);
  return size;
};

/**
 * Whether the inmate may send the frame. It may only send frames for activations that it was given.
 */
const isSameScope = (scope: FrameScope, frame: FrameScope): boolean =>
  scope.agent === frame.agent &&
  scope.room === frame.room &&
  scope.person === frame.person &&
  scope.session === frame.session;
