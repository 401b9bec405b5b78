/** What a tree panel shows, whatever it is a tree of: texts that a student made, or those that a beam search looked at. */

import { fixed } from "./format.js";

/** @import { TokenKind } from "./protocol.js" */

/** @typedef {{ shown: string, spoken: string, kind: TokenKind }} TreeToken */

/**
 * A piece of text up to the next place where texts part.
 * @typedef {object} TreeNode
 * @property {string} id the same from picture to picture
 * @property {number} index of its first token among the new tokens
 * @property {TreeToken[]} tokens none at the prompt itself
 * @property {string[]} facts beside it, in words
 * @property {string[]} tags what it is, in a word
 * @property {boolean} marked on the path of the present text, or of the winning one
 * @property {{ label: string, spoken: string, run: () => void } | null} use what its button does
 * @property {{ token: TreeToken, index: number, facts: string[] }[]} dropped tokens that were looked at on its way and left
 * @property {TreeNode[]} children
 */

/** A logarithm of a chance, or a mean or sum of such. @param {number} value */
export const logarithm = (value) => fixed(value, 3);

/** @param {TreeNode[]} nodes @returns {TreeNode[]} with all below them, in their order */
export const allNodes = (nodes) => nodes.flatMap((node) => [node, ...allNodes(node.children)]);
