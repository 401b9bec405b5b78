/** The tasks of the page's own thread while something is done: how long each took, and how much of that it was at work. */

/** @import { Browser } from "../../tests/browser/driver.mjs" */

/** By the clock, which other work on the machine lengthens; and in processor time of the thread, which it does not.
 * @typedef {{ ms: number, processorMs: number }} Task
 */

const MARK = "tasks-begin";

/**
 * @template T
 * @param {Browser} browser Chromium, with a page open
 * @param {() => Promise<T>} work
 * @returns {Promise<{ result: T, tasks: Task[] }>}
 */
export async function tasksDuring(browser, work) {
  // The library's types do not know the socket, and it hands no events on.
  const connection = /** @type {any} */ (await browser.driver.createCDPConnection("page"));
  /** @type {{ name: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number }[]} in microseconds */
  const events = [];
  const complete = new Promise((resolve) => {
    connection._wsConnection.on("message", (/** @type {Buffer} */ data) => {
      const { method, params } = JSON.parse(String(data));
      if (method === "Tracing.dataCollected") events.push(...params.value);
      if (method === "Tracing.tracingComplete") resolve(undefined);
    });
  });
  const traceConfig = { includedCategories: ["toplevel", "blink.user_timing"] };
  await connection.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await browser.run("performance.mark(args[0]);", MARK);
  const result = await work();
  await connection.send("Tracing.end", {});
  await complete;
  connection._wsConnection.close();
  // Other threads, and other pages of the browser, have tasks too.
  const mark = events.find(({ name }) => name === MARK);
  if (!mark) throw new Error("the trace does not have the page's mark");
  const tasks = events.filter(
    ({ name, pid, tid, ts }) => name.endsWith("RunTask") && pid === mark.pid && tid === mark.tid && ts >= mark.ts,
  );
  return { result, tasks: tasks.map(({ dur = 0, tdur = 0 }) => ({ ms: dur / 1000, processorMs: tdur / 1000 })) };
}
