/**
 * Finds the error in a vendor's response, in the shapes that vendors and compatible servers use.
 */
import type { VendorError } from "../resilience/failure.ts";
import { asArray, asObject, asText, type JsonObject } from "./json.ts";

/**
 * Finds the error in a body, parsed or as text. A web page is left out, because it does not help a
 * person.
 */
export const readVendorError = (status: number | undefined, response: unknown): VendorError => {
  // One vendor returns its error in a list.
  const body = Array.isArray(response) ? asArray(response)[0] : response;
  const outer = asObject(body) ?? {};
  const inner = asObject(outer["error"]) ?? outer;
  const numericStatus = [inner["code"], inner["status"]].find((value) => typeof value === "number");
  const isErrorStatus = numericStatus !== undefined && numericStatus >= 400 && numericStatus < 600;
  return {
    status: status ?? (isErrorStatus ? numericStatus : undefined),
    names: namesOf(inner),
    message: messageOf(body, outer, inner),
  };
};

const namesOf = (inner: JsonObject): readonly string[] =>
  [inner["type"], inner["code"], inner["status"], asObject(inner["details"])?.["error_code"]].filter(
    (name): name is string => typeof name === "string",
  );

const messageOf = (body: unknown, outer: JsonObject, inner: JsonObject): string => {
  if (typeof body === "string") return /^\s*</.test(body) ? "" : body;
  const message = asText(inner["message"]) ?? asText(outer["error"]) ?? asText(outer["detail"]);
  if (message !== undefined) return message;
  const otherMessage = inner["message"] ?? outer["detail"];
  return otherMessage === undefined ? "" : JSON.stringify(otherMessage);
};
