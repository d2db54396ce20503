/** The settings of the config file, as groups of fields for the pages. */
import type { CellKind } from "@hearth/protocol";
import { kindWords } from "../agents/cell-words.ts";
import type { Option, SettingGroup } from "./setting-draft.ts";
import * as texts from "./text.ts";

const optionsOf = (titles: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(titles).map(([value, title]) => ({ value, title }));

export const limitGroups: readonly SettingGroup[] = [
  {
    title: texts.budget,
    text: texts.budgetIntroduction,
    fields: [
      { kind: "number", key: "budget.day", label: texts.perDay },
      { kind: "number", key: "budget.month", label: texts.perMonth },
      { kind: "number", key: "budget.turn", label: texts.perRun },
      { kind: "number", key: "budget.day_tokens", label: texts.tokensPerDay },
      { kind: "number", key: "budget.month_tokens", label: texts.tokensPerMonth },
      { kind: "number", key: "budget.turn_tokens", label: texts.tokensPerRun },
      {
        kind: "choice",
        key: "budget.at_limit",
        label: texts.atLimit,
        options: [
          { value: "stop", title: texts.stopCalls },
          { value: "ask", title: texts.askFirst },
        ],
        other: { title: texts.cheaperModel, label: texts.nameOfCheaperModel },
      },
    ],
  },
  {
    title: texts.runs,
    text: texts.runsIntroduction,
    fields: [
      { kind: "number", key: "turns.max_tool_calls", label: texts.toolCalls },
      { kind: "number", key: "turns.max_replies", label: texts.replies },
      { kind: "number", key: "turns.max_chain", label: texts.wakeUpsInARow, hint: texts.wakeUpsInARowHint },
      { kind: "number", key: "approvals.expire_hours", label: texts.approvalHours },
    ],
  },
  {
    title: texts.files,
    fields: [
      { kind: "number", key: "attachments.file_mib", label: texts.perFile },
      { kind: "number", key: "attachments.person_mib", label: texts.perPerson },
      { kind: "number", key: "attachments.house_mib", label: texts.perHouse },
      { kind: "number", key: "attachments.unnamed_hours", label: texts.unnamedHours },
      {
        kind: "switch",
        key: "attachments.keep_metadata",
        label: texts.keepMetadata,
        hint: texts.keepMetadataHint,
      },
    ],
  },
  {
    title: texts.keeping,
    text: texts.keepingIntroduction,
    fields: [
      { kind: "number", key: "turns.log_days", label: texts.activityDays },
      { kind: "number", key: "retention.delivery_days", label: texts.deliveryDays },
      { kind: "number", key: "retention.job_days", label: texts.jobDays },
      { kind: "number", key: "retention.usage_days", label: texts.usageDays },
    ],
  },
];

export const sandboxGroups: readonly SettingGroup[] = [
  {
    title: texts.newSandboxes,
    text: texts.newSandboxesIntroduction,
    fields: [
      {
        kind: "choice",
        key: "cells.backend",
        label: texts.sandboxType,
        options: optionsOf(kindWords satisfies Readonly<Record<CellKind, string>>),
      },
      { kind: "number", key: "cells.max_open", label: texts.openAtOnce },
      { kind: "number", key: "cells.idle_seconds", label: texts.idleSeconds },
      { kind: "number", key: "cells.silence_seconds", label: texts.silenceSeconds },
    ],
  },
  {
    title: texts.limitsOfSandbox,
    text: texts.limitsOfSandboxIntroduction,
    fields: [
      { kind: "number", key: "cells.limits.memory_mib", label: texts.memoryMiB },
      { kind: "number", key: "cells.limits.processes", label: texts.processes },
      { kind: "number", key: "cells.limits.cpus", label: texts.processors },
      { kind: "number", key: "cells.limits.file_mib", label: texts.largestFile },
      { kind: "number", key: "cells.limits.disk_mib", label: texts.disk },
    ],
  },
];

const SERVER_KEYS = ["memory.model", "memory.base_url", "memory.dimensions", "memory.api_key"];

const summaryGroup: SettingGroup = {
  title: texts.summaries,
  text: texts.summariesIntroduction,
  fields: [
    {
      kind: "text",
      key: "compaction.model",
      label: texts.summaryModel,
      hint: texts.summaryModelHint,
      placeholder: texts.agentsOwnModel,
    },
    { kind: "number", key: "compaction.reserve", label: texts.reserve, placeholder: texts.automatic },
  ],
};

const memoryGroup: SettingGroup = {
  title: texts.memorySearch,
  text: texts.memorySearchIntroduction,
  fields: [
    { kind: "choice", key: "memory.backend", label: texts.memoryIndex, options: optionsOf(texts.memoryIndexes) },
    {
      kind: "choice",
      key: "memory.embedder",
      label: texts.embedder,
      hint: texts.embedderHint,
      options: optionsOf(texts.embedders),
    },
    { kind: "text", key: "memory.model", label: texts.embeddingModel, placeholder: "nomic-embed-text" },
    { kind: "number", key: "memory.dimensions", label: texts.embeddingDimensions, placeholder: "768" },
    { kind: "text", key: "memory.base_url", label: texts.embeddingAddress, placeholder: "http://127.0.0.1:11434" },
    { kind: "text", key: "memory.api_key", label: texts.embeddingKey, hint: texts.embeddingKeyHint },
    { kind: "number", key: "memory.top_k", label: texts.resultsPerSearch },
    { kind: "number", key: "memory.half_life_days", label: texts.halfLife, placeholder: texts.ageHasNoEffect },
    { kind: "number", key: "memory.semantic", label: texts.meaningWeight, placeholder: texts.learned },
    { kind: "number", key: "memory.lexical", label: texts.wordsWeight, placeholder: texts.learned },
    { kind: "number", key: "memory.idle_seconds", label: texts.indexIdleSeconds },
  ],
  applies: (key, textOf) => !SERVER_KEYS.includes(key) || !["local", "none"].includes(textOf("memory.embedder")),
};

const newAgentsGroup: SettingGroup = {
  title: texts.defaultModel,
  text: texts.defaultModelIntroduction,
  fields: [
    {
      kind: "text",
      key: "defaults.model",
      label: texts.modelOfNewAgents,
      hint: texts.modelFormat,
      placeholder: texts.noModel,
    },
  ],
};

export const purposeGroups: readonly SettingGroup[] = [newAgentsGroup, summaryGroup, memoryGroup];

export const localAddressGroups: readonly SettingGroup[] = [
  {
    title: texts.localAddresses,
    text: texts.localAddressesIntroduction,
    fields: [{ kind: "switch", key: "egress.loopback", label: texts.loopback, hint: texts.loopbackHint }],
  },
];

export const systemGroups: readonly SettingGroup[] = [
  {
    title: texts.logins,
    text: texts.loginsIntroduction,
    fields: [
      { kind: "number", key: "login.session_days", label: texts.sessionDays },
      { kind: "number", key: "login.idle_minutes", label: texts.idleMinutes },
    ],
  },
  {
    title: texts.logSettings,
    fields: [
      { kind: "choice", key: "log.level", label: texts.lowestLevel, options: optionsOf(texts.logLevels) },
      { kind: "list", key: "log.to", label: texts.logSinks, options: optionsOf(texts.logSinkTitles) },
    ],
  },
];
