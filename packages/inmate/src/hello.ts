/**
 * Sends an inmate's hello and all later frames. It is a separate module, so that a cell can send
 * the hello before it loads the rest of the program.
 */
import { type Clock, type InmateFrame, type InmateFrameBody, type Link, LINK_VERSION } from "@hearth/protocol";

/** Sends a frame. Adds its `id`, counted from 1, and its time. */
export type Say = (body: InmateFrameBody) => void;

export interface HelloOptions {
  readonly link: Link<InmateFrame, unknown>;
  readonly clock: Clock;
  /** The description of the runtime for people. */
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
