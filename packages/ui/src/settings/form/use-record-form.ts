/**
 * State of a form that edits a record. Unsaved text survives errors, reloads and navigation. Saving
 * sends only changed fields.
 */
import { observe } from "@hearth/client";
import { useRef, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { remember } from "../../house/remember.ts";
import { useUi } from "../../house/ui.tsx";
import { errorOfField, errorOutsideFields } from "../../models/field-error.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { afterSave, changesOf, type Fields, parseEdits, type FormEdits, valuesOf } from "./record-form.ts";
import * as texts from "./text.ts";

export interface RecordFormOptions<Saved extends Fields> {
  /** Storage key for unsaved text. */
  readonly name: string;
  /** The record's value of every field. "" if the record has no value. */
  readonly saved: Saved;
  readonly save: (changes: Readonly<Record<string, string | null>>) => Promise<void>;
  /** Validates fields before anything is sent. */
  readonly check?: (values: Saved) => FormEdits<Saved>;
}

export interface RecordForm<Saved extends Fields> {
  readonly values: Saved;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** True after a save, until the next edit. */
  readonly isSaved: boolean;
  /** An error that does not belong to one field. */
  readonly error: unknown;
  readonly errorOf: (field: keyof Saved & string) => string | undefined;
  readonly set: (field: keyof Saved & string, text: string) => void;
  readonly save: () => void;
  readonly discard: () => void;
}

export const useRecordForm = <Saved extends Fields>(options: RecordFormOptions<Saved>): RecordForm<Saved> => {
  const { name, saved, save, check = () => ({}) } = options;
  const { storage } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [typed, setTyped] = useState(() => parseEdits(saved, storage.get(name)));
  const latest = useRef(typed);
  const [wrong, setWrong] = useState<FormEdits<Saved>>({});
  const [isSaved, setSaved] = useState(false);

  const setEdits = (next: FormEdits<Saved>): void => {
    latest.current = next;
    setTyped(next);
    setWrong({});
    if (Object.keys(next).length === 0) storage.remove(name);
    else remember(storage, name, JSON.stringify(next));
  };
  const values = valuesOf(saved, typed);
  const changes = changesOf(saved, typed);

  const submit = async (): Promise<void> => {
    const found = check(values);
    setWrong(found);
    if (Object.keys(found).length > 0) return;
    const isDone = Object.keys(changes).length === 0 || (await submission.run(() => save(changes)));
    if (!isDone) return;
    setEdits(afterSave(latest.current, typed));
    setSaved(true);
    announce(texts.saved);
  };

  return {
    values,
    isChanged: Object.keys(changes).length > 0,
    isBusy: submission.isBusy,
    isSaved,
    error: errorOutsideFields(submission.error, Object.keys(saved)),
    errorOf: (field) => wrong[field] ?? errorOfField(submission.error, field),
    set(field, text) {
      setSaved(false);
      submission.clear();
      setEdits({ ...typed, [field]: text });
    },
    save: () => observe(submit()),
    discard() {
      submission.clear();
      setEdits({});
    },
  };
};
