/** Single values of `hearth.toml`, such as `cells.max_open`. */
import { z } from "zod";

export const SettingValue = z.union([
  z.string().max(2000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(2000)).max(1000),
]);
export type SettingValue = z.infer<typeof SettingValue>;

export const Setting = z.object({
  /** The table and the key, such as `cells.max_open`. */
  key: z.string(),
  /** The value in the file. Absent: the default applies. */
  value: SettingValue.optional(),
  /** Absent: nothing applies. */
  default: SettingValue.optional(),
  /** The line in the file, from 1. */
  line: z.int().optional(),
  /** Whether a change applies at once, or after a restart. */
  appliesNow: z.boolean(),
  /** Whether a change needs the run token or a fresh login. */
  needsProof: z.boolean(),
});
export type Setting = z.infer<typeof Setting>;
export const SettingList = z.array(Setting);

/** Null removes a key from the file. */
export const EditSettings = z.strictObject({
  values: z
    .record(z.string().max(100), SettingValue.nullable())
    .refine((values) => Object.keys(values).length > 0, "needs at least one value"),
});

/** The outcome of one search with the configured engine. */
export const WebSearchTest = z.object({
  ok: z.boolean(),
  /** The engine's result, or why the search failed and what to do. */
  detail: z.string(),
});
export type WebSearchTest = z.infer<typeof WebSearchTest>;
