/** Shows the disk space of the house by kind of content. */
import { observe } from "@hearth/client";
import type { StorageReport } from "@hearth/protocol";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { showSize } from "../../language/text.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const StorageSection = () => {
  const { client } = useUi();
  const submission = useSubmission();
  const [report, setReport] = useState<StorageReport>();
  const measure = () => submission.run(async () => setReport(await client.storage()));
  return (
    <Section title={texts.storage} text={texts.storageIntroduction}>
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => observe(measure())}>
          {report === undefined ? texts.measure : texts.measureAgain}
        </Button>
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {report === undefined ? undefined : <Sizes report={report} />}
    </Section>
  );
};

const Sizes = ({ report: { kinds, totalBytes } }: { readonly report: StorageReport }) => (
  <table className={styles.sizes} aria-label={texts.storage}>
    <thead>
      <tr>
        <th scope="col">{texts.kind}</th>
        <th scope="col">{texts.size}</th>
      </tr>
    </thead>
    <tbody>
      {kinds.map(({ kind, bytes }) => (
        <tr key={kind}>
          <td>{texts.kinds[kind]}</td>
          <td>{showSize(bytes)}</td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">{texts.total}</th>
        <td>{showSize(totalBytes)}</td>
      </tr>
    </tfoot>
  </table>
);
