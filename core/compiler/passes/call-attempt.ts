import { toSnakeCase } from '../../base/util/naming.ts'
import { nearest } from '../../base/util/nearest.ts'
import type { CatalogFunction } from '../../contract/database.ts'
import type { CompiledCallParameter } from '../../schema/compiled.ts'
import type { CallShape, CallSlot } from './call-slots.ts'

export interface CallFit {
  readonly ok: true
  readonly signature: CatalogFunction
  readonly parameters: readonly CompiledCallParameter[]
  readonly named: boolean
  /** Number of parameters of the SQL function that receive no value, so that their defaults apply. */
  readonly unfilled: number
  /**
   * Index of the argument layout (`CallShape`) in the list of layouts to try. Layouts with a lower index are preferred.
   */
  readonly rank: number
  /** `true` if one parameter of the SQL function receives all arguments as one JSON object. */
  readonly whole: boolean
}

export interface CallMisfit {
  readonly ok: false
  readonly signature: CatalogFunction
  readonly problem: string
  /**
   * Number of arguments for which a parameter was found. The compiler reports the failed attempt with the highest
   * number.
   */
  readonly matched: number
}

export type CallAttempt = CallFit | CallMisfit

interface Try {
  readonly shape: CallShape
  readonly injects: readonly CallSlot[]
  readonly rank: number
  /** Does the mutation have `call: "positional"`? */
  readonly positional: boolean
  readonly fits: (slot: CallSlot, type: string) => boolean
  /** Returns the type of the parameter for this value; `type` is the declared one. */
  readonly typeOf: (slot: CallSlot, type: string) => string
}

type Parameter = CatalogFunction['parameters'][number]

/**
 * Tries to match the arguments of a mutation to the parameters of a SQL function (one overload of it): by name, or by
 * position when the parameters have no names.
 */
export function attemptCall(signature: CatalogFunction, attempt: Try): CallAttempt {
  const { shape, injects } = attempt
  const slots = [...shape.explicit, ...injects]
  if (shape.style === 'jsonb') return wholeAsJson(signature, attempt)
  if (attempt.positional) return byPosition(signature, attempt, slots, 0)
  const targets = targetsByName(signature, slots)
  if (targets.size === slots.length && (slots.length > 0 || signature.parameters.length === 0)) {
    return byName(signature, attempt, targets)
  }
  const taken = signature.parameters.slice(0, slots.length)
  const unnamed = taken.length === 0 || taken.some((parameter) => parameter.name === null)
  if (unnamed && taken.every((parameter, i) => parameter.name === null || targets.get(slots[i]!) === parameter)) {
    return byPosition(signature, attempt, slots, targets.size)
  }
  const inOrder = byPosition(signature, attempt, slots, targets.size)
  return misfit(signature, targets.size, unmatchedProblem(signature, slots, targets, inOrder.ok))
}

/**
 * Matches values to parameters by name. A single unmatched JSON value is bound to the only unmatched JSON parameter.
 */
function targetsByName(signature: CatalogFunction, slots: readonly CallSlot[]): ReadonlyMap<CallSlot, Parameter> {
  const targets = new Map<CallSlot, Parameter>()
  for (const slot of slots) {
    const parameter = parameterFor(signature, slot, new Set(targets.values()))
    if (parameter !== undefined) targets.set(slot, parameter)
  }
  const [slot, ...more] = slots.filter((one) => !targets.has(one))
  if (slot?.json !== true || more.length > 0) return targets
  const free = signature.parameters.filter(
    (parameter) => isJsonType(parameter.type) && ![...targets.values()].includes(parameter),
  )
  if (free.length === 1 && free[0]!.name !== null) targets.set(slot, free[0]!)
  return targets
}

function byName(signature: CatalogFunction, attempt: Try, targets: ReadonlyMap<CallSlot, Parameter>): CallAttempt {
  const unfit = [...targets].find(([slot, parameter]) => !attempt.fits(slot, parameter.type))
  if (unfit !== undefined) return misfit(signature, targets.size - 1, typeProblem(...unfit))
  const filled = new Map([...targets].map(([slot, parameter]) => [parameter, slot]))
  const open = signature.parameters.find((parameter) => !filled.has(parameter) && !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, targets.size, openProblem(open))
  const parameters = signature.parameters.flatMap((parameter) => {
    const slot = filled.get(parameter)
    return slot === undefined ? [] : [bound(attempt, parameter, slot)]
  })
  return {
    ok: true,
    signature,
    parameters,
    named: true,
    unfilled: signature.parameters.length - parameters.length,
    rank: attempt.rank,
    whole: false,
  }
}

/** Matches values to parameters by position: arguments in declared order, then claims. */
function byPosition(
  signature: CatalogFunction,
  attempt: Try,
  slots: readonly CallSlot[],
  matched: number,
): CallAttempt {
  const { parameters } = signature
  if (slots.length > parameters.length) {
    const labels = slots.map((slot) => slot.label).join(', ')
    return misfit(
      signature,
      matched,
      `the mutation has ${slots.length} values for ${parameters.length} parameters (${labels}).`,
    )
  }
  for (const [i, slot] of slots.entries()) {
    const parameter = parameters[i]
    if (parameter !== undefined && !attempt.fits(slot, parameter.type)) {
      return misfit(signature, matched, typeProblem(slot, parameter))
    }
  }
  const open = parameters.slice(slots.length).find((parameter) => !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, matched, openProblem(open))
  return {
    ok: true,
    signature,
    parameters: slots.flatMap((slot, i) => (parameters[i] === undefined ? [] : [bound(attempt, parameters[i], slot)])),
    named: false,
    unfilled: parameters.length - slots.length,
    rank: attempt.rank,
    whole: false,
  }
}

