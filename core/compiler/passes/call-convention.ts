import type { CatalogFunction } from '../../contract/database.ts'
import type { AuthoredMutation } from '../../schema/authored.ts'
import type { CompiledCallParameter } from '../../schema/compiled.ts'
import { isListRef } from '../../schema/type-ref.ts'
import { columnMismatch } from '../ground/column-type.ts'
import type { CompileContext } from '../ground/context.ts'
import type { TypeIndex } from '../ground/type-index.ts'
import { attemptCall, type CallAttempt, type CallFit, isJsonType } from './call-attempt.ts'
import { type CallSlot, callShapes, injectSlots } from './call-slots.ts'
import { checkEnumLabels } from './column-values.ts'

/** The type that a catalog gives to a parameter or column without a declared type. */
const UNDECLARED = 'unknown'

/** SQL types by built-in scalar. Texts and ids have none: they take the type of the parameter or column. */
const BY_BASE: Readonly<Record<string, string>> = {
  Int: 'int8',
  BigInt: 'int8',
  Float: 'float8',
  Decimal: 'numeric',
  Boolean: 'bool',
  DateTime: 'timestamptz',
  Date: 'date',
  Time: 'time',
  UUID: 'uuid',
}

export interface BoundCall {
  /** The chosen overload of the SQL function; `null`: compiled without a database catalog. */
  readonly signature: CatalogFunction | null
  readonly parameters: readonly CompiledCallParameter[]
  readonly named: boolean
}

/**
 * Decides how a mutation calls its SQL function. It tries every overload with every layout of the arguments, and
 * prefers matches by name, then the layout that leaves the fewest parameters to their defaults.
 * @param name name of the SQL function, for messages
 * @returns `null`: no overload fits, which is reported as a fault
 */
export function chooseCall(
  context: CompileContext,
  mutation: AuthoredMutation,
  name: string,
  overloads: readonly CatalogFunction[],
): BoundCall | null {
  const injects = injectSlots(mutation)
  const attempts = overloads.flatMap((signature) =>
    callShapes(context, mutation).map((shape, rank) =>
      attemptCall(signature, {
        shape,
        injects,
        rank,
        positional: mutation.call === 'positional',
        fits: (slot, type) => fits(context, slot, type),
        typeOf: (slot, type) => parameterType(context.index, slot, type),
      }),
    ),
  )
  const good = attempts.filter((attempt): attempt is CallFit => attempt.ok).toSorted(byPreference)
  const [best, second] = good
  if (best === undefined) {
    context.report.fault('function-arguments', explainFailure(mutation, name, attempts), mutation)
    return null
  }
  if (second !== undefined && second.signature !== best.signature && byPreference(best, second) === 0) {
    context.report.fault(
      'function-arguments',
      `Mutation "${mutation.name}": ${signatureText(name, best.signature)} and ${signatureText(name, second.signature)} fit equally well. ` +
        'Name the arguments like the parameters of the one that is meant.',
      mutation,
    )
    return null
  }
  checkLabels(context, mutation, name, best)
  return { signature: best.signature, parameters: best.parameters, named: best.named }
}

/** Warns of enum values that the enum type of their parameter lacks. */
function checkLabels(
  context: CompileContext,
  mutation: AuthoredMutation,
  name: string,
  { signature, parameters, named }: CallFit,
): void {
  const slots = callShapes(context, mutation).flatMap(({ explicit }) => explicit)
  for (const [i, { name: parameter, value }] of parameters.entries()) {
    const target = named ? signature.parameters.find((one) => one.name === parameter) : signature.parameters[i]
    const slot = slots.find((one) => isSameValue(one.value, value))
    if (slot?.ref == null) continue
    const place = `"${slot.label}" of mutation "${mutation.name}" (parameter ${parameter ?? i + 1} of ${name})`
    checkEnumLabels(context, slot.ref, target?.labels, place)
  }
}

function isSameValue(a: CallSlot['value'], b: CallSlot['value']): boolean {
  return a.from === b.from && a.from !== 'inject' && b.from !== 'inject' && a.path.join('.') === b.path.join('.')
}

/**
 * Decides without a database catalog how a mutation calls its SQL function: by position, in the declared order, with
 * injected claims last. An input object is passed as one JSON value. A warning tells the author about the assumption.
 */
export function bindOffline(context: CompileContext, mutation: AuthoredMutation): BoundCall {
  const [shape] = callShapes(context, mutation)
  const slots = [...(shape?.explicit ?? []), ...injectSlots(mutation)]
  if (slots.length > 1 && mutation.call !== 'positional') {
    const labels = slots.map((slot) => slot.label).join(', ')
    context.report.warn(
      'positional-call',
      `Mutation "${mutation.name}" is compiled without a database: ${labels} are bound in this order, whatever the ` +
        'parameters are called. Compile with the database, or set call: "positional".',
      mutation,
    )
  }
  const parameters = slots.map(({ value }) => ({ name: null, type: null, has_default: false, value }))
  return { signature: null, parameters, named: false }
}

function fits(context: CompileContext, slot: CallSlot, type: string): boolean {
  // Passing all arguments as one object is a guess, so it requires a parameter with a declared JSON type.
  if (slot.value.from === 'json') return isJsonType(type) || (type === UNDECLARED && slot.ref !== null)
  return slot.ref === null || columnMismatch(slot.ref, context.index, type) === null
}

/** Sorts matches by preference. One object of all arguments is the last choice: it would wrap a JSON argument again. */
function byPreference(a: CallFit, b: CallFit): number {
  return (
    Number(a.whole) - Number(b.whole) || Number(b.named) - Number(a.named) || a.unfilled - b.unfilled || a.rank - b.rank
  )
}

function explainFailure(mutation: AuthoredMutation, name: string, attempts: readonly CallAttempt[]): string {
  const failed = attempts.filter((attempt) => !attempt.ok).toSorted((a, b) => b.matched - a.matched)
  const [nearest] = failed
  const overloads = new Set(attempts.map((attempt) => attempt.signature)).size
  const which = overloads > 1 ? ` (the nearest of ${overloads} overloads)` : ''
  if (nearest === undefined) return `Mutation "${mutation.name}": ${name} cannot be called.`
  return `Mutation "${mutation.name}" cannot call ${signatureText(name, nearest.signature)}${which}: ${nearest.problem}`
}

/** `fn_create_user(p_name text, p_email text = default)` */
function signatureText(name: string, { parameters }: CatalogFunction): string {
  const list = parameters.map(
    (p) => `${p.name === null ? '' : `${p.name} `}${p.type}${p.hasDefault ? ' = default' : ''}`,
  )
  return `${name}(${list.join(', ')})`
}

/** The SQL type of a parameter. A parameter without a declared type gets that of its argument. */
function parameterType(index: TypeIndex, { ref, json }: CallSlot, type: string): string {
  if (type !== UNDECLARED || ref === null) return type
  if (json || isListRef(ref)) return 'json'
  const named = index.get(ref.name)
  if (named?.kind !== 'scalar') return type
  const { name, semantic } = named.base
  return BY_BASE[semantic?.base ?? name] ?? type
}
