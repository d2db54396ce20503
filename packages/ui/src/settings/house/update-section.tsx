/** The version that runs, the update that the next start makes, and the copy from before the last update. */
import type { UpdateReport } from "@hearth/protocol";
import { type ReactNode, useCallback } from "react";
import { Link } from "wouter";
import { Notice } from "../../design/notice.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { locale } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { paths } from "../place.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const UpdateSection = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(() => client.update(), [client]));
  return (
    <Section title={texts.update} text={texts.updateIntroduction}>
      <RequestView request={request}>{(report) => <UpdateState report={report} />}</RequestView>
    </Section>
  );
};

const GIB = 1024 ** 3;
const showSize = (bytes: number): string =>
  (bytes / GIB).toLocaleString(locale, { style: "unit", unit: "gigabyte", maximumFractionDigits: 1 });

export const UpdateState = ({ report }: { readonly report: UpdateReport }) => {
  const { running, installed, from, to, steps, neededBytes, freeBytes, estimatedMs, openTurns, problems, copy } =
    report;
  const isNew = running !== installed || steps.length > 0;
  return (
    <>
      {isNew ? (
        <Notice kind={problems.length === 0 ? "info" : "danger"} title={texts.updateWaits(installed)}>
          {problems.length === 0 ? texts.updateAtNextStart : problems.map((problem) => toVisible(problem)).join(" ")}
        </Notice>
      ) : (
        <Notice kind="success" title={texts.upToDate} />
      )}
      <dl className={styles.facts}>
        <Fact title={texts.runningVersion}>{running}</Fact>
        <Fact title={texts.installedVersion}>{installed}</Fact>
        <Fact title={texts.schema}>{from === to ? from : texts.schemaChange(from, to, steps.length)}</Fact>
        {steps.length === 0 ? undefined : (
          <>
            <Fact title={texts.updateTime}>{texts.aboutSeconds(Math.ceil(estimatedMs / 1000))}</Fact>
            <Fact title={texts.diskSpace}>{texts.neededOfFree(showSize(neededBytes), showSize(freeBytes))}</Fact>
          </>
        )}
        <Fact title={texts.openRuns}>{openTurns === 0 ? texts.noOpenRuns : texts.runsResume(openTurns)}</Fact>
        <Fact title={texts.copyFromBefore}>
          {copy === undefined ? (
            texts.noCopy
          ) : (
            <>
              {texts.copyOf} <Time at={copy.at} />. {texts.lostSince(copy.messages, copy.turns)}
            </>
          )}
        </Fact>
      </dl>
      <p className={styles.quiet}>
        {texts.beforeAnUpdate} <Link href={paths.backups}>{texts.makeABackup}</Link>.
      </p>
    </>
  );
};

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);
