/** Imports an agent of another program from a folder on the machine of the house. */
import type { AgentRecord, ImportKind, ImportPlace, ImportPreview, ImportState } from "@hearth/protocol";
import { importKinds } from "@hearth/protocol/api";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Combobox } from "../../design/combobox.tsx";
import { Field, Select } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Form } from "../form/form.tsx";
import { Section } from "../form/section.tsx";
import { UpLink } from "../form/up-link.tsx";
import { paths } from "../place.ts";
import styles from "../settings.module.css";
import { PreviewSection } from "./preview-section.tsx";
import { ReportSection } from "./report-section.tsx";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 1000;

/** `agents`: the agents of the house. */
export const ImportPage = ({ agents }: { readonly agents: readonly AgentRecord[] }) => {
  const { client } = useUi();
  const request = useRequest(useCallback(async () => (await client.imports()).state(), [client]));
  const { reload, value } = request;
  const [preview, setPreview] = useState<ImportPreview>();
  const isRunning = value?.state === "running";
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => {
      if (isRunning) reload();
    }, [isRunning, reload]),
  );
  const bots = agents.filter(({ content }) => content.kind === "bot" && content.runs !== "elsewhere");
  return (
    <>
      <UpLink to={paths.agents}>{texts.agents}</UpLink>
      <Section title={texts.importAgent} text={texts.introduction}>
        {bots.length === 0 ? <p className={styles.quiet}>{texts.noAgent}</p> : undefined}
        <RequestView request={request}>
          {(state) =>
            bots.length === 0 || isRunning ? undefined : (
              <SourceForm places={state.places} bots={bots} onPreview={setPreview} />
            )
          }
        </RequestView>
      </Section>
      {preview === undefined ? undefined : (
        <PreviewSection
          key={preview.id}
          preview={preview}
          onStarted={() => {
            setPreview(undefined);
            reload();
          }}
        />
      )}
      {value === undefined || preview !== undefined ? undefined : <LastImport state={value} agents={bots} />}
    </>
  );
};

const LastImport = ({ state, agents }: { readonly state: ImportState; readonly agents: readonly AgentRecord[] }) => (
  <ReportSection state={state} agent={agents.find(({ id }) => id === state.agent)} />
);

interface SourceFormProps {
  /** The folders that the house found. */
  readonly places: readonly ImportPlace[];
  readonly bots: readonly AgentRecord[];
  readonly onPreview: (preview: ImportPreview | undefined) => void;
}

export const SourceForm = ({ places, bots, onPreview }: SourceFormProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [kind, setKind] = useState<ImportKind>(places[0]?.kind ?? "openclaw");
  const [typedFolder, setTypedFolder] = useState<string>();
  const [agent, setAgent] = useState(bots[0]?.id ?? "");
  const folder = typedFolder ?? places.find((place) => place.kind === kind)?.folder ?? "";
  const requestPreview = async (): Promise<void> => {
    onPreview(undefined);
    await submission.run(async () => {
      const preview = await (await client.imports()).preview({ kind, folder: folder.trim(), agent });
      onPreview(preview);
      announce(texts.previewShown(preview.parts.length), "unseen");
    });
  };
  return (
    <Form onSubmit={requestPreview}>
      <Field label={texts.program}>
        {(ids) => (
          <Select
            {...ids}
            value={kind}
            onChange={({ target }) => {
              const newKind = importKinds.find((candidate) => candidate === target.value);
              if (newKind === undefined) return;
              setKind(newKind);
              setTypedFolder(undefined);
            }}
          >
            {importKinds.map((importKind) => (
              <option key={importKind} value={importKind}>
                {texts.programs[importKind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={texts.folder} hint={texts.folderHint(texts.examples[kind])}>
        {(ids) => (
          <Combobox
            {...ids}
            value={folder}
            maxLength={4096}
            suggestions={places.filter((place) => place.kind === kind).map((place) => place.folder)}
            onChange={({ target }) => setTypedFolder(target.value)}
          />
        )}
      </Field>
      <Field label={texts.receiver}>
        {(ids) => (
          <Select {...ids} value={agent} onChange={({ target }) => setAgent(target.value)}>
            {bots.map(({ id, content }) => (
              <option key={id} value={id}>
                {toVisible(content.name)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={folder.trim() === ""}>
          {texts.showPreview}
        </Button>
      </div>
    </Form>
  );
};
