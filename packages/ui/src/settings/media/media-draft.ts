/** The input of the form for a provider of speech or pictures. The typed key is not part of it. */
import type { MediaField, MediaInfo, MediaKind, MediaSettings, SetMedia } from "@hearth/protocol";
import { toAddress } from "../../models/model-draft.ts";
import * as texts from "./text.ts";

/** The value of the choice of a key. Any other value is a reference. */
export const NO_KEY = "";
export const NEW_KEY = "new";

export interface MediaDraft {
  readonly kind: string;
  /** `NO_KEY`, `NEW_KEY`, or a reference such as `secret:OPENAI`. */
  readonly keySource: string;
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  readonly price: string;
}

export type TextField = Exclude<MediaField, "apiKey">;

export const toDraft = ({ settings, kinds }: Pick<MediaInfo, "settings" | "kinds">): MediaDraft => {
  if (settings === undefined) return chooseKind({ kind: "", keySource: NO_KEY, texts: {}, price: "" }, kinds[0]);
  const { kind, apiKey = NO_KEY, price } = settings;
  return { kind, keySource: apiKey, texts: textsOf(settings), price: price === undefined ? "" : String(price) };
};

const textsOf = ({ baseUrl, model, language, voice, program }: MediaSettings): MediaDraft["texts"] => ({
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(model === undefined ? {} : { model }),
  ...(language === undefined ? {} : { language }),
  ...(voice === undefined ? {} : { voice }),
  ...(program === undefined ? {} : { program }),
});

/** Another kind has another address, model and key. */
export const chooseKind = (draft: MediaDraft, kind: MediaKind | undefined): MediaDraft =>
  kind === undefined ? draft : { kind: kind.kind, keySource: kind.needsKey ? NEW_KEY : NO_KEY, texts: {}, price: "" };

export interface MediaProblem {
  readonly field: "baseUrl" | "key" | "price";
  readonly text: string;
}

export type MediaPlan =
  | { readonly kind: "set"; readonly settings: SetMedia }
  | { readonly kind: "incomplete"; readonly problem: MediaProblem };

/** Returns the settings that the form contains. `fieldNames` are the fields of the chosen kind. */
export const planOf = (draft: MediaDraft, fieldNames: readonly MediaField[], typedKey: string): MediaPlan => {
  const key = typedKey.trim();
  const hasKeyField = fieldNames.includes("apiKey");
  if (hasKeyField && draft.keySource === NEW_KEY && !/^[\x21-\x7e]{1,500}$/.test(key))
    return createIncompletePlan("key", key === "" ? texts.enterAKey : texts.invalidKey);
  const price = draft.price.trim().replace(",", ".");
  if (price !== "" && !/^\d{1,4}(\.\d+)?$/.test(price)) return createIncompletePlan("price", texts.invalidPrice);
  const filledTexts = Object.fromEntries(
    Object.entries(draft.texts).flatMap(([name, text]) => {
      const value = text.trim();
      return value !== "" && fieldNames.includes(name as MediaField) ? [[name, value] as const] : [];
    }),
  ) as Partial<Record<TextField, string>>;
  const { baseUrl: address, ...otherTexts } = filledTexts;
  const baseUrl = address === undefined ? undefined : toAddress(address);
  if (address !== undefined && baseUrl === undefined) return createIncompletePlan("baseUrl", texts.invalidAddress);
  return {
    kind: "set",
    settings: {
      kind: draft.kind,
      ...otherTexts,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(price === "" ? {} : { price: Number(price) }),
      ...(hasKeyField && draft.keySource === NEW_KEY ? { key } : {}),
      ...(hasKeyField && draft.keySource !== NEW_KEY && draft.keySource !== NO_KEY ? { apiKey: draft.keySource } : {}),
    },
  };
};

const createIncompletePlan = (field: MediaProblem["field"], text: string): MediaPlan => ({
  kind: "incomplete",
  problem: { field, text },
});
