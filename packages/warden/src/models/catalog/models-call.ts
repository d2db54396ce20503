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
import { modelNamesIn, readModelList } from "./model-list.ts";

const TIMEOUT_MS = 5_000;

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
  using deadline = createDeadline({ clock, ms: TIMEOUT_MS, signal });
  let hasResponse = false;
  let failure: Failure;
  try {
    deadline.signal.throwIfAborted();
    const response = await call.open(deadline.signal);
    hasResponse = true;
    const answer = await readModelList(response);
    const names = modelNamesIn(answer);
    if (names !== undefined) return names;
    failure = describeOtherAnswer(answer, response.headers, peer);
  } catch (error) {
    failure = hasResponse ? describeInterrupted(error, peer) : describeRefused(error, peer);
  }
  if (signal.aborted) failure = describeThrown(new HearthError("provider.aborted", "The call was stopped."), peer);
  else if (deadline.hasExpired())
    failure = describeThrown(
      new HearthError("provider.timeout", `The list of models did not arrive within ${TIMEOUT_MS / 1000} s.`),
      peer,
    );
  throw fromErrorBody(failure.error);
};

/** Describes a successful response without a list. */
const describeOtherAnswer = (answer: unknown, headers: Headers, peer: Peer): Failure =>
  asObject(answer)?.["error"] === undefined
    ? describeThrown(malformedError("The response is not a list of models."), peer)
    : describeVendorError(readVendorError(undefined, answer), headers, peer);

/** Describes a response that began and then failed. */
const describeInterrupted = (error: unknown, peer: Peer): Failure =>
  isHearthError(error) ? describeThrown(error, peer) : describeUnreachable(error, peer);

const describeRefused = (error: unknown, peer: Peer): Failure => {
  const failure = describeRefusal(error, peer);
  if (!(error instanceof Error && "status" in error && error.status === 404)) return failure;
  const hint =
    "If the provider has no such list, enter the model's name. Otherwise check `base_url`: for most compatible servers it ends in /v1.";
  return { error: { ...failure.error, hint } };
};
