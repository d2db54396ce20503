/** The unsaved fields of a form over a record. Fields without edits follow the record. Pure. */

export type Fields = Readonly<Record<string, string>>;
/** Edited fields with their raw text. */
export type FormEdits<Saved extends Fields> = { readonly [Field in keyof Saved]?: string };

/** Returns the text to show in each field. */
export const valuesOf = <Saved extends Fields>(saved: Saved, typed: FormEdits<Saved>): Saved => ({
  ...saved,
  ...typed,
});

/** Returns the changed fields as a patch. An empty text removes the field. */
export const changesOf = <Saved extends Fields>(saved: Saved, typed: FormEdits<Saved>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries<string | undefined>(typed).flatMap(([field, text]) => {
      const trimmed = (text ?? "").trim();
      return trimmed === (saved[field] ?? "").trim() ? [] : [[field, trimmed === "" ? null : trimmed]];
    }),
  );

/** Returns the fields that are still unsaved after `sent` was saved. */
export const afterSave = <Saved extends Fields>(typed: FormEdits<Saved>, sent: FormEdits<Saved>): FormEdits<Saved> =>
  keep<Saved>(Object.entries<string | undefined>(typed).filter(([field, text]) => sent[field] !== text));

/** Parses stored JSON. Ignores everything except the fields of this form. */
export const parseEdits = <Saved extends Fields>(saved: Saved, text: string | undefined): FormEdits<Saved> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (typeof parsed !== "object" || parsed === null) return {};
  return keep<Saved>(
    Object.entries(parsed).filter(
      (entry): entry is [string, string] => Object.hasOwn(saved, entry[0]) && typeof entry[1] === "string",
    ),
  );
};

const keep = <Saved extends Fields>(entries: readonly (readonly [string, string | undefined])[]): FormEdits<Saved> =>
  Object.fromEntries(entries) as FormEdits<Saved>;
