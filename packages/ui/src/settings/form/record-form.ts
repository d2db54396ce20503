/** The unsaved fields of a form over a record. Fields without edits follow the record. Pure. */

export type Fields = Readonly<Record<string, string>>;
/** Edited fields with their raw text. */
export type FormEdits<Values extends Fields> = { readonly [Field in keyof Values]?: string };

/** Returns the text to show in each field. */
export const valuesOf = <Values extends Fields>(savedValues: Values, edits: FormEdits<Values>): Values => ({
  ...savedValues,
  ...edits,
});

/** Returns the changed fields as a patch. An empty text removes the field. */
export const changesOf = <Values extends Fields>(
  savedValues: Values,
  edits: FormEdits<Values>,
): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries<string | undefined>(edits).flatMap(([field, text]) => {
      const trimmedText = (text ?? "").trim();
      const isChanged = trimmedText !== (savedValues[field] ?? "").trim();
      return isChanged ? [[field, trimmedText === "" ? null : trimmedText]] : [];
    }),
  );

/** Returns the fields that are still unsaved after `sentEdits` was saved. */
export const findUnsavedEdits = <Values extends Fields>(
  edits: FormEdits<Values>,
  sentEdits: FormEdits<Values>,
): FormEdits<Values> =>
  toEdits<Values>(Object.entries<string | undefined>(edits).filter(([field, text]) => sentEdits[field] !== text));

/** Parses stored JSON. Ignores everything except the fields of this form. */
export const parseEdits = <Values extends Fields>(savedValues: Values, text: string | undefined): FormEdits<Values> => {
  let parsedEdits: unknown;
  try {
    parsedEdits = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (typeof parsedEdits !== "object" || parsedEdits === null) return {};
  return toEdits<Values>(
    Object.entries(parsedEdits).filter(
      (entry): entry is [string, string] => Object.hasOwn(savedValues, entry[0]) && typeof entry[1] === "string",
    ),
  );
};

const toEdits = <Values extends Fields>(
  entries: readonly (readonly [string, string | undefined])[],
): FormEdits<Values> => Object.fromEntries(entries) as FormEdits<Values>;
