/**
 * Requests the list of models over a wire: opens the call, limits its time, and converts every
 * failure to an error code.
 */
import { type Clock, fromErrorBody, HearthError, isHearthError } from "@hearth/protocol";
import { describeRefusal } from "../wires/call.ts";
import { readVendorError } from "../wires/vendor-error.ts";
import { createDeadline } from "../resilience/deadline.ts";
import {
  describeVendorError,
  describeThrown,
  describeUnreachable,
  type Failure,
  malformedError,
  type Peer,
} from "../resilience/failure.ts";
import { asObject } from "../wires/json.ts";
import { namesIn, readAnswer } from "./model-list.ts";

const LIMIT_MS = 5_000;

export interface ModelsCall {
  readonly peer: Peer;
  readonly clock: Clock;
  /** The caller's signal. */
  readonly signal: AbortSignal;
  /** Sends the request. Throws the errors of the vendor's client. */
  open(signal: AbortSignal): Promise<Response>;
}

export const callForModels = async (call: ModelsCall): Promise<readonly string[]> => {
  const { clock, peer, signal } = call;
  using deadline = createDeadline({ clock, ms: LIMIT_MS, signal });
  let answered = false;
  let failure: Failure;
  try {
    deadline.signal.throwIfAborted();
    const response = await call.open(deadline.signal);
    answered = true;
    const answer = await readAnswer(response);
    const names = namesIn(answer);
    if (names !== undefined) return names;
    failure = describeOther(answer, response.headers, peer);
  } catch (error) {
    failure = answered ? describeBroken(error, peer) : describeRefused(error, peer);
  }
  if (signal.aborted) failure = describeThrown(new HearthError("provider.aborted", "The call was stopped."), peer);
  else if (deadline.isOver())
    failure = describeThrown(
      new HearthError("provider.timeout", `The list of models did not arrive within ${LIMIT_MS / 1000} s.`),
      peer,
    );
  throw fromErrorBody(failure.error);
};

/** Describes a successful response without a list. */
const describeOther = (answer: unknown, headers: Headers, peer: Peer): Failure =>
  asObject(answer)?.["error"] === undefined
    ? describeThrown(malformedError("The response is not a list of models."), peer)
    : describeVendorError(readVendorError(undefined, answer), headers, peer);

/** Describes a response that began and then failed. */
const describeBroken = (error: unknown, peer: Peer): Failure =>
  isHearthError(error) ? describeThrown(error, peer) : describeUnreachable(error, peer);

const describeRefused = (error: unknown, peer: Peer): Failure => {
  const failure = describeRefusal(error, peer);
  if (!(error instanceof Error && "status" in error && error.status === 404)) return failure;
  const hint =
    "If the provider has no such list, enter the model's name. Otherwise check `base_url`: for most compatible servers it ends in /v1.";
  return { error: { ...failure.error, hint } };
};
