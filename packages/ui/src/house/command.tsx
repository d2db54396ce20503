/** A command for the terminal, to be copied. */
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { IconButton } from "../design/button.tsx";
import styles from "./command.module.css";
import { useUi } from "./ui.tsx";

export const Command = ({ text }: { readonly text: string }) => {
  const { copyText } = useUi();
  const announce = useAnnounce();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      setCopied(true);
      announce("Copied.");
    } catch {
      announce("The browser does not let this page copy. Select the text and copy it.");
    }
  };
  return (
    <p className={styles.command}>
      <code>{text}</code>
      <IconButton
        icon={isCopied ? "check" : "copy"}
        label={isCopied ? "Copied" : `Copy ${text}`}
        onClick={() => void copy()}
      />
    </p>
  );
};
