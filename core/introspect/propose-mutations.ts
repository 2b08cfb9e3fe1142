import type { ModelFunction } from '../contract/database-model.ts'
import type { AuthoredArgument, AuthoredMutation } from '../schema/authored.ts'
import { isIdType, scalarOfColumn } from './column-scalar.ts'
import { descriptionOf } from './description-of.ts'
import { camelName, isConventional } from './name-fields.ts'
import { NameTable } from './names/name-table.ts'
import { wordsOf } from './names/words.ts'
import type { ProposeOptions } from './proposal.ts'
import { qualified, sourceOf, sourceProblem } from './qualified.ts'
import type { Layout } from './subject.ts'

/**
 * Returns a mutation for each database function that writes, if the option `writes` is set. Functions without a
 * mutation are added to the layout's report.
 */
export function proposeMutations(
  layout: Layout,
  functions: readonly ModelFunction[],
  { writes = false, schemas }: ProposeOptions,
): readonly AuthoredMutation[] {
  const table = new NameTable()
  const seen = new Set<string>()
  return functions.flatMap((fn) => {
    if (schemas !== undefined && fn.schema !== undefined && !schemas.includes(fn.schema)) return []
    const name = signatureOf(fn)
    const reason =
      reasonOf(fn, writes) ?? (seen.has(qualified(fn)) ? 'is an overload of a function with a mutation' : null)
    const mutation = reason === null ? mutationOf(layout, fn) : { reason }
    if ('reason' in mutation) {
      layout.report.push({ kind: fn.kind, name, reason: mutation.reason })
      return []
    }
    seen.add(qualified(fn))
    const given = table.claim(mutation.name)
    if (given !== mutation.name) layout.report.push({ kind: fn.kind, name, newName: given })
    return [{ ...mutation, name: given }]
  })
}

/** Returns the name with the types of the parameters, as `SkippedObject` has it. */
function signatureOf(fn: ModelFunction): string {
  return `${qualified(fn)}(${fn.parameters.map(({ sqlType }) => sqlType).join(', ')})`
}

function reasonOf(fn: ModelFunction, writes: boolean): string | null {
  if (!fn.executable) return 'cannot be executed with the privileges of the role'
  if (fn.kind === 'function' && fn.volatility !== 'volatile') return readReason(fn)
  if (!writes) return 'may write'
  return sourceProblem(fn)
}

/** Queries read views and tables (decision 177). A view has no arguments. */
function readReason({ parameters, returns }: ModelFunction): string {
  if (parameters.some(({ hasDefault }) => !hasDefault))
    return 'reads, and queries read tables and views: write a view with its arguments as columns'
  return returns.set || returns.kind === 'composite'
    ? 'reads, and queries read tables and views: select from it in a view'
    : 'returns a value that no query can read: select it in a view'
}

function mutationOf(layout: Layout, fn: ModelFunction): AuthoredMutation | { readonly reason: string } {
  const args: AuthoredArgument[] = []
  const inputs = fn.parameters
  const isPositional = inputs.some(({ name }) => name === null || name === '' || !isNamed(name))
  for (const [i, parameter] of inputs.entries()) {
    if (parameter.variadic === true) return { reason: 'is VARIADIC' }
    const type = typeOf(layout, parameter)
    if (type === null) return { reason: `has a parameter of the type ${parameter.sqlType}` }
    const name = parameter.name === null || parameter.name === '' ? `arg${i + 1}` : argumentName(parameter.name)
    if (args.some((other) => other.name === name)) return { reason: `has two parameters with the name ${name}` }
    args.push({ name, type: parameter.hasDefault && !isPositional ? type : `${type}!` })
  }
  const result = resultOf(layout, fn)
  if (typeof result !== 'string') return result
  return {
    name: camelName(fn.name.replace(/^fn_(?=.)/, '')),
    type: result,
    ...descriptionOf(fn.comment),
    ...(args.length === 0 ? {} : { arguments: args }),
    sql_source: sourceOf(fn),
    ...(isPositional && args.length > 0 ? { call: 'positional' as const } : {}),
  }
}

function resultOf(layout: Layout, { kind, yields, returns }: ModelFunction): string | { readonly reason: string } {
  if (kind === 'procedure' && yields !== true) {
    return returns.columns.length === 0 ? 'Boolean!' : { reason: 'has OUT parameters, which no type of the schema has' }
  }
  if (returns.kind === 'void') return 'Boolean!'
  if (returns.relation !== undefined) {
    const subject = layout.subjectOf(returns.relation)
    if (subject === undefined)
      return { reason: `returns rows of ${qualified(returns.relation)}, which is not in the schema` }
    return returns.set ? `[${subject.type}!]!` : subject.type
  }
  if (returns.kind === 'composite') return { reason: 'returns columns that no type of the schema has' }
  const found = scalarOfColumn({ type: returns.type, sqlType: returns.type })
  if ('reason' in found || found.scalar === 'GeoJSON') return { reason: `returns ${returns.type}` }
  const scalar = found.list ? `[${found.scalar}]` : found.scalar
  return returns.set ? `[${scalar}]!` : scalar
}

function typeOf(
  layout: Layout,
  { name: parameter, type, sqlType, enum: name }: ModelFunction['parameters'][number],
): string | null {
  const own = name === undefined ? null : layout.enums.use(name)
  if (own !== null) return type.startsWith('_') ? `[${own}]` : own
  const found = scalarOfColumn({ type, sqlType })
  if ('reason' in found || found.scalar === 'GeoJSON') return null
  if (found.list) return `[${found.scalar}!]`
  return isIdType(type) && wordsOf(parameter ?? '').at(-1) === 'id' ? 'ID' : found.scalar
}

/** Returns the name of the argument for a parameter, without the prefix `p_`. */
function argumentName(parameter: string): string {
  return camelName(parameter.replace(/^_?p_(?=.)/, ''))
}

function isNamed(parameter: string): boolean {
  const bare = parameter.replace(/^_?p_(?=.)/, '')
  return isConventional(camelName(parameter), parameter, []) || isConventional(camelName(bare), bare, [])
}
