/**
 * The frames of a house's socket, parsed loosely: an event of an unknown type must not cost the
 * other events in its frame, so each reader checks its own events. Throws nothing.
 */
import { HearthError } from "@hearth/protocol";
import { parseJson, readError } from "../request.ts";

/** An event with only the fields that the wire needs. Followers check the rest. */
export interface RawEvent {
  readonly id: string;
  readonly offset: number;
}

export type Frame =
  | /** `epoch`: of a subscription, what its offsets belong to. */
    { readonly type: "answer"; readonly id: number; readonly epoch?: string }
  | { readonly type: "error"; readonly id: number | undefined; readonly error: HearthError }
  | { readonly type: "events"; readonly stream: string; readonly events: readonly RawEvent[] }
  | { readonly type: "restarted" | "ended"; readonly stream: string }
  /** A frame type of a newer house. */
  | { readonly type: "unknown" };

/** Returns undefined for an invalid frame, whose contents are then lost. */
export const readFrame = (text: string): Frame | undefined => {
  const frame = parseJson(text);
  if (!isObject(frame)) return undefined;
  switch (frame["type"]) {
    case "answer":
      return isOffset(frame["id"]) ? { type: "answer", id: frame["id"], ...readEpoch(frame["result"]) } : undefined;
    case "error":
      return {
        type: "error",
        id: isOffset(frame["id"]) ? frame["id"] : undefined,
        error:
          readError(frame) ?? new HearthError("house.incompatible", "The house refused the request without a reason."),
      };
    case "events": {
      const { stream, events } = frame;
      if (typeof stream !== "string" || !Array.isArray(events) || !events.every(isRawEvent)) return undefined;
      return { type: "events", stream, events };
    }
    case "restarted":
    case "ended":
      return typeof frame["stream"] === "string" ? { type: frame["type"], stream: frame["stream"] } : undefined;
    default:
      return typeof frame["type"] === "string" ? { type: "unknown" } : undefined;
  }
};

const readEpoch = (result: unknown): { readonly epoch?: string } =>
  isObject(result) && typeof result["epoch"] === "string" ? { epoch: result["epoch"] } : {};

const isRawEvent = (value: unknown): value is RawEvent =>
  isObject(value) && typeof value["id"] === "string" && isOffset(value["offset"]);

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
