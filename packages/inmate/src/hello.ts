/**
 * The first word of an inmate, and the voice that says all that follow. Stands alone, so that a cell is heard before it has read the rest of
 * its program.
 */
import { type Clock, type InmateFrame, type InmateFrameBody, type Link, LINK_VERSION } from "@hearth/protocol";

/** Sends a frame, stamped: they count up from 1. */
export type Say = (body: InmateFrameBody) => void;

export interface HelloOptions {
  readonly link: Link<InmateFrame, unknown>;
  readonly clock: Clock;
  /** Words about the runtime, for people. */
  readonly runtime: string;
}

export const sayHello = ({ link, clock, runtime }: HelloOptions): Say => {
  let count = 0;
  const say: Say = (body) => {
    count += 1;
    link.send({ ...body, id: count, at: clock.now() });
  };
  say({ type: "hello", version: LINK_VERSION, runtime });
  return say;
};
