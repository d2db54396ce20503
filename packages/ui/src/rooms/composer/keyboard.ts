/** Reads keyboard events of a text area, and detects touch screens. */
import type { KeyboardEvent } from "react";
import type { PressedKey } from "./composer-rules.ts";

/**
 * Safari ends a composition before its last keydown event and marks that event only with this code.
 */
const COMPOSING_CODE = 229;

export const toPressedKey = (event: KeyboardEvent): PressedKey => ({
  key: event.key,
  shiftKey: event.shiftKey,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  isComposing: event.nativeEvent.isComposing || event.keyCode === COMPOSING_CODE,
});

/** Whether the primary pointing device is a finger. */
export const isCoarse = (element: Element): boolean =>
  element.ownerDocument.defaultView?.matchMedia("(pointer: coarse)").matches ?? false;
