import type { CallableOperation } from './prepared-tool.ts'

/** What people read: `booksByAuthor`, `open_orders` as words. */
export function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** What the model reads, where the author says nothing else. */
export function describeOperation(operation: CallableOperation): string {
  const text = operation.description ?? plainDescription(operation)
  return operation.deprecated === undefined ? text : `${text} Deprecated: ${operation.deprecated}`
}

function plainDescription(operation: CallableOperation): string {
  const { list, named } = operation
  const rows = list ? `rows of type ${named.name}` : `one ${named.name}`
  if (operation.kind === 'query') return `Reads ${rows}.`
  const verbs = { CREATE: 'Creates', UPDATE: 'Changes', DELETE: 'Deletes', CUSTOM: 'Runs an action and answers' }
  return `${verbs[operation.operation]} ${rows}.`
}

/** Hints about what a call does. They are for showing: nothing is guarded by them. */
export function annotationsOf(operation: CallableOperation): object {
  const closed = { openWorldHint: false }
  if (operation.kind === 'query') return { readOnlyHint: true, ...closed }
  return { readOnlyHint: false, destructiveHint: operation.operation !== 'CREATE', ...closed }
}
