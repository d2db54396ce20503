/** One file of a workspace: its facts, a download, and a preview by its detected type. */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback } from "react";
import { Icon } from "../../design/icon.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { showSize } from "../../language/text.ts";
import { CodeBlock } from "../../text/code-text.tsx";
import { Markdown } from "../../text/markdown.tsx";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "../text.ts";
import { type Beginning, MAX_PREVIEW_BYTES, readBeginning } from "./beginning.ts";
import { previewKindOf, textFormatOf } from "./preview-kind.ts";
import { SeparatedTable } from "./separated-table.tsx";
import styles from "./workspace.module.css";

export interface FilePreviewProps {
  readonly agent: AgentRecord;
  readonly path: string;
}

export const FilePreview = ({ agent: { id }, path }: FilePreviewProps) => {
  const { client } = useUi();
  const request = useRequest(
    useCallback(async () => {
      const { readBeginning: requestBeginning } = await client.workspaces();
      return readBeginning(() => requestBeginning(id, path, MAX_PREVIEW_BYTES));
    }, [client, id, path]),
  );
  const name = path.slice(path.lastIndexOf("/") + 1);
  const url = `/api/agents/${id}/files/content?path=${encodeURIComponent(path)}`;
  return (
    <RequestView request={request}>
      {(beginning) => (
        <>
          <p className={styles.facts}>
            <span className={styles.quiet}>{showSize(beginning.sizeBytes)}</span>
            <a className={styles.download} href={url} download={name}>
              <Icon name="down" />
              {texts.downloadFile}
            </a>
          </p>
          <section aria-label={texts.previewOf(toVisible(name))} className={styles.preview}>
            <Preview agent={id} path={path} url={url} beginning={beginning} />
          </section>
        </>
      )}
    </RequestView>
  );
};

export interface PreviewProps {
  readonly agent: string;
  readonly path: string;
  readonly url: string;
  readonly beginning: Beginning;
}

export const Preview = ({ agent, path, url, beginning }: PreviewProps) => {
  const label = texts.previewOf(toVisible(path.slice(path.lastIndexOf("/") + 1)));
  if (beginning.sizeBytes === 0) return <p>{texts.emptyFile}</p>;
  switch (previewKindOf(beginning.type)) {
    case "picture":
      return <img className={styles.picture} src={url} alt={label} decoding="async" />;
    case "sound":
      return <audio className={styles.sound} src={url} aria-label={label} controls preload="metadata" />;
    case "film":
      return <video className={styles.picture} src={url} aria-label={label} controls preload="metadata" />;
    case "document":
      return <DocumentPreview agent={agent} path={path} />;
    case "text":
      return <TextPreview path={path} label={label} beginning={beginning} />;
    case "none":
      return <p>{texts.noPreview}</p>;
  }
};

interface TextPreviewProps {
  readonly path: string;
  readonly label: string;
  readonly beginning: Beginning;
}

const TextPreview = ({ path, label, beginning }: TextPreviewProps) => {
  const { text = "", isCut } = beginning;
  const format = textFormatOf(path);
  return (
    <>
      {format.kind === "markdown" ? <Markdown text={text} /> : undefined}
      {format.kind === "table" ? <SeparatedTable label={label} text={text} /> : undefined}
      {format.kind === "code" ? <CodeBlock text={text} language={format.language} /> : undefined}
      {isCut ? <p className={styles.quiet}>{texts.firstPartOnly(showSize(MAX_PREVIEW_BYTES))}</p> : undefined}
    </>
  );
};

/**
 * Shows the text of a document. The house extracts the text in a cell, so the browser never loads
 * the document.
 */
const DocumentPreview = ({ agent, path }: { readonly agent: string; readonly path: string }) => {
  const { client } = useUi();
  const request = useRequest(
    useCallback(async () => (await client.workspaces()).text(agent, path), [client, agent, path]),
  );
  if (request.value === undefined && request.error === undefined) return <Spinner label={texts.loading} />;
  return (
    <RequestView request={request}>
      {({ text, isCut, why = "" }) =>
        text === undefined ? (
          <p>{toVisible(texts.noText(why))}</p>
        ) : (
          <>
            <p className={styles.quiet}>{texts.textOfDocument}</p>
            <Markdown text={text} />
            {isCut ? <p className={styles.quiet}>{texts.firstTextOnly}</p> : undefined}
          </>
        )
      }
    </RequestView>
  );
};
