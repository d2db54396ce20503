/** Searches the memory of an agent, and shows the results that the agent gets in private rooms. */
import { observe } from "@hearth/client";
import type { AgentRecord, RecallAnswer } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import { MemoryHit } from "./memory-hit.tsx";
import { describeAnswer } from "./memory-words.ts";
import * as texts from "../text.ts";

export interface MemorySearchProps {
  readonly agent: AgentRecord;
  readonly onChange: () => void;
}

const MAX_QUERY_LENGTH = 4000;
/** Maximum number of results. It is more than an agent gets, to show near misses too. */
const MAX_RESULTS = 10;

export const MemorySearch = ({ agent, onChange }: MemorySearchProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const load = useCallback(async () => {
    const answer = await (await client.memories()).recall(agent.id, { query, limit: MAX_RESULTS });
    announce(describeCount(answer), "unseen");
    return answer;
  }, [client, agent.id, query, announce]);
  const request = useRequest(query === "" ? undefined : load);
  return (
    <>
      <form
        role="search"
        className={styles.apart}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === query) request.reload();
          else setQuery(text.trim());
        }}
      >
        <Field label={texts.searchMemory} hint={texts.searchHint}>
          {(ids) => (
            <TextInput
              {...ids}
              type="search"
              value={text}
              maxLength={MAX_QUERY_LENGTH}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" isBusy={query !== "" && request.isLoading} disabled={text.trim() === ""}>
            {texts.search}
          </Button>
        </div>
      </form>
      {query === "" ? undefined : (
        <RequestView request={request}>
          {(answer) => (
            <MemoryResults
              agent={agent}
              answer={answer}
              onChange={() => {
                request.reload();
                onChange();
              }}
            />
          )}
        </RequestView>
      )}
    </>
  );
};

const describeCount = ({ found }: RecallAnswer): string =>
  found.length === 0 ? texts.noResults : found.length === 1 ? texts.oneResult : texts.results(found.length);

export interface MemoryResultsProps {
  readonly agent: AgentRecord;
  readonly answer: RecallAnswer;
  readonly onChange: () => void;
}

export const MemoryResults = ({ agent, answer, onChange }: MemoryResultsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [source, setSource] = useState<string>();
  const forget = async (memorySource: string): Promise<void> => {
    setSource(undefined);
    const isForgotten = await submission.run(
      async () => void (await (await client.memories()).forget(agent.id, { source: memorySource })),
    );
    if (!isForgotten) return;
    announce(texts.memoryDeleted);
    onChange();
  };
  return (
    <>
      {describeAnswer(answer).map((line) => (
        <p key={line} className={styles.quiet}>
          {toVisible(line)}
        </p>
      ))}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {answer.found.length === 0 ? (
        <p>{texts.noResults}</p>
      ) : (
        <ol className={styles.list} aria-label={texts.searchResults}>
          {answer.found.map((fact, index) => (
            <li key={`${index} ${fact.path} ${fact.lines.join("-")}`}>
              <MemoryHit agent={agent} fact={fact} onForget={setSource} />
            </li>
          ))}
        </ol>
      )}
      <ConfirmDialog
        title={texts.deleteMemoryTitle}
        text={texts.deleteMemoryEffect(toVisible(source ?? ""))}
        confirm={texts.deletePermanently}
        isDanger
        isOpen={source !== undefined}
        onConfirm={() => observe(forget(source ?? ""))}
        onClose={() => setSource(undefined)}
      />
    </>
  );
};
