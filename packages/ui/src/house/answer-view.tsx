/** The state of a request: loading, error or value. */
import type { ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import type { Answer } from "./answer.ts";
import * as texts from "./text.ts";

export interface AnswerViewProps<Value> {
  readonly answer: Answer<Value>;
  readonly children: (value: Value) => ReactNode;
}

export const AnswerView = <Value,>({ answer: { value, error, again }, children }: AnswerViewProps<Value>) => (
  <>
    {error === undefined ? undefined : (
      <ErrorNotice
        error={error}
        button={
          <Button size="small" onClick={again}>
            {texts.tryAgain}
          </Button>
        }
      />
    )}
    {value === undefined ? error === undefined ? <Spinner label={texts.loading} /> : undefined : children(value)}
  </>
);
