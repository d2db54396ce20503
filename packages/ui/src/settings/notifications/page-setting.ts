/**
 * Whether open pages of this browser notify while the person does not look at them. Kept on the
 * device.
 */
import type { Storage } from "@hearth/client";

const NAME = "page-notices";
const ON = "on";

export const isPageNotifying = (storage: Storage): boolean => storage.get(NAME) === ON;

/** Throws when the storage is full. */
export const setPageNotifying = (storage: Storage, isOn: boolean): void =>
  isOn ? storage.set(NAME, ON) : storage.remove(NAME);
