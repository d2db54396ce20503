/** Chooses where the house sends its measurements. */
import type { Setting } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Checkbox, Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const KINDS = "observers.to";
const ENDPOINT = "observers.otlp_endpoint";

/** Each observer, in the order in which the page shows them. */
const observers = [
  { kind: "log", label: texts.log, detail: texts.logDetail },
  { kind: "prometheus", label: texts.prometheus, detail: texts.prometheusDetail },
  { kind: "otlp", label: texts.otlp, detail: texts.otlpDetail },
] as const;

export const ObserversSection = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.settings()).list(), [client]));
  return (
    <Section title={texts.measurements} text={texts.measurementsIntroduction}>
      <RequestView request={request}>{(settings) => <ObserversForm settings={settings} />}</RequestView>
    </Section>
  );
};

const ObserversForm = ({ settings }: { readonly settings: readonly Setting[] }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [savedSettings, setSavedSettings] = useState(settings);
  const [edits, setEdits] = useState<{ readonly kinds?: readonly string[]; readonly endpoint?: string }>({});
  const kinds = edits.kinds ?? kindsIn(savedSettings);
  const endpoint = edits.endpoint ?? endpointIn(savedSettings);
  const isChanged = kinds.join() !== kindsIn(savedSettings).join() || endpoint !== endpointIn(savedSettings);

  const choose = (kind: string, isOn: boolean): void => {
    const newKinds = observers
      .map((observer) => observer.kind)
      .filter((candidate) => (candidate === kind ? isOn : kinds.includes(candidate)));
    setEdits({ ...edits, kinds: newKinds });
  };
  const save = async (): Promise<void> => {
    const values = { [KINDS]: [...kinds], ...(kinds.includes("otlp") ? { [ENDPOINT]: endpoint.trim() } : {}) };
    if (!(await submission.run(async () => setSavedSettings(await (await client.settings()).edit({ values }))))) return;
    setEdits({});
    announce(texts.saved);
  };

  return (
    <Form onSubmit={save}>
      {observers.map(({ kind, label, detail }) => (
        <Checkbox
          key={kind}
          label={label}
          detail={detail}
          checked={kinds.includes(kind)}
          onChange={({ target }) => choose(kind, target.checked)}
        />
      ))}
      {kinds.includes("otlp") ? (
        <Field label={texts.collector}>
          {(ids) => (
            <TextInput
              {...ids}
              type="url"
              value={endpoint}
              maxLength={500}
              onChange={({ target }) => setEdits({ ...edits, endpoint: target.value })}
            />
          )}
        </Field>
      ) : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={!isChanged}>
          {texts.saveMeasurements}
        </Button>
      </div>
    </Form>
  );
};

/** Returns the value in the config file, or else the default. */
const valueOf = (settings: readonly Setting[], key: string): Setting["value"] => {
  const setting = settings.find((candidate) => candidate.key === key);
  return setting?.value ?? setting?.default;
};

const kindsIn = (settings: readonly Setting[]): readonly string[] => {
  const value = valueOf(settings, KINDS);
  return Array.isArray(value) ? value.map(String) : [];
};

const endpointIn = (settings: readonly Setting[]): string => String(valueOf(settings, ENDPOINT) ?? "");
