/** Shows a new API key once. */
import type { CreatedKey } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Notice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { visible } from "../../text/visible.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface NewKeyProps {
  readonly made: Pick<CreatedKey, "key" | "name"> & Partial<CreatedKey>;
  readonly onClose: () => void;
}

export const NewKey = ({ made, onClose }: NewKeyProps) => {
  const { copyText } = useUi();
  const announce = useAnnounce();
  const [copied, setCopied] = useState<"yes" | "no">();
  const copy = async (): Promise<void> => {
    try {
      await copyText(made.key);
      setCopied("yes");
      announce(texts.copied);
    } catch {
      setCopied("no");
    }
  };
  return (
    <Notice kind="success" title={texts.apiKeyOf(visible(made.name))}>
      <code className={styles.key}>{made.key}</code>
      <div className={styles.buttons}>
        <Button size="small" icon={copied === "yes" ? "check" : "copy"} onClick={() => void copy()}>
          {copied === "yes" ? texts.copiedState : texts.copy}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
      {copied === "no" ? <p>{texts.copyingNotAvailable}</p> : undefined}
    </Notice>
  );
};
