/** The state of a provider of speech or pictures. */
import { isHearthError } from "@hearth/protocol";

export interface MediaState {
  /** `off`: not configured. `missing`: configured, but it cannot be used. */
  readonly state: "off" | "ready" | "missing";
  readonly detail: string;
  /** What to do if it is missing. */
  readonly fix?: string;
}

/**
 * Returns the state of a configured provider. `check` throws the reason why it cannot be used.
 * `command` changes its settings.
 */
export const readMediaState = async (
  detail: string,
  command: string,
  check: () => Promise<unknown>,
): Promise<MediaState> => {
  try {
    await check();
    return { state: "ready", detail };
  } catch (error) {
    if (!isHearthError(error)) throw error;
    const fix = error.hint ?? `Correct it in Settings → Models. Or run ${command} again.`;
    return { state: "missing", detail: `${detail}: ${error.message}`, fix };
  }
};
