/** Shows a new invite link once, as text and as a QR code. */
import type { CreatedInvite } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Notice } from "../../design/notice.tsx";
import { createPart } from "../../house/part.tsx";
import { useUi } from "../../house/ui.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const QrCode = createPart({ load: async () => (await import("../../design/qr-code.tsx")).QrCode });

export interface NewInviteProps {
  readonly made: Pick<CreatedInvite, "url" | "publicUrl">;
  readonly onClose: () => void;
}

export const NewInvite = ({ made, onClose }: NewInviteProps) => {
  const { copyText } = useUi();
  const announce = useAnnounce();
  const [copied, setCopied] = useState<"yes" | "no">();
  const link = made.publicUrl ?? made.url;
  const copy = async (): Promise<void> => {
    try {
      await copyText(link);
      setCopied("yes");
      announce(texts.copied);
    } catch {
      setCopied("no");
    }
  };
  return (
    <Notice kind="success" title={texts.newLink}>
      <code className={styles.key}>{link}</code>
      <QrCode text={link} label={texts.qrOfLink} />
      <div className={styles.buttons}>
        <Button size="small" icon={copied === "yes" ? "check" : "copy"} onClick={() => void copy()}>
          {copied === "yes" ? texts.copiedState : texts.copy}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          {texts.done}
        </Button>
      </div>
      {copied === "no" ? <p>{texts.copyingNotAvailable}</p> : undefined}
      {made.publicUrl === undefined ? <p>{texts.onlyThisMachine}</p> : undefined}
    </Notice>
  );
};
