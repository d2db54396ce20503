/**
 * Escape attempts past a cell's resource limits. Each runs in a separate cell whose limits cannot
 * be passed by chance.
 */
import { type CellLimits, DEFAULT_CELL_LIMITS, type OwnCellLimits } from "@hearth/protocol";
import { type Escape, perlCommand } from "./escape.ts";

const withDefaults = (limits: OwnCellLimits): CellLimits => ({ ...DEFAULT_CELL_LIMITS, ...limits });
/** The limits of the limit tests, so that both share the prepared machine. */
const SMALL_LIMITS = { memoryMiB: 256, diskMiB: 16 } as const;

export const limitEscapes: readonly Escape[] = [
  {
    name: "starting more processes than the limit",
    wall: "pids",
    limits: withDefaults({ processes: 64 }),
    script: perlCommand(`$SIG{ALRM} = "DEFAULT"; my @children;
      for (1 .. 150) { my $child = fork; last unless defined $child; if ($child == 0) { sleep 60; exit } push @children, $child }
      kill 9, @children; reached() if @children == 150`),
  },
  {
    name: "using more memory than the limit",
    wall: "memory",
    limits: withDefaults(SMALL_LIMITS),
    script: perlCommand(`my $memory = "x" x (400 * 1024 * 1024); reached() if length $memory`),
  },
  {
    name: "using more memory than the limit in several processes",
    wall: "memory",
    limits: withDefaults(SMALL_LIMITS),
    script: perlCommand(`my @children;
      for (1 .. 8) { my $child = fork; if ($child == 0) { my $memory = "x" x (50 * 1024 * 1024); sleep 1; exit 7 } push @children, $child }
      my $well = 0; for (@children) { waitpid $_, 0; $well += $? == 7 << 8 } reached() if $well == 8`),
  },
  {
    name: "using more processor time than the limit",
    wall: "cpu",
    limits: withDefaults({ cpus: 0.1 }),
    isTimed: true,
    // A fifth of a second of work takes two seconds at a tenth of a processor.
    script: perlCommand(`use Time::HiRes "time"; my $begun = time; my $used = times;
      while (times() - $used < 0.2) { for (1 .. 10000) { } } reached() if time - $begun < 1.6`),
  },
];
