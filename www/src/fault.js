/** @import { PageError } from "./messages.js" */

/** A fault that has a code and a sentence for people; errors.js adds a title and advice by the code. */
export class Fault extends Error {
  /**
   * @param {PageError["code"]} code
   * @param {string} message one sentence
   * @param {PageError["details"]} [details]
   */
  constructor(code, message, details = {}) {
    super(message);
    this.name = "Fault";
    this.code = code;
    this.details = details;
  }

  /**
   * @param {PageError} error as it came over the wire
   */
  static from(error) {
    return new Fault(error.code, error.message, error.details);
  }

  /**
   * What can cross between worker and page.
   *
   * @returns {PageError}
   */
  asPageError() {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/**
 * Tells a fault with a code, of this page or thrown by the engine, from a defect.
 *
 * @param {unknown} error
 * @returns {PageError | null}
 */
export function pageErrorOf(error) {
  if (error instanceof Fault) return error.asPageError();
  if (typeof error !== "object" || error === null) return null;
  const candidate = /** @type {Partial<PageError>} */ (error);
  if (typeof candidate.code !== "string" || typeof candidate.message !== "string") return null;
  return { code: candidate.code, message: candidate.message, details: candidate.details ?? {} };
}
