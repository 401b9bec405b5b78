/**
 * Draws the icons of the installed page from www/offline/icons/icon.svg, in a browser (as the tests find it). To be run
 * when the drawing has changed; the pictures are kept in the repository.
 *
 *   node scripts/icons.mjs
 */
import { readFile, writeFile } from "node:fs/promises";
import { openBrowser } from "../tests/browser/driver.mjs";

const folder = new URL("../www/offline/icons/", import.meta.url);
/** Rounded on a clear ground where the picture is shown as it is; to the edge where the device cuts its own shape. */
const pictures = [
  { name: "icon-192.png", size: 192, rounded: true },
  { name: "icon-512.png", size: 512, rounded: true },
  { name: "maskable-512.png", size: 512, rounded: false },
  { name: "apple-touch-180.png", size: 180, rounded: false },
];

const drawing = await readFile(new URL("icon.svg", folder), "base64");
const browser = await openBrowser();
try {
  await browser.devTools("Emulation.setDefaultBackgroundColorOverride", { color: { r: 0, g: 0, b: 0, a: 0 } });
  for (const { name, size, rounded } of pictures) {
    const style = `display:block;width:${size}px;border-radius:${rounded ? "22%" : 0}`;
    await browser.open(
      `data:text/html,${encodeURIComponent(`<body style="margin:0"><img style="${style}" src="data:image/svg+xml;base64,${drawing}">`)}`,
    );
    const { data } = await browser.devTools("Page.captureScreenshot", {
      format: "png",
      clip: { x: 0, y: 0, width: size, height: size, scale: 1 },
    });
    await writeFile(new URL(name, folder), data, "base64");
  }
} finally {
  await browser.close();
}
