/** The form for one provider of speech or pictures. */
import { observe } from "@hearth/client";
import type { MediaInfo, MediaKind, MediaPart, MediaTest, SetMedia } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import {
  chooseKind,
  type MediaDraft,
  type MediaProblem,
  NEW_KEY,
  NO_KEY,
  planOf,
  type TextField,
  toDraft,
} from "./media-draft.ts";
import { MediaResult } from "./media-result.tsx";
import * as texts from "./text.ts";

export interface MediaFormProps {
  readonly info: MediaInfo;
  readonly secrets: readonly string[];
  readonly onSaved: () => void;
}

export const MediaForm = ({ info, secrets, onSaved }: MediaFormProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const draftTest = useDraftTest(info.part);
  const [draft, setDraft] = useState(() => toDraft(info));
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<MediaProblem>();
  const kinds = kindsOf(info);
  const kind = kinds.find((candidate) => candidate.kind === draft.kind);
  const fieldNames = kind?.takes ?? [];
  const change = (newDraft: MediaDraft): void => {
    setDraft(newDraft);
    setProblem(undefined);
    submission.clear();
    draftTest.clear();
  };
  const changeKey = (text: string): void => {
    setKey(text);
    draftTest.clear();
  };
  /** Returns the settings, or shows which field is wrong. */
  const planSettings = (): SetMedia | undefined => {
    const plan = planOf(draft, fieldNames, key);
    setProblem(plan.kind === "incomplete" ? plan.problem : undefined);
    return plan.kind === "incomplete" ? undefined : plan.settings;
  };
  const test = (): void => {
    const settings = planSettings();
    if (settings === undefined) draftTest.clear();
    else observe(draftTest.run(settings));
  };
  const save = async (): Promise<void> => {
    const settings = planSettings();
    if (settings === undefined) return;
    if (!(await submission.run(() => client.providers.setMedia(info.part, settings)))) return;
    announce(texts.saved(texts.parts[info.part]));
    onSaved();
  };
  return (
    <Form onSubmit={save}>
      <KindField
        part={info.part}
        kinds={kinds}
        value={draft.kind}
        onChange={(newKind) => {
          change(chooseKind(draft, newKind));
          setKey("");
        }}
      />
      <TextFields draft={draft} kind={kind} problem={problem} onChange={change} />
      {fieldNames.includes("apiKey") ? (
        <KeyFields
          draft={draft}
          secrets={secrets}
          storedReference={info.settings?.apiKey}
          keyInput={{ key, setKey: changeKey }}
          problem={problem}
          onChange={change}
        />
      ) : undefined}
      {info.part === "describe" ? undefined : (
        <PriceField part={info.part} draft={draft} problem={problem} onChange={change} />
      )}
      {draftTest.view}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <FormButtons isSaving={submission.isBusy} isTesting={draftTest.isBusy} onTest={test} />
    </Form>
  );
};

interface FormButtonsProps {
  readonly isSaving: boolean;
  readonly isTesting: boolean;
  readonly onTest: () => void;
}

const FormButtons = ({ isSaving, isTesting, onTest }: FormButtonsProps) => (
  <div className={styles.buttons}>
    <Button kind="primary" type="submit" isBusy={isSaving}>
      {texts.save}
    </Button>
    <Button isBusy={isTesting} onClick={onTest}>
      {texts.test}
    </Button>
  </div>
);

/** Tests settings that are not stored. `view` is the outcome. */
const useDraftTest = (part: MediaPart) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [test, setTest] = useState<MediaTest>();
  const clear = (): void => {
    setTest(undefined);
    submission.clear();
  };
  return {
    isBusy: submission.isBusy,
    clear,
    async run(settings: SetMedia): Promise<void> {
      clear();
      await submission.run(async () => setTest(await client.providers.testNewMedia(part, settings)));
    },
    view: (
      <>
        {test === undefined ? undefined : <MediaResult test={test} title={texts.parts[part]} />}
        {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      </>
    ),
  };
};

interface KindFieldProps {
  readonly part: MediaPart;
  readonly kinds: readonly MediaKind[];
  readonly value: string;
  readonly onChange: (kind: MediaKind | undefined) => void;
}

