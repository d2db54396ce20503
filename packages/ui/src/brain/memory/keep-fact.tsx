/** Adds a fact to the agent's memory, optionally in place of an outdated one. */
import { observe } from "@hearth/client";
import { type AgentRecord, MAX_FACT_LENGTH } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../brain.module.css";
import * as texts from "../text.ts";

export interface AddFactProps {
  readonly agent: AgentRecord;
  readonly onChange: () => void;
}

export const AddFact = ({ agent, onChange }: AddFactProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [text, setText] = useState("");
  const [replaces, setReplaces] = useState("");
  const [result, setResult] = useState("");
  const saveFact = async (): Promise<void> => {
    const replacedFact = replaces.trim();
    const isSaved = await submission.run(async () => {
      const memories = await client.memories();
      const body = { text: text.trim(), ...(replacedFact === "" ? {} : { replaces: replacedFact }) };
      const { path, wasKnown } = await memories.remember(agent.id, body);
      const message = wasKnown ? texts.alreadySavedIn(toVisible(path)) : texts.savedIn(toVisible(path));
      setResult(message);
      announce(message, "unseen");
    });
    if (!isSaved) return;
    setText("");
    setReplaces("");
    onChange();
  };
  return (
    <form
      className={styles.apart}
      aria-label={texts.addMemory}
      onSubmit={(event) => {
        event.preventDefault();
        observe(saveFact());
      }}
    >
      <h2>{texts.addMemory}</h2>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <Field label={texts.fact}>
        {(ids) => (
          <TextInput
            {...ids}
            value={text}
            maxLength={MAX_FACT_LENGTH}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Field label={texts.replaces} hint={texts.replacesHint}>
        {(ids) => (
          <TextInput
            {...ids}
            value={replaces}
            maxLength={MAX_FACT_LENGTH}
            autoComplete="off"
            onChange={(event) => setReplaces(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy} disabled={text.trim() === ""}>
          {texts.save}
        </Button>
        {result === "" ? undefined : <span className={styles.quiet}>{result}</span>}
      </div>
    </form>
  );
};
