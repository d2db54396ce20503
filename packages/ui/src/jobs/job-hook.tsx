/** A job's webhook: where it is called, its key in the only moment in which that is shown, and what switches it. */
import type { AgentRecord, Job, JobHook as Opened } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Command } from "../house/command.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { NewKey } from "../settings/new-key.tsx";
import styles from "./jobs.module.css";

export interface JobHookProps {
  readonly agent: AgentRecord;
  readonly job: Job;
  readonly onChange: () => void;
}

const questions = {
  rotate: {
    title: "Give the webhook another key?",
    text: "Whoever calls it needs the new key at once: the old one opens nothing any more.",
    confirm: "Give another key",
  },
  off: {
    title: "Switch the webhook off?",
    text: "Its address and its key are gone for good. Switched on again it has others.",
    confirm: "Switch off",
  },
} as const;

export const JobHook = ({ agent, job: { name, hook }, onChange }: JobHookProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [made, setMade] = useState<Opened>();
  const [asking, setAsking] = useState<keyof typeof questions>();
  const question = questions[asking ?? "off"];
  const open = async (how: "openHook" | "rotateHook"): Promise<void> => {
    const isDone = await work.run(async () => setMade(await (await client.jobs())[how](agent.id, name)));
    if (!isDone) return;
    announce("The webhook has a key. It is shown this once.");
    onChange();
  };
  const close = async (): Promise<void> => {
    const isDone = await work.run(async () => (await client.jobs()).closeHook(agent.id, name));
    if (!isDone) return;
    setMade(undefined);
    announce("The webhook is off.");
    onChange();
  };
  const confirm = (): void => {
    setAsking(undefined);
    void (asking === "rotate" ? open("rotateHook") : close());
  };
  return (
    <section className={styles.part} aria-label={`Webhook of ${name}`}>
      <h3>Webhook</h3>
      {hook === undefined ? (
        <p className={styles.quiet}>
          Off. Switched on, a program that holds its key fires the job, and what it sends is data for the agent.
        </p>
      ) : (
        <>
          <p className={styles.quiet}>
            Called with POST at this path, on any address that leads to this house, signed as Standard Webhooks says.
          </p>
          <Command text={hook} />
        </>
      )}
      {made === undefined ? undefined : (
        <NewKey made={{ name: `the webhook of ${name}`, key: made.secret }} onClose={() => setMade(undefined)} />
      )}
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        {hook === undefined ? (
          <Button size="small" isBusy={work.isBusy} onClick={() => void open("openHook")}>
            Switch its webhook on
          </Button>
        ) : (
          <>
            <Button size="small" isBusy={work.isBusy} onClick={() => setAsking("rotate")}>
              Give another key
            </Button>
            <Button size="small" isBusy={work.isBusy} onClick={() => setAsking("off")}>
              Switch its webhook off
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        {...question}
        isDanger
        isOpen={asking !== undefined}
        onConfirm={confirm}
        onClose={() => setAsking(undefined)}
      />
    </section>
  );
};
