/** The used members of a path in the syntax tree that Babel walks. */
export interface TreePath {
  readonly node: {
    readonly type: string
    readonly value?: unknown
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
    readonly key?: { readonly name?: string }
    readonly callee?: {
      readonly name?: string
      readonly property?: { readonly name?: string }
    }
  }
  readonly parentPath: TreePath | null
}

/** Keys of options and of errors whose values are sentences. */
const KEYS = new Set(['description', 'message', 'hint', 'title', 'summary', 'reason'])
const LOG = new Set(['trace', 'debug', 'info', 'warn', 'error'])

/**
 * Sentences of descriptions, errors and the log, and examples of options. Removing one changes only texts for people,
 * and they would be half of all mutants. Words without a space stay: codes, claims, headers, directives.
 */
export function isTextForPeople(path: TreePath): boolean {
  if (path.node.type === 'ObjectProperty' && path.node.key?.name === 'examples') return true
  const text = textOf(path.node)
  if (text === null || !text.trim().includes(' ')) return false
  for (let above = path.parentPath; above !== null; above = above.parentPath) {
    const { type, key, callee } = above.node
    if (type === 'ObjectProperty') return KEYS.has(key?.name ?? '')
    if (type === 'NewExpression') return /(?:Error|Refused)$/.test(callee?.name ?? '')
    if (type === 'CallExpression') return LOG.has(callee?.property?.name ?? '')
    // Parts of one sentence.
    if (!['BinaryExpression', 'ConditionalExpression', 'TemplateLiteral'].includes(type)) return false
  }
  return false
}

function textOf({ type, value, quasis }: TreePath['node']): string | null {
  if (type === 'StringLiteral') return String(value)
  if (type === 'TemplateLiteral') return (quasis ?? []).map((part) => part.value.raw).join('')
  return null
}
