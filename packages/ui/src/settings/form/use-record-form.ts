/**
 * State of a form that edits a record. Unsaved text survives errors, reloads and navigation. Saving
 * sends only changed fields.
 */
import { observe } from "@hearth/client";
import { useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { remember } from "../../house/remember.ts";
import { useUi } from "../../house/ui.tsx";
import { errorOfField, omitFieldErrors } from "../../models/field-error.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { findUnsavedEdits, changesOf, type Fields, parseEdits, type FormEdits, valuesOf } from "./record-form.ts";
import * as texts from "./text.ts";

export interface RecordFormOptions<Values extends Fields> {
  /** Storage key for unsaved text. */
  readonly name: string;
  /** The record's value of every field. "" if the record has no value. */
  readonly saved: Values;
  readonly save: (changes: Readonly<Record<string, string | null>>) => Promise<void>;
  /** Validates fields before anything is sent. */
  readonly check?: (values: Values) => FormEdits<Values>;
}

export interface RecordForm<Values extends Fields> {
  readonly values: Values;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** True after a save, until the next edit. */
  readonly isSaved: boolean;
  /** An error that does not belong to one field. */
  readonly error: unknown;
  readonly errorOf: (field: keyof Values & string) => string | undefined;
  readonly set: (field: keyof Values & string, text: string) => void;
  readonly save: () => void;
  readonly discard: () => void;
}

export const useRecordForm = <Values extends Fields>(options: RecordFormOptions<Values>): RecordForm<Values> => {
  const { name, saved: savedValues, save, check = () => ({}) } = options;
  const { storage } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [edits, setEditsState] = useState(() => parseEdits(savedValues, storage.get(name)));
  const latestEdits = useRef(edits);
  const [fieldErrors, setFieldErrors] = useState<FormEdits<Values>>({});
  const [isSaved, setSaved] = useState(false);

  const setEdits = (newEdits: FormEdits<Values>): void => {
    latestEdits.current = newEdits;
    setEditsState(newEdits);
    setFieldErrors({});
    if (Object.keys(newEdits).length === 0) storage.remove(name);
    else remember(storage, name, JSON.stringify(newEdits));
  };
  const values = valuesOf(savedValues, edits);
  const changes = changesOf(savedValues, edits);

  const submit = async (): Promise<void> => {
    const errors = check(values);
    setFieldErrors(errors);
    if (Object.keys(errors).length > 0) return;
    const isDone = Object.keys(changes).length === 0 || (await submission.run(() => save(changes)));
    if (!isDone) return;
    setEdits(findUnsavedEdits(latestEdits.current, edits));
    setSaved(true);
    announce(texts.saved);
  };

  return {
    values,
    isChanged: Object.keys(changes).length > 0,
    isBusy: submission.isBusy,
    isSaved,
    error: omitFieldErrors(submission.error, Object.keys(savedValues)),
    errorOf: (field) => fieldErrors[field] ?? errorOfField(submission.error, field),
    set(field, text) {
      setSaved(false);
      submission.clear();
      setEdits({ ...edits, [field]: text });
    },
    save: () => observe(submit()),
    discard() {
      submission.clear();
      setEdits({});
    },
  };
};