/** Describes the unmatched values and parameters, with the most similar name of the other side. */
function unmatchedProblem(
  { parameters }: CatalogFunction,
  slots: readonly CallSlot[],
  targets: ReadonlyMap<CallSlot, Parameter>,
  inOrder: boolean,
): string {
  const taken = new Set(targets.values())
  const free = parameters.filter((parameter) => !taken.has(parameter))
  const names = free.flatMap((parameter) => (parameter.name === null ? [] : [bare(parameter.name)]))
  const strangers = slots
    .filter((slot) => !targets.has(slot))
    .map((slot) => {
      const near = nearest(slot.name, names)
      return near === null ? `"${slot.label}"` : `"${slot.label}" (did you mean "${near}"?)`
    })
  const open = free.map(({ name, type, hasDefault }) => `${name ?? type}${hasDefault ? ' (has a default)' : ''}`)
  const left = open.length === 0 ? 'All its parameters are taken.' : `Parameters without a value: ${open.join(', ')}.`
  const way = inOrder
    ? ' Rename one side, or set call: "positional" on the mutation to bind its values in the order they are declared.'
    : ''
  return `it has no parameter for ${strangers.join(', ')}. ${left} They go together by name, with or without "p_".${way}`
}

/** Binds all arguments as one JSON object, when a single JSON parameter remains besides the claims. */
function wholeAsJson(signature: CatalogFunction, attempt: Try): CallAttempt {
  const { shape } = attempt
  const [whole] = shape.explicit
  const claims = new Map<Parameter, CallSlot>()
  for (const slot of attempt.injects) {
    const parameter = parameterFor(signature, slot, new Set(claims.keys()))
    if (parameter !== undefined) claims.set(parameter, slot)
  }
  const rest = signature.parameters.filter((parameter) => !claims.has(parameter))
  const [only, ...others] = rest
  const positional = claims.size < attempt.injects.length
  if (whole === undefined || only === undefined || !attempt.fits(whole, only.type)) {
    return misfit(signature, 0, 'it has no JSON parameter that could take all arguments as one object.')
  }
  if (shape.strict && others.some((parameter) => parameter.hasDefault)) {
    return misfit(signature, 0, 'its JSON parameter is not the only one that could take an argument.')
  }
  if (positional) {
    const claimed = attempt.injects.map((slot, i) => [others[i], slot] as const)
    const fit =
      claimed.every(([parameter]) => parameter !== undefined) && others.length === claimed.length && claims.size === 0
    if (!fit)
      return misfit(signature, claims.size, 'its parameters do not fit one JSON object and the injected claims.')
    const tail = claimed.flatMap(([parameter, slot]) =>
      parameter === undefined ? [] : [bound(attempt, parameter, slot)],
    )
    const all = [bound(attempt, only, whole), ...tail]
    return { ok: true, signature, parameters: all, named: false, unfilled: 0, rank: attempt.rank, whole: true }
  }
  const open = others.find((parameter) => !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, claims.size, openProblem(open))
  const slots = new Map([...claims, [only, whole] as const])
  const parameters = signature.parameters.flatMap((parameter) => {
    const slot = slots.get(parameter)
    return slot === undefined ? [] : [bound(attempt, parameter, slot)]
  })
  const named = parameters.every((parameter) => parameter.name !== null)
  return { ok: true, signature, parameters, named, unfilled: others.length, rank: attempt.rank, whole: true }
}

function parameterFor(
  signature: CatalogFunction,
  slot: CallSlot,
  taken: ReadonlySet<Parameter>,
): Parameter | undefined {
  const free = signature.parameters.filter((parameter) => parameter.name !== null && !taken.has(parameter))
  return (
    free.find((parameter) => parameter.name === slot.name) ??
    free.find((parameter) => bare(parameter.name ?? '').toLowerCase() === slot.name.toLowerCase()) ??
    // `firstName` and `p_FirstName`, as object mappers write them.
    free.find((parameter) => toSnakeCase(bare(parameter.name ?? '')) === toSnakeCase(slot.name))
  )
}

function bare(name: string): string {
  return name.replace(/^_?p_/, '').replace(/^_/, '')
}

function bound({ typeOf }: Try, parameter: Parameter, slot: CallSlot): CompiledCallParameter {
  const type = typeOf(slot, parameter.type)
  return { name: parameter.name, type, has_default: parameter.hasDefault, value: slot.value }
}

function misfit(signature: CatalogFunction, matched: number, problem: string): CallMisfit {
  return { ok: false, signature, matched, problem }
}

export function isJsonType(type: string): boolean {
  return type === 'json' || type === 'jsonb'
}

function typeProblem(slot: CallSlot, parameter: Parameter): string {
  const what = slot.value.from === 'json' ? 'an input object, which needs a json or jsonb parameter' : 'of another type'
  return `"${slot.label}" is ${what}; the parameter ${parameter.name ?? ''} is ${parameter.type}.`
}

function openProblem({ name, type }: Parameter): string {
  return `nothing fills its parameter ${name ?? `of type ${type}`}${name === null ? '' : ` (${type})`}. Add an argument "${bare(name ?? 'value')}", inject it, or give it a default in SQL.`
}
