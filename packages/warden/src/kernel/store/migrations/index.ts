/**
 * The schema of `hearth.db`, step by step. All steps together create the tables that are declared
 * in `tables/`.
 */
import { approvals } from "./approvals.ts";
import { audit, auditSegments } from "./audit.ts";
import { brainDeltas, brains } from "./brains.ts";
import { byteStreams } from "./byte-streams.ts";
import { chats } from "./chats.ts";
import { compactions } from "./compactions.ts";
import { documents } from "./documents.ts";
import { egress, egressUsage } from "./egress.ts";
import { engine, outboxChoices, outboxEnds, outboxFiles, retries, spend } from "./engine.ts";
import { growthIndexes, retention, search, unfinishedIndex, unlistedMessages } from "./growth.ts";
import { commitMarks, eventsInOrder, ground } from "./ground.ts";
import { devices, houses, identities, inboxAges, invites, passkeys, secondFactors } from "./houses.ts";
import { jobHooks, jobs, jobWays } from "./jobs.ts";
import { keyUses } from "./key-uses.ts";
import { passages } from "./passages.ts";
import { push } from "./push.ts";
import { restores } from "./restores.ts";
import { rights } from "./rights.ts";
import { secrets } from "./secrets.ts";
import type { SchemaStep } from "./step.ts";
import { spokenReplies } from "./spoken-replies.ts";
import { uploadPictures } from "./upload-pictures.ts";
import { captions, stepFiles, uploads } from "./uploads.ts";
import { pictureDescriptions } from "./picture-descriptions.ts";
import { transcripts } from "./transcripts.ts";
import { usage } from "./usage.ts";

export const migrations: readonly SchemaStep[] = [
  ground,
  engine,
  houses,
  byteStreams,
  inboxAges,
  secrets,
  egress,
  egressUsage,
  audit,
  spend,
  approvals,
  brains,
  outboxChoices,
  jobs,
  compactions,
  jobHooks,
  jobWays,
  outboxEnds,
  growthIndexes,
  retries,
  restores,
  commitMarks,
  unfinishedIndex,
  eventsInOrder,
  retention,
  auditSegments,
  uploads,
  invites,
  devices,
  secondFactors,
  stepFiles,
  search,
  brainDeltas,
  passkeys,
  captions,
  transcripts,
  documents,
  outboxFiles,
  identities,
  chats,
  push,
  rights,
  passages,
  usage,
  keyUses,
  uploadPictures,
  spokenReplies,
  pictureDescriptions,
  unlistedMessages,
];
