/**
 * Measures cells of each kind that is available here: opening, memory, frames, commands, egress and
 * turns.
 */
import type { Bench, Finding, Target } from "./bench.ts";
import { measureFrames } from "./cell-cost.ts";
import { timeEgress } from "./cell-egress.ts";
import { type MeasuredKind, measuredKinds } from "./cell-kinds.ts";
import { openCells } from "./cell-open.ts";
import { timeTurns } from "./cell-turns.ts";
import { startHouse, writeConfig } from "./house.ts";
import { startModel } from "./model/model.ts";
import { type Site, temporaryFolder } from "./site.ts";

export const cells: Bench = {
  name: "cells",
  about: "what a cell costs, by kind: opening, memory, frames, commands, egress, turns",
  async run(site) {
    const findings: Finding[] = [];
    for (const [kind, targets] of measuredKinds) {
      site.say(`cells: ${kind}`);
      findings.push(await open(site, kind, targets.open), ...(await measureFrames(site, kind, targets.command)));
      findings.push(...(await timeEgress(site, kind)));
    }
    site.say("cells: turns");
    findings.push(...(await timeTurns(site)));
    return findings;
  },
};

const open = async (site: Site, kind: MeasuredKind, target: Target | undefined): Promise<Finding> => {
  await using model = await startModel(site);
  await using folder = await temporaryFolder(site);
  await writeConfig(folder.path, { model, wire: "openai" });
  await using house = await startHouse(site, folder.path);
  return await openCells(house, kind, target);
};
