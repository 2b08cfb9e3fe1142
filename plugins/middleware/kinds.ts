import { toWireName } from '../../core/doors/front.ts'

/** Kinds of the author's functions that this plugin runs. */
export const MIDDLEWARE = 'middleware'
export const BEFORE = 'before_mutation'
export const AFTER = 'after_mutation'

/** Does `name` of a hook refer to the mutation, in either spelling (`create_user`, `createUser`)? */
export function isNamed(mutation: string, name: string): boolean {
  return mutation === name || toWireName(mutation) === toWireName(name)
}
