/** The search engine that agents use: its kind, address and key, and a test. */
import { observe } from "@hearth/client";
import type { HouseId, Setting, SettingValue, WebSearchTest } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import {
  type EngineDraft,
  type EngineProblem,
  KEY_SECRET,
  NEW_KEY,
  NO_KEY,
  planEngine,
  secretOf,
  toEngineDraft,
} from "./engine-draft.ts";
import * as texts from "./text.ts";

export const SearchEngineSection = ({ home }: { readonly home: HouseId }) => {
  const { client } = useUi();
  const request = useRequest(
    useCallback(async () => {
      const [settings, secrets] = await Promise.all([
        client.settings().then((calls) => calls.list()),
        client.secrets().then((calls) => calls.list(home)),
      ]);
      return { settings, secrets: secrets.map(({ name }) => name) };
    }, [client, home]),
  );
  return (
    <Section title={texts.searchEngine} text={texts.searchEngineDetail}>
      <RequestView request={request}>
        {({ settings, secrets }) => (
          <EngineForm
            key={JSON.stringify(settings.filter(({ key }) => key.startsWith("search.")))}
            home={home}
            settings={settings}
            secrets={secrets}
            onSaved={request.reload}
          />
        )}
      </RequestView>
    </Section>
  );
};

interface EngineFormProps {
  readonly home: HouseId;
  readonly settings: readonly Setting[];
  /** Names of the secrets of the house. */
  readonly secrets: readonly string[];
  readonly onSaved: () => void;
}

const EngineForm = ({ home, settings, secrets, onSaved }: EngineFormProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const savedDraft = toEngineDraft(settings);
  const [draft, setDraft] = useState(savedDraft);
  const [problem, setProblem] = useState<EngineProblem>();
  const change = (changes: Partial<EngineDraft>): void => {
    setDraft({ ...draft, ...changes });
    setProblem(undefined);
    submission.clear();
  };
  const save = async (): Promise<void> => {
    const plan = planEngine(draft);
    setProblem("problem" in plan ? plan.problem : undefined);
    if ("problem" in plan) return;
    const isSaved = await submission.run(async () => {
      if (plan.key !== undefined) await storeKey(plan.key);
      await (await client.settings()).edit({ values: plan.values as Record<string, SettingValue | null> });
    });
    if (!isSaved) return;
    announce(texts.engineSaved);
    onSaved();
  };
  /** Stores the key as a secret, so that the config file only names it. */
  const storeKey = async (value: string): Promise<void> => {
    const calls = await client.secrets();
    if (secrets.includes(KEY_SECRET)) await calls.rotate(home, KEY_SECRET, value);
    else await calls.set(home, { name: KEY_SECRET, value });
  };
  return (
    <Form onSubmit={save}>
      <div className={styles.pair}>
        <Field label={texts.engine}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.kind}
              onChange={({ target }) =>
                change({ kind: target.value, keySource: target.value === "brave" ? NEW_KEY : NO_KEY, address: "" })
              }
            >
              {Object.entries(texts.engines).map(([kind, title]) => (
                <option key={kind} value={kind}>
                  {title}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {draft.kind === "searxng" ? <AddressField draft={draft} problem={problem} onChange={change} /> : undefined}
      </div>
      {draft.kind === "" ? undefined : (
        <KeyFields draft={draft} secrets={secrets} problem={problem} onChange={change} />
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.saveEngine}
        </Button>
        {savedDraft.kind === "" ? undefined : <TestButton />}
      </div>
    </Form>
  );
};

/** The button that makes one search, and its outcome. */
const TestButton = () => {
  const { client } = useUi();
  const submission = useSubmission();
  const [outcome, setOutcome] = useState<WebSearchTest>();
  const test = (): Promise<boolean> => {
    setOutcome(undefined);
    return submission.run(async () => setOutcome(await (await client.settings()).testWebSearch()));
  };
  return (
    <>
      <Button isBusy={submission.isBusy} onClick={() => observe(test())}>
        {texts.testEngine}
      </Button>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      {outcome === undefined ? undefined : (
        <Notice kind={outcome.ok ? "success" : "danger"}>{toVisible(plainWords(outcome.detail) ?? "")}</Notice>
      )}
    </>
  );
};

interface DraftFieldProps {
  readonly draft: EngineDraft;
  readonly problem: EngineProblem | undefined;
  readonly onChange: (changes: Partial<EngineDraft>) => void;
}

const AddressField = ({ draft, problem, onChange }: DraftFieldProps) => (
  <Field label={texts.address} hint={texts.addressHint} error={problem?.field === "address" ? problem.text : undefined}>
    {(ids) => (
      <TextInput
        {...ids}
        value={draft.address}
        maxLength={500}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ address: target.value })}
      />
    )}
  </Field>
);

const KeyFields = ({
  draft,
  secrets,
  problem,
  onChange,
}: DraftFieldProps & { readonly secrets: readonly string[] }) => {
  const references = new Set([
    ...(draft.keySource === NEW_KEY || draft.keySource === NO_KEY ? [] : [draft.keySource]),
    ...secrets.map((name) => `secret:${name}`),
  ]);
  return (
    <div className={styles.pair}>
      <Field label={texts.engineKey}>
        {(ids) => (
          <Select {...ids} value={draft.keySource} onChange={({ target }) => onChange({ keySource: target.value })}>
            <option value={NEW_KEY}>{texts.newKey}</option>
            {[...references].map((reference) => (
              <option key={reference} value={reference}>
                {secretOf(reference) === undefined
                  ? toVisible(reference)
                  : texts.secretNamed(toVisible(secretOf(reference) ?? ""))}
              </option>
            ))}
            {draft.kind === "brave" ? undefined : <option value={NO_KEY}>{texts.noKey}</option>}
          </Select>
        )}
      </Field>
      {draft.keySource === NEW_KEY ? (
        <Field label={texts.newKey} hint={texts.keyHint} error={problem?.field === "key" ? problem.text : undefined}>
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              value={draft.key}
              maxLength={500}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onChange({ key: target.value })}
            />
          )}
        </Field>
      ) : undefined}
    </div>
  );
};
