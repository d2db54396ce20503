/** The files that an agent made: one folder as a table, or one file with its preview. */
import type { AgentRecord, WorkspaceEntry, WorkspaceFolder } from "@hearth/protocol";
import { useCallback } from "react";
import { Link } from "wouter";
import { Icon } from "../../design/icon.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { formatNumber } from "../../language/locale.ts";
import { showSize } from "../../language/text.ts";
import { toVisible } from "../../text/visible.tsx";
import { pathOfWorkspaceFile, pathOfWorkspaceFolder } from "../place.ts";
import * as texts from "../text.ts";
import { FilePreview } from "./file-preview.tsx";
import styles from "./workspace.module.css";

const POLL_INTERVAL_MS = 5000;

export interface WorkspaceTabProps {
  readonly agent: AgentRecord;
  /** "" is the whole workspace. */
  readonly path: string;
  readonly isFile: boolean;
}

export const WorkspaceTab = ({ agent, path, isFile }: WorkspaceTabProps) => (
  <>
    <p className={styles.quiet}>{texts.workspaceIntroduction(toVisible(agent.content.name))}</p>
    <Crumbs agent={agent.handle} path={path} />
    {isFile ? <FilePreview key={path} agent={agent} path={path} /> : <Folder key={path} agent={agent} path={path} />}
  </>
);

/** Links to the folders above the open folder, followed by its name. */
const Crumbs = ({ agent, path }: { readonly agent: string; readonly path: string }) => {
  const names = path === "" ? [] : path.split("/");
  const places = [texts.workspace, ...names].map((name, depth) => ({ name, to: names.slice(0, depth).join("/") }));
  return (
    <nav aria-label={texts.location}>
      <ol className={styles.crumbs}>
        {places.map(({ name, to }, index) => (
          <li key={to}>
            {index === places.length - 1 ? (
              <span aria-current="location">
                <bdi>{toVisible(name)}</bdi>
              </span>
            ) : (
              <Link href={pathOfWorkspaceFolder(agent, to)}>
                <bdi>{toVisible(name)}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
};

const Folder = ({ agent, path }: { readonly agent: AgentRecord; readonly path: string }) => {
  const { client } = useUi();
  const { id } = agent;
  const load = useCallback(
    async () => (await client.workspaces()).list(id, path === "" ? undefined : path),
    [client, id, path],
  );
  const request = useRequest(load);
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <RequestView request={request}>{(folder) => <FolderTable agent={agent} path={path} folder={folder} />}</RequestView>
  );
};

export interface FolderTableProps {
  readonly agent: AgentRecord;
  /** "" is the whole workspace. */
  readonly path: string;
  readonly folder: WorkspaceFolder;
}

export const FolderTable = ({ agent, path, folder: { entries, isComplete } }: FolderTableProps) => {
  if (entries.length === 0) return <p>{path === "" ? texts.emptyWorkspace : texts.emptyFolder}</p>;
  const query = path === "" ? "" : `?path=${encodeURIComponent(path)}`;
  return (
    <>
      <p className={styles.facts}>
        <a className={styles.download} href={`/api/agents/${agent.id}/files/archive${query}`} download>
          <Icon name="down" />
          {texts.downloadAsZip}
        </a>
      </p>
      <table className={styles.folder}>
        <thead>
          <tr>
            <th scope="col">{texts.fileName}</th>
            <th scope="col">{texts.fileSize}</th>
            <th scope="col">{texts.changed}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.name}>
              <th scope="row">
                <Entry agent={agent.handle} path={path} entry={entry} />
              </th>
              <td>{entry.sizeBytes === undefined ? "" : showSize(entry.sizeBytes)}</td>
              <td>
                <Time at={entry.changedAt} style="relative" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isComplete ? undefined : <p className={styles.quiet}>{texts.moreEntries(formatNumber(entries.length))}</p>}
    </>
  );
};

interface EntryProps {
  readonly agent: string;
  readonly path: string;
  readonly entry: WorkspaceEntry;
}

const Entry = ({ agent, path, entry: { name, kind, why } }: EntryProps) => {
  const entryPath = path === "" ? name : `${path}/${name}`;
  const label = <bdi>{toVisible(kind === "folder" ? `${name}/` : name)}</bdi>;
  switch (kind) {
    case "folder":
      return <Link href={pathOfWorkspaceFolder(agent, entryPath)}>{label}</Link>;
    case "file":
      return <Link href={pathOfWorkspaceFile(agent, entryPath)}>{label}</Link>;
    case "other":
      return (
        <>
          {label}
          {why === undefined ? undefined : <span className={styles.why}>{toVisible(why)}</span>}
        </>
      );
  }
};
