/** The input of the form for the search engine, and the settings that it writes. */
import { MIN_SECRET_SIZE, type Setting } from "@hearth/protocol";
import { toAddress } from "../../models/model-draft.ts";
import * as texts from "./text.ts";

/** The values of the choice of a key. Any other value is a reference. */
export const NO_KEY = "";
export const NEW_KEY = "new";

/** The secret that holds a key typed into the form. */
export const KEY_SECRET = "SEARCH_ENGINE_KEY";

export interface EngineDraft {
  /** "" for no engine. */
  readonly kind: string;
  readonly address: string;
  /** `NO_KEY`, `NEW_KEY`, or a reference such as `secret:BRAVE`. */
  readonly keySource: string;
  readonly key: string;
}

export interface EngineProblem {
  readonly field: "address" | "key";
  readonly text: string;
}

export const toEngineDraft = (settings: readonly Setting[]): EngineDraft => {
  const valueOf = (key: string): string => {
    const value = settings.find((setting) => setting.key === `search.${key}`)?.value;
    return typeof value === "string" ? value : "";
  };
  return { kind: valueOf("kind"), address: valueOf("base_url"), keySource: valueOf("api_key"), key: "" };
};

export type EnginePlan =
  | { readonly values: Readonly<Record<string, string | null>>; readonly key?: string }
  | { readonly problem: EngineProblem };

/** Returns the settings to write, and the key to store before. */
export const planEngine = ({ kind, address, keySource, key }: EngineDraft): EnginePlan => {
  if (kind === "") return { values: toValues(null, null, null) };
  const trimmedAddress = address.trim();
  const baseUrl = trimmedAddress === "" ? null : toAddress(trimmedAddress);
  if (baseUrl === undefined) return { problem: { field: "address", text: texts.invalidAddress } };
  if (keySource !== NEW_KEY) {
    if (kind === "brave" && keySource === NO_KEY) return { problem: { field: "key", text: texts.keyRequired } };
    return { values: toValues(kind, baseUrl, keySource === NO_KEY ? null : keySource) };
  }
  const value = key.trim();
  if (value.length < MIN_SECRET_SIZE) return { problem: { field: "key", text: texts.valueTooShort(MIN_SECRET_SIZE) } };
  return { values: toValues(kind, baseUrl, `secret:${KEY_SECRET}`), key: value };
};

const toValues = (
  kind: string | null,
  baseUrl: string | null,
  reference: string | null,
): Readonly<Record<string, string | null>> => ({
  "search.kind": kind,
  "search.base_url": baseUrl,
  "search.api_key": reference,
});

/** Returns the name of the secret to which a reference leads. */
export const secretOf = (reference: string): string | undefined =>
  reference.startsWith("secret:") ? reference.slice("secret:".length) : undefined;
