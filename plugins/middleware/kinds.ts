import { toWireName } from '../../core/doors/front.ts'

/** Kinds of the schema author's functions that this plugin runs. */
export const MIDDLEWARE = 'middleware'
export const BEFORE = 'before_mutation'
export const AFTER = 'after_mutation'

/**
 * Tests whether the option `name` of a hook means a mutation. Both spellings are accepted: `create_user` and
 * `createUser`.
 */
export function isNamed(mutation: string, name: string): boolean {
  return mutation === name || toWireName(mutation) === toWireName(name)
}
