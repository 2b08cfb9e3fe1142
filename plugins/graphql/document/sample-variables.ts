import { type InputShape, namedTypeOf, type TypeRef } from '../../../core/doors/front.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import type { CompiledVariable } from '../selection/compiled-variable.ts'

/** Variables as a request may send them. */
export interface Sample {
  readonly values: Readonly<Record<string, unknown>>
  /** A value in it may be one that a request would be refused for. */
  readonly isMadeUp: boolean
}

/**
 * Variables that stand for what requests may send: what may be left out is left out, and all is there. A plan follows what is
 * there and not what it says, apart from the structure of filters and the keys of an order, which nobody can guess: such a
 * variable is left out, or, where it has to be there, there are no samples.
 * @param conditions names of the variables of `@skip` and `@include`: all true, and all false
 */
export function sampleVariables(
  variables: readonly CompiledVariable[],
  conditions: readonly string[],
  view: SchemaView,
): readonly Sample[] {
  const decided = new Set(conditions)
  const others = variables.filter(({ name }) => !decided.has(name))
  const needed = others.filter(isNeeded)
  const least = valuesOf(needed, view)
  const all = valuesOf(others, view)
  if (least === null || all === null) return []
  const samples = [{ values: least, isMadeUp: needed.some(({ required }) => required) }]
  if (needed.length < others.length) samples.push({ values: all, isMadeUp: true })
  if (conditions.length === 0) return samples
  return [true, false].flatMap((answer) =>
    samples.map(({ values, isMadeUp }) => ({
      values: { ...values, ...Object.fromEntries(conditions.map((name) => [name, answer])) },
      isMadeUp,
    })),
  )
}

/** A default is as good as a value. */
function isNeeded(variable: CompiledVariable): boolean {
  return variable.required || variable.default !== undefined
}

/** @returns `null`: one that is required has a structure that decides */
function valuesOf(variables: readonly CompiledVariable[], view: SchemaView): Record<string, unknown> | null {
  const values: Record<string, unknown> = {}
  for (const { name, type, default: byDefault, required } of variables) {
    const value = byDefault === undefined ? sampleOf(type, view.shape(namedTypeOf(type).name)) : byDefault
    if (value !== undefined) values[name] = value
    else if (required) return null
  }
  return values
}

function sampleOf(type: TypeRef, shape: InputShape | undefined): unknown {
  if (shape === undefined || shape.kind === 'object') return undefined
  if (type.kind === 'list') {
    const item = sampleOf(type.of, shape)
    return item === undefined ? undefined : [item]
  }
  if (shape.kind === 'enum') return shape.values.values().next().value
  return SAMPLES[shape.base ?? ''] ?? '1'
}

/** Samples of the scalars whose values are no text. */
const SAMPLES: Readonly<Record<string, unknown>> = { Boolean: true, Int: 1, Float: 1 }
