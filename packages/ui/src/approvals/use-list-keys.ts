/** Binds the keyboard shortcuts of the approvals page. */
import { type RefObject, useEffect, useState } from "react";
import { useUi } from "../house/ui.tsx";
import { createTyping, type KeyMeaning, meaningOf } from "./keys.ts";

/** The focused element handles its own keys if it takes text or is a dialog. */
const OWN_KEYS = "input, textarea, select, dialog, [contenteditable]";

export const useListKeys = (page: RefObject<HTMLElement | null>, run: (meaning: KeyMeaning) => void): void => {
  const { clock } = useUi();
  const [typing] = useState(createTyping);
  useEffect(() => {
    const document = page.current?.ownerDocument;
    const onKeyDown = (event: KeyboardEvent): void => {
      // Count every key: the last letter of typed text is not a decision.
      const isAlone = typing.press(clock.monotonic());
      const { activeElement } = page.current?.ownerDocument ?? {};
      if (event.defaultPrevented || activeElement?.closest(OWN_KEYS)) return;
      const meaning = meaningOf(event);
      if (meaning === undefined) return;
      if (meaning === "next" || meaning === "previous") event.preventDefault();
      else if (!isAlone) return;
      run(meaning);
    };
    document?.addEventListener("keydown", onKeyDown);
    return () => document?.removeEventListener("keydown", onKeyDown);
  }, [page, clock, typing, run]);
};
