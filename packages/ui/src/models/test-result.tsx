/** The outcome of a model test. */
import { fromErrorBody } from "@hearth/protocol";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { type TestOutcome, describeOutcome } from "./model-test.ts";

export const TestResult = ({ outcome }: { readonly outcome: TestOutcome | undefined }) => {
  if (outcome === undefined) return undefined;
  if (outcome.kind === "failed") return <ErrorNotice error={outcome.error} place="here" />;
  if (outcome.kind === "called" && outcome.test.error !== undefined)
    return <ErrorNotice error={fromErrorBody(outcome.test.error)} place="here" />;
  const { kind, title, text } = describeOutcome(outcome);
  return (
    <Notice kind={kind} title={title}>
      {text === "" ? undefined : text}
    </Notice>
  );
};
