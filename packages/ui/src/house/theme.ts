/** Hook that returns the current theme. */
import { useSyncExternalStore } from "react";
import type { Theme } from "./theme-setting.ts";
import { useUi } from "./ui.tsx";

export const useTheme = (): { readonly theme: Theme; readonly setTheme: (theme: Theme) => void } => {
  const { theme } = useUi();
  return { theme: useSyncExternalStore(theme.onChange, theme.get, theme.get), setTheme: theme.set };
};
