/** One file: editor, history and removal. Large and binary files show a notice instead. */
import { observe } from "@hearth/client";
import type { AgentRecord, BrainFile } from "@hearth/protocol";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { brainPath } from "../../house/paths.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { formatSize } from "../history/change-words.ts";
import type { Drafts } from "./drafts.ts";
import { pathOfHistory } from "../place.ts";
import * as texts from "../text.ts";
import { TextFile } from "./text-file.tsx";
import { type FileView, useFile } from "./use-file.ts";

export interface FilePageProps {
  readonly agent: AgentRecord;
  readonly path: string;
  readonly listedFile: BrainFile | undefined;
  readonly drafts: Drafts;
  readonly onDraft: () => void;
  readonly onChanged: () => void;
}

export const FilePage = ({ agent, path, listedFile, drafts, onDraft, onChanged }: FilePageProps) => {
  const view = useFile({ agent: agent.id, path, listedFile, drafts, onDraft, onChanged });
  const isExisting = view.loadedFile !== undefined && view.loadedFile.kind !== "missing";
  return (
    <>
      <header className={styles.fileHead}>
        <h2>
          <bdi>{toVisible(path)}</bdi>
        </h2>
        <p className={styles.quiet}>
          {isExisting && listedFile !== undefined ? `${formatSize(listedFile.sizeBytes)} · ` : undefined}
          <Link href={pathOfHistory(agent.handle, path)}>{texts.historyOfThisFile}</Link>
        </p>
      </header>
      {listedFile?.isGuarded === true ? (
        <p className={styles.guarded}>
          <Icon name="key" />
          <span>{texts.protectedFile(toVisible(agent.content.name))}</span>
        </p>
      ) : undefined}
      {view.loadError === undefined ? undefined : (
        <ErrorNotice
          error={view.loadError}
          button={
            <Button size="small" onClick={view.reload}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
      <FileBody view={view} path={path} />
      {isExisting ? <Removal agent={agent} path={path} view={view} /> : undefined}
    </>
  );
};

export interface FileBodyProps {
  readonly view: FileView;
  readonly path: string;
}

export const FileBody = ({ view, path }: FileBodyProps) => {
  const { loadedFile, loadError, isChanged } = view;
  if (loadedFile === undefined) return loadError === undefined ? <Spinner label={texts.loading} /> : undefined;
  if (loadedFile.kind === "too-large")
    return (
      <>
        <Notice kind="info" title={texts.fileIsTooLarge(formatSize(loadedFile.sizeBytes))}>
          {texts.fileIsTooLargeDetail}
        </Notice>
        {/* Unsaved text stays visible when the file has become too large. */}
        {isChanged ? <UnsavedText view={view} /> : undefined}
      </>
    );
  if (loadedFile.kind === "existing" && loadedFile.file.text === undefined)
    return (
      <>
        <Notice kind="info" title={texts.fileIsNotText}>
          {texts.fileIsNotTextDetail(formatSize(loadedFile.file.sizeBytes))}
        </Notice>
        {isChanged ? <UnsavedText view={view} /> : undefined}
      </>
    );
  return <TextFile view={view} path={path} file={loadedFile.kind === "existing" ? loadedFile.file : undefined} />;
};

const UnsavedText = ({ view: { text, discard } }: { readonly view: FileView }) => (
  <section className={styles.apart} aria-label={texts.unsavedText}>
    <p>{texts.unsavedText}</p>
    <textarea className={styles.field} aria-label={texts.unsavedText} readOnly rows={8} value={text} />
    <Button onClick={discard}>{texts.discard}</Button>
  </section>
);

interface RemovalProps extends FileBodyProps {
  readonly agent: AgentRecord;
}

const Removal = ({ agent, path, view }: RemovalProps) => {
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const remove = async (): Promise<void> => {
    setConfirming(false);
    if (await view.remove()) navigate(brainPath(agent.handle));
  };
  return (
    <>
      <p className={styles.removal}>
        <Button kind="quiet" size="small" icon="delete" onClick={() => setConfirming(true)}>
          {texts.removeFile}
        </Button>
      </p>
      <ConfirmDialog
        title={texts.removeFileTitle}
        text={
          <>
            <bdi>{toVisible(path)}</bdi> {view.isChanged ? texts.removalEffectWithUnsavedText : texts.removalEffect}
          </>
        }
        confirm={texts.remove}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(remove())}
        onClose={() => setConfirming(false)}
      />
    </>
  );
};
