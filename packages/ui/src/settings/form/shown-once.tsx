/** Shows a new key or link once, with a button that copies it. */
import { observe } from "@hearth/client";
import { type ReactNode, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Notice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ShownOnceProps {
  readonly title: string;
  readonly text: string;
  /** The label of the button that copies the text. */
  readonly copyLabel: string;
  /** Content below the text. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

export const ShownOnce = ({ title, text, copyLabel, children, onClose }: ShownOnceProps) => {
  const { copyText } = useUi();
  const announce = useAnnounce();
  const [copyOutcome, setCopyOutcome] = useState<"yes" | "no">();
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      setCopyOutcome("yes");
      announce(texts.copied);
    } catch {
      setCopyOutcome("no");
    }
  };
  return (
    <Notice kind="success" title={title}>
      <code className={styles.key}>{text}</code>
      {children}
      <div className={styles.buttons}>
        <Button size="small" icon={copyOutcome === "yes" ? "check" : "copy"} onClick={() => observe(copy())}>
          {copyOutcome === "yes" ? texts.copiedState : copyLabel}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
      {copyOutcome === "no" ? <p>{texts.copyingNotAvailable}</p> : undefined}
    </Notice>
  );
};
