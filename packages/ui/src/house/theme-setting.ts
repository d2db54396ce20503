/** The theme setting: light, dark or system. Stored in this browser and shared with its tabs. */
import type { Storage } from "@hearth/client";
import { remember } from "./remember.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export interface ThemeSetting {
  get(): Theme;
  set(theme: Theme): void;
  onChange(listener: () => void): () => void;
}

const NAME = "theme";

const isTheme = (text: string | undefined): text is Theme => themes.some((theme) => theme === text);

/** Creates the setting. Calls `show` with the theme immediately and after each change. */
export const createTheme = (storage: Storage, show: (theme: Theme) => void): ThemeSetting => {
  const listeners = new Set<() => void>();
  const read = (): Theme => {
    const text = storage.get(NAME);
    return isTheme(text) ? text : "system";
  };
  let theme = read();
  const become = (next: Theme): void => {
    if (next === theme) return;
    theme = next;
    show(theme);
    for (const listener of listeners) listener();
  };
  show(theme);
  storage.onChange(() => become(read()));
  return {
    get: () => theme,
    set(next) {
      become(next);
      remember(storage, NAME, next);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
