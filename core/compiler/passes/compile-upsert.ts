import type { AuthoredMutation } from '../../schema/authored.ts'
import type { CompiledMutation } from '../../schema/compiled.ts'
import type { CompileContext } from '../context.ts'
import type { BoundCall } from './call-convention.ts'

/** An optional parameter of the function, with the value of `Prefer`: `merge-duplicates` or `ignore-duplicates`. */
const RESOLUTION = { name: 'resolution', type: 'String!' }

/**
 * Compiles the call of the function that REST uses for `Prefer: resolution=…` instead of the mutation's own function. It
 * gets the same arguments, and the resolution if it has a parameter for it.
 * @param bind binds the arguments of a mutation to the parameters of the named function; `null` when it reported a fault
 * @returns `undefined` when there is no such function, or a fault was reported
 */
export function compileUpsert(
  context: CompileContext,
  mutation: AuthoredMutation,
  bind: (mutation: AuthoredMutation, name: string) => (BoundCall & { readonly key: string }) | null,
): CompiledMutation['upsert'] {
  const { upsert_function: name, operation } = mutation
  if (name === undefined) return undefined
  if (operation !== 'CREATE') {
    const message = `Mutation "${mutation.name}" has an upsert_function, which is called for rows that are sent to be created: its operation has to be CREATE.`
    context.report.fault('rest', message, mutation)
    return undefined
  }
  const overloads = context.catalog?.functions.get(name) ?? []
  const resolves =
    overloads.some(({ parameters }) => parameters.some((each) => /^(_?p_|_)?resolution$/.test(each.name ?? ''))) &&
    !(mutation.arguments ?? []).some((argument) => argument.name === RESOLUTION.name)
  const args = [...(mutation.arguments ?? []), ...(resolves ? [{ ...RESOLUTION, $place: mutation.$place }] : [])]
  const call = bind({ ...mutation, arguments: args }, name)
  if (call === null) return undefined
  return { function: call.key, call: call.parameters, named_call: call.named, resolves }
}
