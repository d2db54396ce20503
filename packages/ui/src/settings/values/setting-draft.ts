/** Fields for single settings of the config file, and the conversion between their texts and values. */
import type { Setting, SettingValue } from "@hearth/protocol";

interface LabelledSetting {
  /** The key of the setting, such as `budget.day`. */
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
}

export interface Option {
  readonly value: string;
  readonly title: string;
}

export type SettingField = LabelledSetting &
  /** The placeholder describes an empty field without a default. */
  (
    | { readonly kind: "number" | "text"; readonly placeholder?: string }
    | { readonly kind: "switch" }
    | {
        readonly kind: "choice";
        readonly options: readonly Option[];
        /** A choice of any other text, with the label of its field. Absent: only the options are valid. */
        readonly other?: { readonly title: string; readonly label: string };
      }
    | { readonly kind: "list"; readonly options: readonly Option[] }
  );

export interface SettingGroup {
  readonly title: string;
  readonly text?: string;
  readonly fields: readonly SettingField[];
  /** Whether a field applies to the current texts. A field that does not apply is hidden and removed from the file. */
  readonly applies?: (key: string, textOf: (key: string) => string) => boolean;
}

/** The texts of a group by key. A list is its values, joined by commas. */
export type SettingTexts = Readonly<Record<string, string>>;

const showValue = (value: SettingValue | undefined): string =>
  value === undefined ? "" : Array.isArray(value) ? value.join(",") : String(value);

/** Returns the text of a field for the value in the file. Numbers and texts show a default as placeholder. */
export const toText = ({ kind }: SettingField, { value, default: fallback }: Setting): string =>
  kind === "number" || kind === "text" ? showValue(value) : showValue(value ?? fallback);

/** Returns the value of a text: null for the default, and undefined for an invalid text. */
export const toValue = (field: SettingField, setting: Setting, text: string): SettingValue | null | undefined => {
  const trimmedText = text.trim();
  if (field.kind === "number") {
    const number = trimmedText.replace(",", ".");
    if (number === "") return null;
    return /^\d+(\.\d+)?$/.test(number) ? Number(number) : undefined;
  }
  if (field.kind === "list") return trimmedText === "" ? [] : trimmedText.split(",");
  if (trimmedText === "") return field.kind === "choice" && setting.default !== undefined ? undefined : null;
  if (trimmedText === showValue(setting.default)) return null;
  return field.kind === "switch" ? trimmedText === "true" : trimmedText;
};

export interface SettingPlan {
  /** The changed values. Null removes a key. */
  readonly values: Readonly<Record<string, SettingValue | null>>;
  /** Keys whose text is invalid. */
  readonly invalidKeys: ReadonlySet<string>;
}

/** Returns the values that a save of these texts changes. */
export const planSettings = (
  { fields, applies }: SettingGroup,
  settings: readonly Setting[],
  texts: SettingTexts,
): SettingPlan => {
  const rows = fields.flatMap((field) => {
    const setting = settings.find(({ key }) => key === field.key);
    return setting === undefined ? [] : [{ field, setting, text: texts[field.key] ?? toText(field, setting) }];
  });
  const textOf = (key: string): string => rows.find(({ field }) => field.key === key)?.text ?? "";
  const values: Record<string, SettingValue | null> = {};
  const invalidKeys = new Set<string>();
  for (const { field, setting, text } of rows) {
    if (applies?.(field.key, textOf) === false) {
      if (setting.value !== undefined) values[field.key] = null;
      continue;
    }
    if (text === toText(field, setting)) continue;
    const value = toValue(field, setting, text);
    if (value === undefined) invalidKeys.add(field.key);
    else values[field.key] = value;
  }
  return { values, invalidKeys };
};
