/** The schedule, read right after the house has begun: no start waits for it, nor for what knows calendars. */
import { createLate } from "@hearth/protocol";
import type { Log } from "../observe/log.ts";
import type { Schedule } from "./schedule.ts";

export const createLateSchedule = (log: Log, load: () => Promise<Schedule>): Schedule => {
  const schedule = createLate(load);
  return {
    async run(signal) {
      try {
        await (await schedule()).run(signal);
      } catch (error) {
        // The house goes on; its jobs do not, and the log says so.
        log.write("error", "the schedule could not be read: no job fires until the next start", { error });
      }
    },
    skipDue: async (...asked) => (await schedule()).skipDue(...asked),
    list: async (...asked) => (await schedule()).list(...asked),
    get: async (...asked) => (await schedule()).get(...asked),
    add: async (...asked) => (await schedule()).add(...asked),
    edit: async (...asked) => (await schedule()).edit(...asked),
    cancel: async (...asked) => (await schedule()).cancel(...asked),
    fire: async (...asked) => (await schedule()).fire(...asked),
    preview: async (...asked) => (await schedule()).preview(...asked),
    openHook: async (...asked) => (await schedule()).openHook(...asked),
    rotateHook: async (...asked) => (await schedule()).rotateHook(...asked),
    closeHook: async (...asked) => (await schedule()).closeHook(...asked),
    deliver: async (...asked) => (await schedule()).deliver(...asked),
    own: {
      list: async (...asked) => (await schedule()).own.list(...asked),
      add: async (...asked) => (await schedule()).own.add(...asked),
      pause: async (...asked) => (await schedule()).own.pause(...asked),
      resume: async (...asked) => (await schedule()).own.resume(...asked),
      cancel: async (...asked) => (await schedule()).own.cancel(...asked),
    },
    slots: async (...asked) => (await schedule()).slots(...asked),
  };
};
