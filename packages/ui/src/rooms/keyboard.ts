/** What a key event of a text area says, and which kind of keyboard it comes from. */
import type { KeyboardEvent } from "react";
import type { PressedKey } from "./composer-rules.ts";

/** Safari ends a composition before its last key goes down, and marks that key with this code only. */
const COMPOSING_CODE = 229;

export const toPressedKey = (event: KeyboardEvent): PressedKey => ({
  key: event.key,
  shiftKey: event.shiftKey,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  isComposing: event.nativeEvent.isComposing || event.keyCode === COMPOSING_CODE,
});

/** Whether the first way to point at this page is a finger. */
export const isCoarse = (element: Element): boolean =>
  element.ownerDocument.defaultView?.matchMedia("(pointer: coarse)").matches ?? false;
