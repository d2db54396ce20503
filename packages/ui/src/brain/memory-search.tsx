/** A question to an agent's memory, and what it finds: the very answer that the agent gets among its own people. */
import type { AgentRecord, RecallAnswer } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { Field, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import styles from "./brain.module.css";
import { MemoryHit } from "./memory-hit.tsx";
import { tellAnswer } from "./memory-words.ts";

export interface MemorySearchProps {
  readonly agent: AgentRecord;
  readonly onChange: () => void;
}

const MAX_QUERY = 4000;
/** More than an agent takes, so that one sees what just missed. */
const LIMIT = 10;

export const MemorySearch = ({ agent, onChange }: MemorySearchProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const ask = useCallback(async () => {
    const answer = await (await client.memories()).recall(agent.id, { query, limit: LIMIT });
    announce(countFound(answer));
    return answer;
  }, [client, agent.id, query, announce]);
  const answer = useAnswer(query === "" ? undefined : ask);
  return (
    <>
      <form
        role="search"
        className={styles.apart}
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === query) answer.again();
          else setQuery(text.trim());
        }}
      >
        <Field label="What to look for" hint="A question finds more than a word, as it does for the agent.">
          {(ids) => (
            <TextInput
              {...ids}
              type="search"
              value={text}
              maxLength={MAX_QUERY}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className={styles.buttons}>
          <Button type="submit" kind="primary" isBusy={query !== "" && answer.isAsking} disabled={text.trim() === ""}>
            Search
          </Button>
        </div>
      </form>
      {query === "" ? undefined : (
        <AnswerView answer={answer}>
          {(found) => (
            <MemoryFound
              agent={agent}
              answer={found}
              onChange={() => {
                answer.again();
                onChange();
              }}
            />
          )}
        </AnswerView>
      )}
    </>
  );
};

const countFound = ({ found }: RecallAnswer): string =>
  found.length === 0
    ? "Nothing was found."
    : found.length === 1
      ? "One fact was found."
      : `${found.length} facts were found.`;

export interface MemoryFoundProps {
  readonly agent: AgentRecord;
  readonly answer: RecallAnswer;
  readonly onChange: () => void;
}

export const MemoryFound = ({ agent, answer, onChange }: MemoryFoundProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [source, setSource] = useState<string>();
  const forget = async (place: string): Promise<void> => {
    setSource(undefined);
    const isGone = await work.run(
      async () => void (await (await client.memories()).forget(agent.id, { source: place })),
    );
    if (!isGone) return;
    announce("It is forgotten.");
    onChange();
  };
  return (
    <>
      {tellAnswer(answer).map((line) => (
        <p key={line} className={styles.quiet}>
          {visible(line)}
        </p>
      ))}
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {answer.found.length === 0 ? (
        <p>Nothing was found.</p>
      ) : (
        <ol className={styles.list} aria-label="What was found, best first">
          {answer.found.map((fact, index) => (
            <li key={`${index} ${fact.path} ${fact.lines.join("-")}`}>
              <MemoryHit agent={agent} fact={fact} onForget={setSource} />
            </li>
          ))}
        </ol>
      )}
      <ConfirmDialog
        title="Forget this for good?"
        text={`${visible(source ?? "")} goes from the files, from every version of them, from what calls gave and from the index. Nothing brings it back. What the agent said of it goes from rooms too; what people said stays there.`}
        confirm="Forget it"
        isDanger
        isOpen={source !== undefined}
        onConfirm={() => void forget(source ?? "")}
        onClose={() => setSource(undefined)}
      />
    </>
  );
};
