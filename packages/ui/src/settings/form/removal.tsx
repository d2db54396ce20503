/** Removes an agent, person or room after a confirmation, then opens the list page. */
import { observe } from "@hearth/client";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "./section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface RemovalProps {
  readonly name: string;
  /** The effect of the removal, in one sentence. */
  readonly text: string;
  /** All effects of the removal, shown in the confirmation. */
  readonly consequences: ReactNode;
  readonly remove: () => Promise<unknown>;
  /** Storage key of the unsaved form text, which is deleted too. */
  readonly form: string;
  /** Path of the page to open afterwards. */
  readonly returnPath: string;
}

export const Removal = ({ name, text, consequences, remove, form, returnPath }: RemovalProps) => {
  const { storage } = useUi();
  const [, navigate] = useLocation();
  const announce = useAnnounce();
  const [isConfirming, setConfirming] = useState(false);
  const submission = useSubmission();
  const visibleName = toVisible(name);
  const run = async (): Promise<void> => {
    setConfirming(false);
    if (!(await submission.run(remove))) return;
    storage.remove(form);
    announce(texts.recordRemoved(visibleName));
    navigate(returnPath);
  };
  return (
    <Section title={texts.remove} text={text}>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      <div className={styles.buttons}>
        <Button kind="danger" isBusy={submission.isBusy} onClick={() => setConfirming(true)}>
          {texts.removeRecord(visibleName)}
        </Button>
      </div>
      <ConfirmDialog
        title={texts.removeRecordTitle(visibleName)}
        text={consequences}
        confirm={texts.remove}
        isDanger
        isOpen={isConfirming}
        onConfirm={() => observe(run())}
        onClose={() => setConfirming(false)}
      />
    </Section>
  );
};
