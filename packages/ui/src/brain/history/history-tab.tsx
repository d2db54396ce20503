/** Version history of the brain or of one file, newest first, with revert and restore. */
import type { AgentRecord, BrainChange, UndoBrain } from "@hearth/protocol";
import { type FormEvent, useCallback, useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { ChangeRow } from "./change-row.tsx";
import { pathOfFile, pathOfHistory } from "../place.ts";
import * as texts from "../text.ts";
import { UndoDialog } from "./undo-dialog.tsx";

const PAGE_SIZE = 50;
const MAX_ITEMS = 1000;
const POLL_INTERVAL_MS = 5000;

export interface HistoryTabProps {
  readonly agent: AgentRecord;
  /** Limits the history to this file. */
  readonly path: string | undefined;
}

export const HistoryTab = ({ agent, path }: HistoryTabProps) => {
  const { client } = useUi();
  const { id, handle } = agent;
  const [limit, setLimit] = useState(PAGE_SIZE);
  const request = useRequest(
    useCallback(
      async () => (await client.brains()).log(id, { limit, ...(path === undefined ? {} : { path }) }),
      [client, id, limit, path],
    ),
  );
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <section className={styles.section} aria-label={texts.history}>
      {path === undefined ? (
        <p className={styles.quiet}>{texts.historyIntroduction}</p>
      ) : (
        <p>
          {texts.changesOf} <Link href={pathOfFile(handle, path)}>{toVisible(path)}</Link>.{" "}
          <Link href={pathOfHistory(handle)}>{texts.showAllChanges}</Link>
        </p>
      )}
      <RequestView request={request}>
        {(changes) => <History agent={agent} changes={changes} isOfFile={path !== undefined} reload={request.reload} />}
      </RequestView>
      {request.value !== undefined && request.value.length === limit && limit < MAX_ITEMS ? (
        <p>
          <Button onClick={() => setLimit(Math.min(MAX_ITEMS, limit * 4))}>{texts.showMore}</Button>
        </p>
      ) : undefined}
    </section>
  );
};

export interface HistoryProps {
  readonly agent: AgentRecord;
  readonly changes: readonly BrainChange[];
  readonly isOfFile: boolean;
  readonly reload: () => void;
}

export const History = ({ agent, changes, isOfFile, reload }: HistoryProps) => {
  const announce = useAnnounce();
  const [undoTarget, setUndoTarget] = useState<UndoBrain>();
  return (
    <>
      {isOfFile ? undefined : <RestoreToTime onChoose={(since) => setUndoTarget({ since })} />}
      {changes.length === 0 ? <p className={styles.quiet}>{texts.noChangesYet}</p> : undefined}
      <ol className={styles.list}>
        {changes.map((change) => (
          <li key={change.id}>
            <ChangeRow agent={agent} change={change} onUndo={setUndoTarget} />
          </li>
        ))}
      </ol>
      <UndoDialog
        agent={agent}
        target={undoTarget}
        onClose={() => setUndoTarget(undefined)}
        onDone={(message) => {
          setUndoTarget(undefined);
          announce(message);
          reload();
        }}
      />
    </>
  );
};

/** Reverts all changes since a time, entered in the local time zone. */
const RestoreToTime = ({ onChoose }: { readonly onChoose: (since: number) => void }) => {
  const [dateText, setDateText] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const since = new Date(dateText).getTime();
    setError(Number.isNaN(since) ? texts.enterADateAndTime : undefined);
    if (!Number.isNaN(since)) onChoose(since);
  };
  return (
    <form className={styles.backTo} noValidate onSubmit={submit}>
      <Field label={texts.restoreTo} error={error}>
        {(ids) => (
          <TextInput
            {...ids}
            type="datetime-local"
            step={1}
            value={dateText}
            onChange={(event) => setDateText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">{texts.preview}</Button>
    </form>
  );
};
