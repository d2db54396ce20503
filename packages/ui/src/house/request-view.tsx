/** The state of a request: loading, error or value. */
import type { ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import type { RequestState } from "./request.ts";
import * as texts from "./text.ts";

export interface RequestViewProps<Value> {
  readonly request: RequestState<Value>;
  readonly children: (value: Value) => ReactNode;
}

export const RequestView = <Value,>({ request: { value, error, reload }, children }: RequestViewProps<Value>) => (
  <>
    {error === undefined ? undefined : (
      <ErrorNotice
        error={error}
        button={
          <Button size="small" onClick={reload}>
            {texts.tryAgain}
          </Button>
        }
      />
    )}
    {value === undefined ? error === undefined ? <Spinner label={texts.loading} /> : undefined : children(value)}
  </>
);
