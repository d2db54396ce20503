import type { OperationRequest } from "./route.ts";
import type { Lifetimes } from "../lifetimes.ts";

/** Returns a function that runs calls, each of which ends with the request that made it. */
export const createRequestScope =
  (lifetimes: Lifetimes) =>
  async <Answer>(
    { caller, request }: Pick<OperationRequest, "caller" | "request">,
    work: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> => {
    const lifetime = lifetimes.begin(caller, { peer: request.signal });
    try {
      return await work(lifetime.signal);
    } finally {
      lifetime.end();
    }
  };
