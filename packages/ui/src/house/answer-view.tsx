/** What a question brought: a sign that it is on its way, why it failed, or what there is. */
import type { ReactNode } from "react";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import type { Answer } from "./answer.ts";

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
            Try again
          </Button>
        }
      />
    )}
    {value === undefined ? error === undefined ? <Spinner label="Please wait" /> : undefined : children(value)}
  </>
);
