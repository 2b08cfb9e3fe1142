import type { CatalogFunction } from '../../front/database.ts'
import type { CompiledCallParameter } from '../../schema/compiled.ts'
import { didYouMean } from '../../util/nearest.ts'
import type { CallShape, CallSlot } from './call-slots.ts'

export interface CallFit {
  readonly ok: true
  readonly signature: CatalogFunction
  readonly parameters: readonly CompiledCallParameter[]
  readonly named: boolean
  /** Parameters that are left to their defaults. */
  readonly unfilled: number
  /** Place of the layout among those that come into question. */
  readonly rank: number
  /** All arguments as one JSON object. */
  readonly whole: boolean
}

export interface CallMisfit {
  readonly ok: false
  readonly signature: CatalogFunction
  readonly problem: string
  /** How near it was: values that found a parameter. */
  readonly matched: number
}

export type CallAttempt = CallFit | CallMisfit

interface Try {
  readonly shape: CallShape
  readonly injects: readonly CallSlot[]
  readonly rank: number
  readonly fits: (slot: CallSlot, type: string) => boolean
}

type Parameter = CatalogFunction['parameters'][number]

/** Tries one overload with one layout of the arguments: by name, else by position. */
export function attemptCall(signature: CatalogFunction, attempt: Try): CallAttempt {
  const { shape, injects } = attempt
  const slots = [...shape.explicit, ...injects]
  if (shape.style === 'jsonb') return wholeAsJson(signature, attempt)
  const targets = new Map<CallSlot, Parameter>()
  for (const slot of slots) {
    const parameter = parameterFor(signature, slot, new Set(targets.values()))
    if (parameter !== undefined) targets.set(slot, parameter)
  }
  if (targets.size === slots.length && (slots.length > 0 || signature.parameters.length === 0)) {
    return byName(signature, attempt, targets)
  }
  return byPosition(signature, attempt, slots, targets)
}

function byName(signature: CatalogFunction, attempt: Try, targets: ReadonlyMap<CallSlot, Parameter>): CallAttempt {
  const unfit = [...targets].find(([slot, parameter]) => !attempt.fits(slot, parameter.type))
  if (unfit !== undefined) return misfit(signature, targets.size - 1, typeProblem(...unfit))
  const filled = new Map([...targets].map(([slot, parameter]) => [parameter, slot]))
  const open = signature.parameters.find((parameter) => !filled.has(parameter) && !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, targets.size, openProblem(open))
  const parameters = signature.parameters.flatMap((parameter) => {
    const slot = filled.get(parameter)
    return slot === undefined ? [] : [bound(parameter, slot)]
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

/** Names that match some parameter, and not the one at their place, would make a call by position swap values. */
function byPosition(
  signature: CatalogFunction,
  attempt: Try,
  slots: readonly CallSlot[],
  targets: ReadonlyMap<CallSlot, Parameter>,
): CallAttempt {
  const { parameters } = signature
  const stranger = slots.find((slot) => !targets.has(slot))
  const free = parameters.filter((parameter) => ![...targets.values()].includes(parameter)).map((p) => p.name ?? '')
  const unknown =
    stranger === undefined
      ? ''
      : `it has no parameter for "${stranger.label}".${didYouMean(stranger.name, free.map(bare))} Parameters and arguments go together by name, with or without "p_".`
  if (slots.length > parameters.length) {
    const count = `the mutation has ${slots.length} values for ${parameters.length} parameters (${slots.map((slot) => slot.label).join(', ')})`
    return misfit(signature, targets.size, targets.size > 0 ? unknown : `${count}.`)
  }
  const swapped = slots.some((slot, i) => targets.has(slot) && targets.get(slot) !== parameters[i])
  if (swapped) return misfit(signature, targets.size, unknown)
  for (const [i, slot] of slots.entries()) {
    const parameter = parameters[i]
    if (parameter !== undefined && !attempt.fits(slot, parameter.type)) {
      return misfit(
        signature,
        targets.size,
        targets.size > 0 && !targets.has(slot) ? unknown : typeProblem(slot, parameter),
      )
    }
  }
  const open = parameters.slice(slots.length).find((parameter) => !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, targets.size, openProblem(open))
  return {
    ok: true,
    signature,
    parameters: slots.flatMap((slot, i) => (parameters[i] === undefined ? [] : [bound(parameters[i], slot)])),
    named: false,
    unfilled: parameters.length - slots.length,
    rank: attempt.rank,
    whole: false,
  }
}

/** All arguments as one JSON object, where only one JSON parameter is left beside the claims. */
function wholeAsJson(signature: CatalogFunction, attempt: Try): CallAttempt {
  const [whole] = attempt.shape.explicit
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
  if (positional) {
    const claimed = attempt.injects.map((slot, i) => [others[i], slot] as const)
    const fit =
      claimed.every(([parameter]) => parameter !== undefined) && others.length === claimed.length && claims.size === 0
    if (!fit)
      return misfit(signature, claims.size, 'its parameters do not fit one JSON object and the injected claims.')
    const tail = claimed.flatMap(([parameter, slot]) => (parameter === undefined ? [] : [bound(parameter, slot)]))
    const all = [bound(only, whole), ...tail]
    return { ok: true, signature, parameters: all, named: false, unfilled: 0, rank: attempt.rank, whole: true }
  }
  const open = others.find((parameter) => !parameter.hasDefault)
  if (open !== undefined) return misfit(signature, claims.size, openProblem(open))
  const slots = new Map([...claims, [only, whole] as const])
  const parameters = signature.parameters.flatMap((parameter) => {
    const slot = slots.get(parameter)
    return slot === undefined ? [] : [bound(parameter, slot)]
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
    free.find((parameter) => bare(parameter.name ?? '').toLowerCase() === slot.name.toLowerCase())
  )
}

function bare(name: string): string {
  return name.replace(/^_?p_/, '').replace(/^_/, '')
}

function bound(parameter: Parameter, slot: CallSlot): CompiledCallParameter {
  return { name: parameter.name, type: parameter.type, has_default: parameter.hasDefault, value: slot.value }
}

function misfit(signature: CatalogFunction, matched: number, problem: string): CallMisfit {
  return { ok: false, signature, matched, problem }
}

function typeProblem(slot: CallSlot, parameter: Parameter): string {
  const what = slot.value.from === 'json' ? 'an input object, which needs a json or jsonb parameter' : 'of another type'
  return `"${slot.label}" is ${what}; the parameter ${parameter.name ?? ''} is ${parameter.type}.`
}

function openProblem({ name, type }: Parameter): string {
  return `nothing fills its parameter ${name ?? `of type ${type}`}${name === null ? '' : ` (${type})`}. Add an argument "${bare(name ?? 'value')}", inject it, or give it a default in SQL.`
}
