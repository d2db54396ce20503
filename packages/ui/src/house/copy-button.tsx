/** Copies a text, with a short confirmation. */
import { observe } from "@hearth/client";
import { useEffect, useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { IconButton } from "../design/button.tsx";
import * as texts from "./text.ts";
import { useUi } from "./ui.tsx";

const CONFIRMATION_MS = 2000;

export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { copyText, clock } = useUi();
  const announce = useAnnounce();
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const controller = new AbortController();
    observe(
      clock.sleep(CONFIRMATION_MS, controller.signal).then(() => {
        if (!controller.signal.aborted) setState("idle");
      }),
    );
    return () => controller.abort();
  }, [state, clock]);

  const copy = async (): Promise<void> => {
    try {
      await copyText(text);
      setState("copied");
      announce(texts.copied);
    } catch {
      setState("failed");
      announce(texts.copyingNotAvailable);
    }
  };

  return (
    <IconButton
      icon={state === "copied" ? "check" : state === "failed" ? "warning" : "copy"}
      label={state === "failed" ? texts.copyingNotAvailableState : label}
      onClick={() => observe(copy())}
    />
  );
};
