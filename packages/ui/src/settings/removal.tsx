/** The end of an agent, a person or a room: what it means, asked once more, and then the page of the others. */
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export interface RemovalProps {
  readonly name: string;
  /** What it means, in a line. */
  readonly text: string;
  /** All of it, beside the question. */
  readonly consequences: ReactNode;
  readonly remove: () => Promise<void>;
  /** Where its form keeps what is not saved. */
  readonly form: string;
  /** Where those are that stay. */
  readonly others: string;
}

export const Removal = ({ name, text, consequences, remove, form, others }: RemovalProps) => {
  const { storage } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const work = useWork();
  const shown = visible(name);
  const run = async (): Promise<void> => {
    setAsking(false);
    if (!(await work.run(remove))) return;
    storage.remove(form);
    announce(`${shown} is removed.`);
    navigate(others);
  };
  return (
    <Section title="Remove" text={text}>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        <Button kind="danger" isBusy={work.isBusy} onClick={() => setAsking(true)}>
          Remove {shown}
        </Button>
      </div>
      <ConfirmDialog
        title={`Remove ${shown}?`}
        text={consequences}
        confirm="Remove"
        isDanger
        isOpen={isAsking}
        onConfirm={() => void run()}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
};
