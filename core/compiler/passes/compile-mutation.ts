import { inDatabase } from '../../base/util/database-name.ts'
import { toSnakeCase, toWireName } from '../../base/util/naming.ts'
import type { CatalogFunction } from '../../contract/database.ts'
import type { AuthoredMutation } from '../../schema/authored.ts'
import type { CompiledFunction, CompiledMutation } from '../../schema/compiled.ts'
import type { CompileContext } from '../ground/context.ts'
import { compileArguments, rulesOf } from '../rules/compile-rules.ts'
import { type BoundCall, bindOffline, chooseCall } from './call-convention.ts'
import { splitName } from './describe-source.ts'
import { checkResult } from './function-result.ts'
import { whereItIs } from './where-it-is.ts'

/** An optional parameter of the function, with the value of `Prefer`: `merge-duplicates` or `ignore-duplicates`. */
const RESOLUTION = { name: 'resolution', type: 'String!' }

/**
 * Converts a mutation to its form in the compiled schema: finds its SQL function and decides how to call it.
 * @returns `null` after a fault that makes this impossible
 */
export function compileMutation(context: CompileContext, mutation: AuthoredMutation): CompiledMutation | null {
  const name = mutation.sql_source ?? inDatabase(mutation.database, `fn_${toSnakeCase(mutation.name)}`)
  const call = bind(context, mutation, name)
  if (call === null) return null
  const upsert = compileUpsert(context, mutation, (each, target) => bind(context, each, target))
  const { $place: _place, arguments: args, validate: _validate, call: _convention, ...kept } = mutation
  return {
    ...kept,
    ...rulesOf(context, mutation),
    wire_name: toWireName(mutation.name),
    arguments: compileArguments(context, args),
    operation: mutation.operation ?? 'CUSTOM',
    function: call.key,
    call: call.parameters,
    named_call: call.named,
    ...(upsert === undefined ? {} : { upsert }),
  }
}

/** Binds the arguments to a function. @returns the call, and the key of the function */
function bind(
  context: CompileContext,
  mutation: AuthoredMutation,
  name: string,
): (BoundCall & { readonly key: string }) | null {
  const call = context.catalog === null ? bindOffline(context, mutation) : bindOnline(context, mutation, name)
  if (call === null) return null
  const key = register(context, name, call.signature)
  if (call.signature !== null) checkResult(context, mutation, call.signature)
  return { ...call, key }
}

function bindOnline(context: CompileContext, mutation: AuthoredMutation, name: string): BoundCall | null {
  const overloads = context.catalog?.functions.get(name) ?? []
  if (overloads.length > 0) return chooseCall(context, mutation, name, overloads)
  const all = context.catalog?.allFunctions ?? []
  if (all.includes(name)) {
    context.report.fault(
      'unknown-function',
      `Mutation "${mutation.name}" cannot call "${name}": it is VARIADIC or a trigger function. Call it from a function with fixed parameters, and name that.`,
      mutation,
    )
    return null
  }
  const hint = context.catalog === null ? '' : whereItIs(context.catalog, 'function', name)
  const origin = mutation.sql_source === undefined ? ' (the default for its name; set sql_source for another)' : ''
  context.report.fault(
    'unknown-function',
    `Mutation "${mutation.name}": the database has no function "${name}"${origin}.${hint}`,
    mutation,
  )
  return null
}

/** @returns the key in `functions`. Overloads of one name that different mutations use have different keys */
function register(context: CompileContext, name: string, signature: CatalogFunction | null): string {
  const { database, schema, name: bare } = splitName(name)
  const described: CompiledFunction = {
    ...(database === undefined ? {} : { database }),
    ...(schema === undefined ? {} : { schema }),
    name: bare,
    kind: signature?.kind ?? 'unknown',
    ...(signature?.movesPath === true ? { moves_path: true } : {}),
    ...(signature?.yields === true ? { yields: true } : {}),
    parameters:
      signature?.parameters.map(({ name: parameter, type, hasDefault }) => ({
        name: parameter,
        type,
        has_default: hasDefault,
      })) ?? null,
    returns: signature?.returns ?? null,
  }
  const known = context.functions.get(name)
  if (known === undefined || JSON.stringify(known) === JSON.stringify(described)) {
    context.functions.set(name, described)
    return name
  }
  const key = `${name}(${described.parameters?.map((parameter) => parameter.type).join(', ')})`
  context.functions.set(key, described)
  return key
}

/**
 * Compiles the call of the function that REST uses for `Prefer: resolution=…` in place of the function of the mutation.
 * It gets the same arguments, and the resolution if it has a parameter for it.
 * @param bind binds the arguments of a mutation to the parameters of the named function; `null` when it reported a
 * fault
 * @returns `undefined` when there is no such function, or a fault was reported
 */
function compileUpsert(
  context: CompileContext,
  mutation: AuthoredMutation,
  bind: (mutation: AuthoredMutation, name: string) => (BoundCall & { readonly key: string }) | null,
): CompiledMutation['upsert'] {
  const { upsert_function: name, operation } = mutation
  if (name === undefined || operation !== 'CREATE') return undefined
  const overloads = context.catalog?.functions.get(name) ?? []
  const resolves =
    overloads.some(({ parameters }) => parameters.some((each) => /^(_?p_|_)?resolution$/.test(each.name ?? ''))) &&
    !(mutation.arguments ?? []).some((argument) => argument.name === RESOLUTION.name)
  const args = [...(mutation.arguments ?? []), ...(resolves ? [{ ...RESOLUTION, $place: mutation.$place }] : [])]
  const call = bind({ ...mutation, arguments: args }, name)
  if (call === null) return undefined
  return { function: call.key, call: call.parameters, named_call: call.named, resolves }
}
