/** Requests a preview of the typed schedule after a pause in typing. */
import { observe } from "@hearth/client";
import type { AgentRecord, JobPreview, PreviewJob } from "@hearth/protocol";
import { useEffect, useMemo, useState } from "react";
import { useRequest } from "../house/request.ts";
import { useUi } from "../house/ui.tsx";

/** Pause in typing before a request, so that not every keystroke sends one. */
const REST_MS = 300;

export interface Preview {
  /** The preview of the present input. Undefined until the house has answered. */
  readonly value: JobPreview | undefined;
  readonly error: unknown;
}

/** Requests the preview `asked`, which is undefined while no time is entered. */
export const usePreview = ({ id }: AgentRecord, request: PreviewJob | undefined): Preview => {
  const { client, clock } = useUi();
  const key = JSON.stringify(request);
  const [settled, setSettled] = useState<{ readonly key: string | undefined; readonly asked: PreviewJob | undefined }>({
    key,
    asked: request,
  });
  useEffect(() => {
    if (settled.key === key) return undefined;
    const stop = new AbortController();
    observe(
      clock.sleep(REST_MS, stop.signal).then(() => {
        if (!stop.signal.aborted) setSettled({ key, asked: request });
      }),
    );
    return () => stop.abort();
  }, [key, request, settled, clock]);
  const question = useMemo(() => {
    const { asked: resting } = settled;
    return resting === undefined ? undefined : async () => (await client.jobs()).preview(id, resting);
  }, [client, id, settled]);
  const { value, error, isLoading } = useRequest(question);
  return settled.key === key && !isLoading ? { value, error } : { value: undefined, error: undefined };
};
