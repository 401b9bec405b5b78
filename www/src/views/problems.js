/** What went wrong, in words, with what can be done about it. */

import { html, nothing } from "../../vendor/lit-html.js";
import { errorActions } from "../errors.js";
import { words } from "../words/errors.js";

/** @import { Actions } from "../actions.js" */
/** @import { ErrorAction } from "../errors.js" */
/** @import { Problem, State } from "../page-types.js" */

/** @param {State} state @param {Actions} actions */
export function problemsView({ problems, ignoredFromLink }, actions) {
  return html`
    ${
      ignoredFromLink.length === 0
        ? nothing
        : html`<section class="problem mild" aria-label=${words.linkNotice}>
          <p>${words.notTaken} <code>${ignoredFromLink.join(", ")}</code></p>
          <button type="button" class="quiet" @click=${actions.dismissLinkNotice}>${words.dismiss}</button>
        </section>`
    }
    ${problems.map((problem) => problemView(problem, actions))}
  `;
}

/** @param {Problem} problem @param {Actions} actions */
function problemView(problem, actions) {
  const { error } = problem;
  const { title, advice } = words.codes[error.code];
  const { expected, found, subject, status, url } = error.details;
  const details = [
    subject && [words.concerns, subject],
    expected && [words.expected, expected],
    found && [words.found, found],
    status && [words.status, String(status)],
    url && [words.address, url],
  ].filter((detail) => Array.isArray(detail));
  return html`<section class="problem" data-code=${error.code} aria-label=${title}>
    <h2>${title}</h2>
    <p>${error.message}</p>
    <p>${advice}</p>
    ${
      details.length === 0
        ? nothing
        : html`<details>
          <summary>${words.details}</summary>
          <dl>
            ${details.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
          </dl>
        </details>`
    }
    <p class="buttons">
      ${actionButton(errorActions[error.code], problem, actions)}
      <button type="button" class="quiet" @click=${() => actions.dismissProblem(problem)}>${words.dismiss}</button>
    </p>
  </section>`;
}

/** @param {ErrorAction} action @param {Problem} problem @param {Actions} actions */
function actionButton(action, problem, actions) {
  const needsSource = action === "retry" || action === "restart";
  if (action === "none" || (needsSource && problem.retry === null)) return nothing;
  if (action === "useAnyway" && problem.workerId === null) return nothing;
  const run = {
    retry: () => actions.retry(problem),
    restart: () => actions.retry(problem),
    editPrompt: () => document.getElementById("prompt")?.focus(),
    resetSettings: () => {
      actions.resetSettings();
      actions.dismissProblem(problem);
    },
    reloadPage: () => location.reload(),
    useAnyway: () => actions.useAnyway(problem),
  };
  return html`<button type="button" @click=${run[action]}>${words.actions[action]}</button>`;
}
