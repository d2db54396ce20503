/**
 * The state of an agent's memory index: size, embedding model, excluded files, and a rebuild
 * button.
 */
import { observe } from "@hearth/client";
import type { AgentRecord, MemoryStatus } from "@hearth/protocol";
import { useCallback } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { describeState } from "./memory-words.ts";
import * as texts from "../text.ts";

const POLL_INTERVAL_MS = 5000;

export const MemoryIndex = ({ agent: { id } }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const request = useRequest(useCallback(async () => (await client.memories()).status(id), [client, id]));
  const { value, reload } = request;
  const isIndexing = value?.catchingUp === true || value?.rebuilding === true;
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => (isIndexing ? reload() : undefined), [isIndexing, reload]),
  );
  const reindex = async (): Promise<void> => {
    const isDone = await submission.run(async () => void (await (await client.memories()).reindex(id)));
    if (!isDone) return;
    announce(texts.rebuildingIndex);
    reload();
  };
  return (
    <div className={styles.apart}>
      <h2>{texts.index}</h2>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <RequestView request={request}>{(status) => <IndexFacts status={status} />}</RequestView>
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => observe(reindex())}>
          {texts.rebuild}
        </Button>
        <span className={styles.quiet}>{texts.rebuildDetail}</span>
      </div>
    </div>
  );
};

export const IndexFacts = ({ status }: { readonly status: MemoryStatus }) => {
  const { files, chunks, vectors, embedder, leftOut } = status;
  const facts = [
    [texts.files, formatNumber(files)],
    [texts.chunks, formatNumber(chunks)],
    [texts.searchableByMeaning, embedder === undefined ? texts.keywordsOnly : formatNumber(vectors)],
    [texts.embeddingModel, embedder === undefined ? texts.none : toVisible(embedder)],
  ] as const;
  return (
    <>
      <p>{toVisible(describeState(status))}</p>
      <table className={styles.table} aria-label={texts.indexState}>
        <tbody>
          {facts.map(([title, value]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut.length === 0 ? undefined : (
        <div className={styles.remark}>
          <p>{texts.excluded}</p>
          <ul className={styles.effects}>
            {leftOut.map(({ path, why }) => (
              <li key={path}>
                <bdi>{toVisible(path)}</bdi>: {toVisible(why)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
