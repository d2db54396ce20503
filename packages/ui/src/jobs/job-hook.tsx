/** The webhook of a job: its address, its key right after creation, and its buttons. */
import { observe } from "@hearth/client";
import type { AgentRecord, Job, JobHook as Opened } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Command } from "../house/command.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import { NewKey } from "../settings/keys/new-key.tsx";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

export interface JobHookProps {
  readonly agent: AgentRecord;
  readonly job: Job;
  readonly onChange: () => void;
}

const questions = {
  rotate: {
    title: texts.replaceKeyTitle,
    text: texts.replaceKeyEffect,
    confirm: texts.replaceKey,
  },
  off: {
    title: texts.turnOffTitle,
    text: texts.turnOffEffect,
    confirm: texts.turnOff,
  },
} as const;

export const JobHook = ({ agent, job: { name, hook }, onChange }: JobHookProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [newHook, setNewHook] = useState<Opened>();
  const [questionKey, setQuestionKey] = useState<keyof typeof questions>();
  const question = questions[questionKey ?? "off"];
  const openHook = async (operation: "openHook" | "rotateHook"): Promise<void> => {
    const isDone = await submission.run(async () => setNewHook(await (await client.jobs())[operation](agent.id, name)));
    if (!isDone) return;
    announce(texts.webhookKeyCreated);
    onChange();
  };
  const close = async (): Promise<void> => {
    const isDone = await submission.run(async () => (await client.jobs()).closeHook(agent.id, name));
    if (!isDone) return;
    setNewHook(undefined);
    announce(texts.webhookIsOff);
    onChange();
  };
  const confirm = (): void => {
    setQuestionKey(undefined);
    observe(questionKey === "rotate" ? openHook("rotateHook") : close());
  };
  return (
    <section className={styles.part} aria-label={texts.webhookOf(name)}>
      <h3>{texts.webhook}</h3>
      {hook === undefined ? (
        <p className={styles.quiet}>{texts.webhookOffDetail}</p>
      ) : (
        <>
          <p className={styles.quiet}>{texts.webhookOnDetail}</p>
          <Command text={hook} />
        </>
      )}
      {newHook === undefined ? undefined : (
        <NewKey
          newKey={{ name: texts.theWebhookOf(name), key: newHook.secret }}
          onClose={() => setNewHook(undefined)}
        />
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        {hook === undefined ? (
          <Button size="small" isBusy={submission.isBusy} onClick={() => observe(openHook("openHook"))}>
            {texts.turnWebhookOn}
          </Button>
        ) : (
          <>
            <Button size="small" isBusy={submission.isBusy} onClick={() => setQuestionKey("rotate")}>
              {texts.replaceKey}
            </Button>
            <Button size="small" isBusy={submission.isBusy} onClick={() => setQuestionKey("off")}>
              {texts.turnWebhookOff}
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        {...question}
        isDanger
        isOpen={questionKey !== undefined}
        onConfirm={confirm}
        onClose={() => setQuestionKey(undefined)}
      />
    </section>
  );
};
