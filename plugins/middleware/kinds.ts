import { toWireName } from '../../core/doors/front.ts'

/** Kinds of the author's functions that this plugin runs. */
export const MIDDLEWARE = 'middleware'
export const BEFORE = 'before_mutation'
export const AFTER = 'after_mutation'

/** Tests whether the `name` option of a hook refers to a mutation, in either spelling (`create_user`, `createUser`). */
export function isNamed(mutation: string, name: string): boolean {
  return mutation === name || toWireName(mutation) === toWireName(name)
}
