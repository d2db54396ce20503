/** A describer without a model, which states the facts of a picture. For tests and demonstrations. */
import { HearthError, noUsage } from "@hearth/protocol";
import type { DescriberFactory } from "./describer.ts";

export const createMemoryDescriber: DescriberFactory = () => ({
  async describe({ type, width, height }, _gate, signal) {
    if (signal.aborted) throw new HearthError("provider.aborted", "The call was stopped.");
    const size = width === undefined || height === undefined ? "unknown size" : `${width} × ${height} pixels`;
    return { text: `A picture of the type ${type} with ${size}.`, usage: noUsage };
  },
});
