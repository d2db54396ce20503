/** A key in the only moment in which it is shown. */
import type { CreatedKey } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Notice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { visible } from "../text/visible.tsx";
import styles from "./settings.module.css";

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
      announce("Copied.");
    } catch {
      setCopied("no");
    }
  };
  return (
    <Notice kind="success" title={`The key for ${visible(made.name)}, shown this once`}>
      <code className={styles.key}>{made.key}</code>
      <div className={styles.buttons}>
        <Button size="small" icon={copied === "yes" ? "check" : "copy"} onClick={() => void copy()}>
          {copied === "yes" ? "Copied" : "Copy"}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          I have it
        </Button>
      </div>
      {copied === "no" ? (
        <p>This browser does not let the page copy. Select the key and copy it by hand.</p>
      ) : undefined}
    </Notice>
  );
};
