/**
 * Whether open pages of this browser notify while the person does not look at them. Kept on the
 * device.
 */
import type { Storage } from "@hearth/client";

const STORAGE_KEY = "page-notices";
const ON = "on";

export const isPageNotifying = (storage: Storage): boolean => storage.get(STORAGE_KEY) === ON;

/** Throws when the storage is full. */
export const setPageNotifying = (storage: Storage, isOn: boolean): void =>
  isOn ? storage.set(STORAGE_KEY, ON) : storage.remove(STORAGE_KEY);
