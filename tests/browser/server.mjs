/**
 * A local web server that misbehaves on purpose. It serves a built page under any path, stands in for the hub, can
 * replace the catalogue, and remembers every request.
 *
 *   node tests/browser/server.mjs --root dist --prefix "/course/week 3/" --hub FOLDER --port 8080
 *
 * The hub is at /hub/REPOSITORY/resolve/REVISION/FILE and serves FILE from the folder, for any repository and revision.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

/**
 * @typedef {object} Fault what goes wrong with an answer
 * @property {string | RegExp} at the end of the path, or a pattern for it
 * @property {number} [times] how often; absent is always
 * @property {number} [status] an error status in place of the file
 * @property {boolean} [html] a web page in place of the file
 * @property {string} [type] another content type
 * @property {string | Buffer} [body] another body, with its own correct length
 * @property {number} [cutAfter] break the connection off after this many bytes
 * @property {number} [endAfter] end the body after this many bytes, having announced no length
 * @property {number} [flipByte] invert the byte at this position
 * @property {number} [bytesPerSecond]
 * @property {number} [delayMs] before the answer
 * @property {boolean} [hangUp] close the connection without an answer
 * @property {string} [retryAfter] a header, for an error status
 * @property {boolean} [noRange] answer a question for a part with the whole
 * @property {string} [etag] another version than the file's own
 * @property {boolean} [gzip] compress the body on the way
 * @property {number} [announce] another length than the body's
 */
/** @typedef {{ method: string, path: string, range: string | null, status: number, bytesSent: number }} Logged */
/**
 * @typedef {object} ServerOptions
 * @property {string} root the built page
 * @property {string} [prefix] the path under which it is served
 * @property {string} [hub] the folder that the stand-in of the hub serves
 * @property {Record<string, string>} [folders] further paths and their folders
 * @property {object} [catalogue] in place of the page's own
 * @property {boolean} [isolated] send the headers with which a page may measure its memory
 * @property {number} [port]
 * @property {"missing" | "redirected" | "served"} [withoutSlash] what becomes of the page's address without its last slash
 */

/** @type {Record<string, string>} */
const MIME = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
};
const PAGE = "<!doctype html><title>Not here</title><p>This host answers everything with a page.";
const PACE_MS = 20;
/** What a test has run in the page before the page's own code: a script of the page's host, as its policy demands. */
const FIRST_SCRIPT = "/first-script.js";

