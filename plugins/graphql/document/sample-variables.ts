import { type InputShape, type TypeRef, typeRefs } from '../../../core/doors/front.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import type { CompiledVariable } from '../selection/compiled-variable.ts'

/** Invented values for the variables of an operation, to plan it before its first request. */
export interface Sample {
  readonly values: Readonly<Record<string, unknown>>
  /** `true` if variables have invented values, which the database could reject. */
  readonly isMadeUp: boolean
}

/**
 * Invents values for the variables of an operation: one sample with all variables, and one with the required variables
 * only. Plans depend on which variables have a value. Filters and sort orders cannot be invented: optional ones are
 * omitted, and a required one yields no samples.
 * @param conditions names of the variables in `@skip` and `@include`, which are all true or all false
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

/** Does the sample need a value? A default is sufficient. */
function isNeeded(variable: CompiledVariable): boolean {
  return variable.required || variable.default !== undefined
}

/** @returns `null` when the plan depends on the structure of a required variable */
function valuesOf(variables: readonly CompiledVariable[], view: SchemaView): Record<string, unknown> | null {
  const values: Record<string, unknown> = {}
  for (const { name, type, default: byDefault, required } of variables) {
    const value = byDefault === undefined ? sampleOf(type, view.shape(typeRefs.namedTypeOf(type).name)) : byDefault
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

/** Sample values of scalars that are not strings. */
const SAMPLES: Readonly<Record<string, unknown>> = { Boolean: true, Int: 1, Float: 1 }
