/**
 * Parses frames of the socket without checking events, because an event of an unknown type must not
 * invalidate the other events of its frame. Each reader validates its events. Never throws.
 */
import { HearthError } from "@hearth/protocol";
import { parseJson, readError } from "../request.ts";

/** An event, of which the socket reads only these fields. Followers validate the rest. */
export interface RawEvent {
  readonly id: string;
  readonly offset: number;
}

export type Frame =
  | /** `epoch` identifies the events to which the offsets of a subscription belong. */
    { readonly type: "answer"; readonly id: number; readonly epoch?: string }
  | { readonly type: "error"; readonly id: number | undefined; readonly error: HearthError }
  | { readonly type: "events"; readonly stream: string; readonly events: readonly RawEvent[] }
  | { readonly type: "restarted" | "ended"; readonly stream: string }
  /** The frame has a type of a newer house. */
  | { readonly type: "unknown" };

/** Parses a frame. Returns undefined for an invalid one, whose content is lost. */
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
