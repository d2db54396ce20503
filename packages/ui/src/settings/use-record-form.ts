/** A record's form at work: typed text outlives errors, reloads and other pages; "Save" sends what differs. */
import { useRef, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { remember } from "../house/remember.ts";
import { useUi } from "../house/ui.tsx";
import { errorBeside, errorElsewhere } from "../models/field-error.ts";
import { useWork } from "../models/use-work.ts";
import { afterSave, changesOf, type Fields, readTyped, type Typed, valuesOf } from "./record-form.ts";

export interface RecordFormOptions<Saved extends Fields> {
  /** Under this name the browser keeps what is not saved yet. */
  readonly name: string;
  /** Every field as the record has it; an absent one is "". */
  readonly saved: Saved;
  readonly save: (changes: Readonly<Record<string, string | null>>) => Promise<void>;
  /** What is wrong with a field, before anything is sent. */
  readonly check?: (values: Saved) => Typed<Saved>;
}

export interface RecordForm<Saved extends Fields> {
  readonly values: Saved;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** The last thing that happened is that everything was saved. */
  readonly isSaved: boolean;
  /** An error that belongs to no field. */
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
  const work = useWork();
  const [typed, setTyped] = useState(() => readTyped(saved, storage.get(name)));
  const latest = useRef(typed);
  const [wrong, setWrong] = useState<Typed<Saved>>({});
  const [isSaved, setSaved] = useState(false);

  const become = (next: Typed<Saved>): void => {
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
    const isDone = Object.keys(changes).length === 0 || (await work.run(() => save(changes)));
    if (!isDone) return;
    become(afterSave(latest.current, typed));
    setSaved(true);
    announce("Saved.");
  };

  return {
    values,
    isChanged: Object.keys(changes).length > 0,
    isBusy: work.isBusy,
    isSaved,
    error: errorElsewhere(work.error, Object.keys(saved)),
    errorOf: (field) => wrong[field] ?? errorBeside(work.error, field),
    set(field, text) {
      setSaved(false);
      work.clear();
      become({ ...typed, [field]: text });
    },
    save: () => void submit(),
    discard() {
      work.clear();
      become({});
    },
  };
};
