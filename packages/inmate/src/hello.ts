/**
 * Sends an inmate's hello and all later frames. It is a separate module, so that a cell can send
 * the hello before it loads the rest of the program.
 */
import { type Clock, type InmateFrame, type InmateFrameBody, type Link, LINK_VERSION } from "@hearth/protocol";

/** Sends a frame. Adds its `id`, counted from 1, and its time. */
export type SendFrame = (body: InmateFrameBody) => void;

export interface HelloOptions {
  readonly link: Link<InmateFrame, unknown>;
  readonly clock: Clock;
  /** The description of the runtime for people. */
  readonly runtime: string;
}

export const sendHello = ({ link, clock, runtime }: HelloOptions): SendFrame => {
  let count = 0;
  const sendFrame: SendFrame = (body) => {
    count += 1;
    link.send({ ...body, id: count, at: clock.now() });
  };
  sendFrame({ type: "hello", version: LINK_VERSION, runtime });
  return sendFrame;
};
