/** Binds the keyboard shortcuts of the approvals page. */
import { type RefObject, useEffect, useState } from "react";
import { useUi } from "../house/ui.tsx";
import { createTypingDetector, type KeyMeaning, meaningOf } from "./keys.ts";

/** Elements that handle keys themselves while they have the focus. */
const KEY_HANDLERS = "input, textarea, select, dialog, [contenteditable]";

export const useListKeys = (page: RefObject<HTMLElement | null>, run: (meaning: KeyMeaning) => void): void => {
  const { clock } = useUi();
  const [typingDetector] = useState(createTypingDetector);
  useEffect(() => {
    const document = page.current?.ownerDocument;
    const onKeyDown = (event: KeyboardEvent): void => {
      // The detector needs every key. The last letter of typed text must not decide a request.
      const isSinglePress = typingDetector.press(clock.monotonic());
      const { activeElement } = page.current?.ownerDocument ?? {};
      if (event.defaultPrevented || activeElement?.closest(KEY_HANDLERS)) return;
      const meaning = meaningOf(event);
      if (meaning === undefined) return;
      if (meaning === "next" || meaning === "previous") event.preventDefault();
      else if (!isSinglePress) return;
      run(meaning);
    };
    document?.addEventListener("keydown", onKeyDown);
    return () => document?.removeEventListener("keydown", onKeyDown);
  }, [page, clock, typingDetector, run]);
};