/** @param {ServerOptions} options */
export async function startServer(options) {
  const { root, prefix = "/", hub, folders = {}, catalogue, isolated = false, port = 0, withoutSlash } = options;
  /** @type {Logged[]} */
  const requests = [];
  /** @type {Fault[]} */
  const faults = [];
  /** @type {string[]} */
  const firstScripts = [];
  const mounts = Object.entries({ [prefix]: root, ...folders }).sort(([a], [b]) => b.length - a.length);

  const server = createServer(async (request, response) => {
    const pathname = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    if (pathname === FIRST_SCRIPT) {
      response.writeHead(200, { "content-type": MIME[".js"], "cache-control": "no-store" }).end(firstScripts.join("\n"));
      return;
    }
    const range = request.headers.range ?? null;
    const ifRange = /** @type {string | undefined} */ (request.headers["if-range"]) ?? null;
    const logged = { method: request.method ?? "", path: pathname, range, status: 0, bytesSent: 0 };
    requests.push(logged);
    try {
      if (withoutSlash === "redirected" && `${pathname}/` === prefix) {
        logged.status = 301;
        response.writeHead(301, { location: encodeURI(prefix) + new URL(request.url ?? "/", "http://localhost").search }).end();
        return;
      }
      await answer(pathname, range, ifRange, response, logged, takeFault(faults, pathname));
    } catch {
      response.destroy();
    }
  });

  /** @param {string} pathname */
  async function fileAt(pathname) {
    if (withoutSlash === "served" && `${pathname}/` === prefix) pathname = prefix;
    if (catalogue && pathname === `${prefix}models/catalogue.json`) return Buffer.from(JSON.stringify(catalogue));
    const onHub = /^\/hub\/[^/]+\/[^/]+\/resolve\/[^/]+\/(.+)$/.exec(pathname);
    const mount = mounts.find(([start]) => pathname.startsWith(start));
    const folder = onHub ? hub : mount?.[1];
    if (folder === undefined) return null;
    const relative = onHub ? onHub[1] : pathname.slice(mount?.[0].length);
    const file = path.join(folder, relative === "" || relative.endsWith("/") ? `${relative}index.html` : relative);
    if (path.relative(folder, file).startsWith("..")) return null;
    const body = await readFile(file).catch(() => null);
    if (body === null || firstScripts.length === 0 || path.basename(file) !== "index.html") return body;
    // Before the page's own modules, which wait for the end of the document.
    return Buffer.from(body.toString().replace("</head>", `<script src="${FIRST_SCRIPT}"></script>$&`));
  }

  /**
   * @param {string} pathname
   * @param {string | null} range
   * @param {string | null} ifRange
   * @param {import("node:http").ServerResponse} response
   * @param {Logged} logged
   * @param {Omit<Fault, "at">} fault
   */
  async function answer(pathname, range, ifRange, response, logged, fault) {
    if (fault.delayMs) await sleep(fault.delayMs);
    if (fault.hangUp) {
      response.destroy();
      return;
    }
    let body = fault.body === undefined ? await fileAt(pathname) : Buffer.from(fault.body);
    let status = fault.status ?? (body === null ? 404 : 200);
    let type = MIME[path.extname(pathname)] ?? (pathname.endsWith("/") ? MIME[".html"] : "application/octet-stream");
    if (body !== null && withoutSlash === "served" && `${pathname}/` === prefix) type = MIME[".html"];
    if (fault.type !== undefined) type = fault.type;
    if (fault.html) [status, type, body] = [200, MIME[".html"], Buffer.from(PAGE)];
    if (status >= 400 || body === null) [type, body] = ["text/plain", Buffer.from(`${status}\n`)];
    if (fault.flipByte !== undefined) {
      body = Buffer.from(body);
      body[fault.flipByte] ^= 0xff;
    }
    /** @type {Record<string, string | number>} */
    const headers = { "content-type": type, "cache-control": "no-cache", "accept-ranges": "bytes" };
    if (isolated) {
      headers["cross-origin-opener-policy"] = "same-origin";
      headers["cross-origin-embedder-policy"] = "require-corp";
    }
    if (status === 200) headers.etag = fault.etag ?? `"${createHash("sha1").update(body).digest("hex")}"`;
    if (fault.retryAfter !== undefined) headers["retry-after"] = fault.retryAfter;
    const asksForPart = !fault.noRange && status === 200 && (ifRange === null || ifRange === headers.etag);
    const wanted = asksForPart ? parseRange(range, body.length) : null;
    if (wanted) {
      headers["content-range"] = `bytes ${wanted.start}-${wanted.end}/${body.length}`;
      body = body.subarray(wanted.start, wanted.end + 1);
      status = 206;
    }
    if (pathname.startsWith("/hub/")) headers["access-control-allow-origin"] = "*";
    if (fault.gzip) {
      body = gzipSync(body, { level: 1 });
      headers["content-encoding"] = "gzip";
    }
    if (fault.endAfter === undefined) headers["content-length"] = fault.announce ?? body.length;
    logged.status = status;
    response.writeHead(status, headers);
    const end = Math.min(fault.cutAfter ?? body.length, fault.endAfter ?? body.length);
    await send(response, body.subarray(0, end), fault.bytesPerSecond, logged);
    if (fault.cutAfter === undefined) response.end();
    else response.destroy();
  }

  // A browser that takes this server for its proxy asks for a host by name, and is refused.
  /** @type {string[]} */
  const tunnels = [];
  // Of tunnels that were refused too, which the server counts as open but does not close: a browser may hold them for long.
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    // The server has let go of the socket: whoever goes away before the answer would be a fault of the whole process.
    socket.on("error", () => {});
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });

  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  const origin = `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`;
  return {
    origin,
    /** The page's address. */
    url: origin + encodeURI(prefix),
    requests,
    /** Hosts, with ports, that were asked for as of a proxy. */
    tunnels,
    faults,
    /** @param {Fault} fault */
    misbehave: (fault) => void faults.push(fault),
    /**
     * From now on pages begin with this script, until the answer is called.
     *
     * @param {string} source
     */
    runFirst(source) {
      // Its names are its own, as those of a module are; what is to be seen is put on globalThis.
      const script = `{\n${source}\n}`;
      firstScripts.push(script);
      return () => void firstScripts.splice(firstScripts.indexOf(script), 1);
    },
    close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

/**
 * @param {Fault[]} faults
 * @param {string} pathname
 * @returns {Omit<Fault, "at">}
 */
function takeFault(faults, pathname) {
  const found = faults.find(
    ({ at, times = 1 }) => times > 0 && (typeof at === "string" ? pathname.endsWith(at) : at.test(pathname)),
  );
  if (found?.times !== undefined) found.times -= 1;
  return found ?? {};
}

/**
 * @param {string | null} range
 * @param {number} length
 */
function parseRange(range, length) {
  const match = /^bytes=(\d+)-(\d*)$/.exec(range ?? "");
  if (!match || Number(match[1]) >= length) return null;
  const end = match[2] === "" ? length - 1 : Math.min(Number(match[2]), length - 1);
  return { start: Number(match[1]), end };
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {Buffer} body
 * @param {number | undefined} bytesPerSecond
 * @param {Logged} logged
 */
async function send(response, body, bytesPerSecond, logged) {
  const step = bytesPerSecond === undefined ? 1024 * 1024 : Math.max(1, Math.round((bytesPerSecond * PACE_MS) / 1000));
  for (let start = 0; start < body.length && !response.destroyed; start += step) {
    const part = body.subarray(start, start + step);
    // The callback comes when the part is on its way; a client that went away ends the wait too.
    await new Promise((resolve) => {
      response.once("close", resolve);
      response.write(part, () => {
        response.off("close", resolve);
        resolve(undefined);
      });
    });
    logged.bytesSent += part.length;
    if (bytesPerSecond !== undefined) await sleep(PACE_MS);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      root: { type: "string", default: "dist" },
      prefix: { type: "string", default: "/" },
      hub: { type: "string" },
      port: { type: "string", default: "8080" },
    },
  });
  const { url } = await startServer({ ...values, port: Number(values.port) });
  process.stdout.write(`${url}\n`);
}
