/** The usage of models, and for admins the limits of the house: budget, sandboxes, files and retention. */
import type { Setting } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { useAnswer } from "../../house/answer.ts";
import { AnswerView } from "../../house/answer-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { UsageSection } from "../usage/usage-section.tsx";
import { LimitGroup, type LimitGroupProps } from "./limit-group.tsx";
import * as texts from "./text.ts";

const groups: readonly Pick<LimitGroupProps, "title" | "text" | "labels">[] = [
  {
    title: texts.budget,
    text: texts.budgetIntroduction,
    labels: { "budget.day": texts.perDay, "budget.month": texts.perMonth, "budget.turn": texts.perRun },
  },
  {
    title: texts.sandboxes,
    text: texts.sandboxesIntroduction,
    labels: {
      "cells.max_open": texts.openAtOnce,
      "cells.idle_seconds": texts.idleSeconds,
      "cells.limits.memory_mib": texts.memory,
      "cells.limits.processes": texts.processes,
    },
  },
  {
    title: texts.files,
    labels: {
      "attachments.file_mib": texts.perFile,
      "attachments.person_mib": texts.perPerson,
      "attachments.house_mib": texts.perHouse,
    },
  },
  {
    title: texts.keeping,
    text: texts.keepingIntroduction,
    labels: {
      "turns.log_days": texts.activityDays,
      "retention.delivery_days": texts.deliveryDays,
      "retention.job_days": texts.jobDays,
      "retention.usage_days": texts.usageDays,
      "approvals.expire_hours": texts.approvalHours,
    },
  },
];

export const LimitsPage = ({ isAdmin }: { readonly isAdmin: boolean }) => (
  <>
    <UsageSection />
    {isAdmin ? <Limits /> : undefined}
  </>
);

const Limits = () => {
  const { client } = useUi();
  const answer = useAnswer(useCallback(async () => (await client.settings()).list(), [client]));
  /** The settings after the last change, which are newer than the loaded ones. */
  const [edited, setEdited] = useState<readonly Setting[]>();
  return (
    <AnswerView answer={answer}>
      {(settings) =>
        groups.map((group) => (
          <LimitGroup key={group.title} {...group} settings={edited ?? settings} onSaved={setEdited} />
        ))
      }
    </AnswerView>
  );
};
