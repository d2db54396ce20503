/** Requests a preview of the typed schedule after a pause in typing. */
import { observe } from "@hearth/client";
import type { AgentRecord, JobPreview, PreviewJob } from "@hearth/protocol";
import { useEffect, useMemo, useState } from "react";
import { useRequest } from "../house/request.ts";
import { useUi } from "../house/ui.tsx";

/** Pause in typing before a request, so that not every keystroke sends one. */
const TYPING_PAUSE_MS = 300;

export interface Preview {
  /** The preview of the current input. Undefined until the house has answered. */
  readonly value: JobPreview | undefined;
  readonly error: unknown;
}

/** The last input that stayed unchanged during a pause in typing. */
interface SettledInput {
  readonly key: string | undefined;
  readonly request: PreviewJob | undefined;
}

/** Requests the preview of `request`, which is undefined while no time is entered. */
export const usePreview = ({ id }: AgentRecord, request: PreviewJob | undefined): Preview => {
  const { client, clock } = useUi();
  const key = JSON.stringify(request);
  const [settledInput, setSettledInput] = useState<SettledInput>({ key, request });
  useEffect(() => {
    if (settledInput.key === key) return undefined;
    const controller = new AbortController();
    observe(
      clock.sleep(TYPING_PAUSE_MS, controller.signal).then(() => {
        if (!controller.signal.aborted) setSettledInput({ key, request });
      }),
    );
    return () => controller.abort();
  }, [key, request, settledInput, clock]);
  const load = useMemo(() => {
    const { request: settledRequest } = settledInput;
    return settledRequest === undefined ? undefined : async () => (await client.jobs()).preview(id, settledRequest);
  }, [client, id, settledInput]);
  const { value, error, isLoading } = useRequest(load);
  return settledInput.key === key && !isLoading ? { value, error } : { value: undefined, error: undefined };
};
