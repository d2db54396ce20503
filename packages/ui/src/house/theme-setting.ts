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

const STORAGE_KEY = "theme";

const isTheme = (text: string | undefined): text is Theme => themes.some((theme) => theme === text);

/** Creates the setting. Calls `showTheme` with the theme immediately and after each change. */
export const createTheme = (storage: Storage, showTheme: (theme: Theme) => void): ThemeSetting => {
  const listeners = new Set<() => void>();
  const readTheme = (): Theme => {
    const text = storage.get(STORAGE_KEY);
    return isTheme(text) ? text : "system";
  };
  let theme = readTheme();
  const applyTheme = (newTheme: Theme): void => {
    if (newTheme === theme) return;
    theme = newTheme;
    showTheme(theme);
    for (const listener of listeners) listener();
  };
  showTheme(theme);
  storage.onChange(() => applyTheme(readTheme()));
  return {
    get: () => theme,
    set(newTheme) {
      applyTheme(newTheme);
      remember(storage, STORAGE_KEY, newTheme);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
