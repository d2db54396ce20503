/** A terminal command with a copy button. */
import { observe } from "@hearth/client";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { IconButton } from "../design/button.tsx";
import styles from "./command.module.css";
import * as texts from "./text.ts";
import { useUi } from "./ui.tsx";

export const Command = ({ text }: { readonly text: string }) => {
  const { copyText } = useUi();
  const announce = useAnnounce();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      setCopied(true);
      announce(texts.copied);
    } catch {
      announce(texts.copyingNotAvailable);
    }
  };
  return (
    <p className={styles.command}>
      <code>{text}</code>
      <IconButton
        icon={isCopied ? "check" : "copy"}
        label={isCopied ? texts.copiedState : texts.copyText(text)}
        onClick={() => observe(copy())}
      />
    </p>
  );
};