const KindField = ({ part, kinds, value, onChange }: KindFieldProps) => (
  <Field label={texts.provider} hint={texts.providerHints[part]}>
    {(ids) => (
      <Select
        {...ids}
        value={value}
        onChange={({ target }) => onChange(kinds.find(({ kind }) => kind === target.value))}
      >
        {kinds.map(({ kind }) => (
          <option key={kind} value={kind}>
            {texts.kinds[kind] ?? toVisible(kind)}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

interface DraftFieldsProps {
  readonly draft: MediaDraft;
  readonly problem: MediaProblem | undefined;
  readonly onChange: (draft: MediaDraft) => void;
}

/** The fields that the kind takes, except the key. */
const TextFields = ({ draft, kind, problem, onChange }: DraftFieldsProps & { readonly kind: MediaKind | undefined }) =>
  FIELDS.filter((name) => kind?.takes.includes(name)).map((name) => (
    <Field
      key={name}
      label={kind?.kind === MODEL_KIND ? texts.describingModel : texts.fields[name]}
      hint={hintOf(name, kind)}
      error={problem?.field === name ? problem.text : undefined}
    >
      {(ids) => (
        <TextInput
          {...ids}
          value={draft.texts[name] ?? ""}
          maxLength={name === "baseUrl" ? 500 : 200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => onChange({ ...draft, texts: { ...draft.texts, [name]: target.value } })}
        />
      )}
    </Field>
  ));

const PriceField = ({
  part,
  draft,
  problem,
  onChange,
}: DraftFieldsProps & { readonly part: Exclude<MediaPart, "describe"> }) => (
  <Field
    label={texts.prices[part]}
    hint={texts.priceHint}
    error={problem?.field === "price" ? problem.text : undefined}
  >
    {(ids) => (
      <TextInput
        {...ids}
        inputMode="decimal"
        value={draft.price}
        maxLength={12}
        autoComplete="off"
        onChange={({ target }) => onChange({ ...draft, price: target.value })}
      />
    )}
  </Field>
);

const FIELDS = ["baseUrl", "program", "model", "voice", "language"] as const satisfies readonly TextField[];

/** Returns the kinds to choose from. A kind of the config file that is not offered stays in the list. */
const kindsOf = ({ kinds, settings }: MediaInfo): readonly MediaKind[] =>
  settings === undefined || kinds.some(({ kind }) => kind === settings.kind)
    ? kinds
    : [{ kind: settings.kind, takes: [], needsKey: false }, ...kinds];

/** The kind whose model is one of this house, with its provider. */
const MODEL_KIND = "model";

const hintOf = (name: TextField, kind: MediaKind | undefined): string => {
  if (kind?.kind === MODEL_KIND) return texts.describingModelHint;
  const fallback = name === "baseUrl" ? kind?.baseUrl : name === "model" ? kind?.model : undefined;
  return fallback === undefined ? texts.fieldHints[name] : texts.defaultValue(fallback);
};

interface KeyFieldsProps extends DraftFieldsProps {
  readonly secrets: readonly string[];
  /** The reference in the config file. */
  readonly storedReference: string | undefined;
  readonly keyInput: { readonly key: string; readonly setKey: (key: string) => void };
}

const KeyFields = ({ draft, secrets, storedReference, keyInput, problem, onChange }: KeyFieldsProps) => {
  const references = new Set([
    ...(storedReference === undefined ? [] : [storedReference]),
    ...secrets.map((name) => `secret:${name}`),
  ]);
  return (
    <>
      <Field label={texts.key} hint={draft.keySource.startsWith("secret:") ? texts.secretHint : undefined}>
        {(ids) => (
          <Select
            {...ids}
            value={draft.keySource}
            onChange={({ target }) => onChange({ ...draft, keySource: target.value })}
          >
            <option value={NEW_KEY}>{texts.newKey}</option>
            {[...references].map((reference) => (
              <option key={reference} value={reference}>
                {nameReference(reference)}
              </option>
            ))}
            <option value={NO_KEY}>{texts.noKey}</option>
          </Select>
        )}
      </Field>
      {draft.keySource === NEW_KEY ? (
        <Field label={texts.newKey} hint={texts.keyStorage} error={problem?.field === "key" ? problem.text : undefined}>
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              value={keyInput.key}
              maxLength={500}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => keyInput.setKey(target.value)}
            />
          )}
        </Field>
      ) : undefined}
    </>
  );
};

const nameReference = (reference: string): string => {
  if (reference.startsWith("secret:")) return texts.secretNamed(toVisible(reference.slice("secret:".length)));
  return reference.startsWith("file:keys/media.") ? texts.storedKey : toVisible(reference);
};
