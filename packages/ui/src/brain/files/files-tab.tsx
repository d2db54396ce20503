/** The file list and the open file: side by side on wide screens, one at a time on narrow ones. */
import type { AgentRecord, BrainFile, BrainFiles } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../design/button.tsx";
import { classes } from "../../design/classes.ts";
import { Icon } from "../../design/icon.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { brainPath } from "../../house/paths.ts";
import { useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import type { Drafts } from "./drafts.ts";
import { FilePage } from "./file-page.tsx";
import { FileTree } from "./file-tree.tsx";
import { NewFile } from "./new-file.tsx";
import { pathOfFile } from "../place.ts";
import * as texts from "../text.ts";

const POLL_INTERVAL_MS = 5000;

export interface FilesTabProps {
  readonly agent: AgentRecord;
  /** Path of the open file. */
  readonly path: string | undefined;
  readonly drafts: Drafts;
}

export const FilesTab = ({ agent, path, drafts }: FilesTabProps) => {
  const { client } = useUi();
  const { id } = agent;
  const request = useRequest(useCallback(async () => (await client.brains()).files(id), [client, id]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <RequestView request={request}>
      {(brainFiles) => (
        <Files agent={agent} path={path} drafts={drafts} brainFiles={brainFiles} reload={request.reload} />
      )}
    </RequestView>
  );
};

export interface FilesProps extends FilesTabProps {
  readonly brainFiles: BrainFiles;
  readonly reload: () => void;
}

export const Files = ({ agent, path, drafts, brainFiles: { files, notes }, reload }: FilesProps) => {
  const { handle } = agent;
  const [, navigate] = useLocation();
  const [isCreating, setCreating] = useState(false);
  /** Forces a render when the set of unsaved files changes. */
  const [, setDraftCount] = useState(0);
  const onDraft = useCallback(() => setDraftCount((count) => count + 1), []);
  const unsavedPaths = drafts.paths();
  const unlistedDrafts = unsavedPaths.filter((draft) => draft !== path && !files.some((file) => file.path === draft));
  return (
    <div className={classes(styles.files, path !== undefined && styles.chosen)}>
      <section className={styles.side} aria-label={texts.files}>
        {files.length === 0 ? <p className={styles.quiet}>{texts.noFilesYet}</p> : undefined}
        <FileTree agent={handle} files={files} path={path} unsavedPaths={unsavedPaths} />
        {unlistedDrafts.map((draft) => (
          <Link key={draft} href={pathOfFile(handle, draft)} className={styles.node}>
            <bdi>{toVisible(draft)}</bdi> <span className={styles.mark}>{texts.notSaved}</span>
          </Link>
        ))}
        <Button kind="quiet" icon="plus" className={styles.make} onClick={() => setCreating(true)}>
          {texts.newFile}
        </Button>
        <UnversionedEntries notes={notes} />
        <NewFile
          isOpen={isCreating}
          onClose={() => setCreating(false)}
          onName={(name) => {
            setCreating(false);
            navigate(pathOfFile(handle, name));
          }}
        />
      </section>
      {path === undefined ? (
        <p className={classes(styles.quiet, styles.unchosen)}>{texts.chooseAFile}</p>
      ) : (
        <section className={styles.open} aria-label={toVisible(path)}>
          <Link href={brainPath(handle)} className={styles.toFiles}>
            <Icon name="back" />
            {texts.allFiles}
          </Link>
          <FilePage
            key={path}
            agent={agent}
            path={path}
            listedFile={findFile(files, path)}
            drafts={drafts}
            onDraft={onDraft}
            onChanged={reload}
          />
        </section>
      )}
    </div>
  );
};

const findFile = (files: readonly BrainFile[], path: string): BrainFile | undefined =>
  files.find((file) => file.path === path);

/** Lists entries of the brain's folder that the house does not version. */
const UnversionedEntries = ({ notes }: Pick<BrainFiles, "notes">) =>
  notes.length === 0 ? undefined : (
    <details className={styles.quiet}>
      <summary>{notes.length === 1 ? texts.oneIgnoredFile : texts.ignoredFiles(notes.length)}</summary>
      <ul>
        {notes.map(({ path, why }) => (
          <li key={path}>{toVisible(`${path} ${why}`)}</li>
        ))}
      </ul>
    </details>
  );
