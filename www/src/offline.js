/**
 * Whether this browser keeps the page for a visit without a network, and whether a newer one is ready. The work is done
 * by the service worker (www/offline/service-worker.js); a page without one runs on all the same.
 */

/** @import { OfflineState, PageEvent } from "./page-types.js" */

const hourMs = 3_600_000;

/** The folder of the code: of one deployment only, where scripts/arrange-dist.mjs has given it its name. */
const codeFolder = new URL("..", import.meta.url);
const isArranged = /\/app-[0-9a-f]+\/$/.test(codeFolder.pathname);
/** Where index.html and models/ lie, whether or not the page's address ends in a slash. */
export const pageFolder = isArranged ? new URL("..", codeFolder) : codeFolder;
/** As the service worker calls this deployment's copy. */
const deployment = `logit-lab ${codeFolder.href.replace(/\/$/, "")}`;

/** From now on, as long as this page is open, the service worker keeps the files that it may still need. */
export function holdDeployment() {
  // Refused in a frame without storage, where nothing is kept anyway.
  navigator.locks?.request(deployment, { mode: "shared" }, () => new Promise(() => {})).catch(() => {});
}

/**
 * Starts or finds the service worker. To be called once, when the page works: fetching what is kept must not hold that up.
 *
 * @param {(event: PageEvent) => void} dispatch
 */
export async function keepOffline(dispatch) {
  const say = (/** @type {OfflineState} */ offline) => dispatch({ type: "offlineChanged", offline });
  try {
    // Not there on plain http, in some private windows, and where settings forbid it.
    const container = navigator.serviceWorker;
    if (!container || !isArranged) return say(isSecureContext ? "impossible" : "insecure");
    // Else the page came from the network and may be newer than the copy.
    const isCopy = container.controller !== null;
    container.addEventListener("message", ({ data }) => {
      say(data.kept ? "kept" : "failed");
      if (data.deployment !== deployment && (data.takesOver || isCopy)) dispatch({ type: "updateFound" });
    });
    const registration = await container.register(new URL("sw.js", pageFolder), { updateViaCache: "none" });
    const { active } = registration;
    const follow = (/** @type {ServiceWorker | null} */ worker) =>
      worker?.addEventListener("statechange", () => {
        // Whichever runs now can drop what nobody needs any more.
        if (worker.state === "installed" || worker.state === "activated") registration.active?.postMessage("opened");
        // A file did not come, or there is no room.
        if (worker.state === "redundant" && !active) say("failed");
      });
    follow(registration.installing);
    registration.addEventListener("updatefound", () => follow(registration.installing));
    const look = () => registration.update().catch(() => {});
    setInterval(look, hourMs);
    if (!active) return say("keeping");
    active.postMessage("opened");
    // The browser looks by itself too, in its own time.
    await look();
  } catch {
    say("failed");
  }
}
