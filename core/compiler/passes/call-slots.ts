import { toSnakeCase } from '../../base/util/naming.ts'
import type { AuthoredMutation } from '../../schema/authored.ts'
import type { CompiledCallParameter } from '../../schema/compiled.ts'
import { isListRef, namedTypeOf, parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import type { CompileContext } from '../ground/context.ts'
import type { TypeIndex } from '../ground/type-index.ts'

/**
 * A value that a mutation passes to a parameter of its SQL function: an argument, a field of an input, or a token
 * claim.
 */
export interface CallSlot {
  /** Name that the SQL parameter should have, in snake_case. The parameter may also have the prefix `p_`. */
  readonly name: string
  /** Name of the value in messages: `input.title`. */
  readonly label: string
  readonly value: CompiledCallParameter['value']
  /** GraphQL type of the value; `null`: unknown, for a claim or for all arguments as one JSON value. */
  readonly ref: TypeRef | null
  /** `true` if the value is passed as JSON: an input object, a list of input objects, or a `JSON` scalar. */
  readonly json: boolean
}

/**
 * A way to pass a mutation's arguments to its SQL function: as declared (`arguments`), with one parameter per input
 * field (`flatten`), or all in one JSON parameter (`jsonb`).
 */
export interface CallShape {
  readonly style: 'arguments' | 'flatten' | 'jsonb'
  readonly explicit: readonly CallSlot[]
  /**
   * `true`: the function must not have parameters in addition to the JSON one, not even with defaults. Only for the
   * style `jsonb`.
   */
  readonly strict: boolean
}

/**
 * Returns the ways in which svc may pass the arguments of a mutation to its SQL function. The option `input_style` of the
 * mutation limits them. The preferred way is the first.
 */
export function callShapes(context: CompileContext, mutation: AuthoredMutation): readonly CallShape[] {
  const args = mutation.arguments ?? []
  const plain = args.map((argument) => slotOf(context.index, [argument.name], argument.type))
  const hasInput = args.some((argument) => isInputObject(context.index, argument.type))
  const flat = args.flatMap((argument) => flatten(context.index, argument.name, argument.type))
  const whole: CallSlot = {
    name: 'input',
    label: 'all arguments',
    value: { from: 'json', path: [] },
    ref: null,
    json: true,
  }
  const shapes: Record<CallShape['style'], CallShape> = {
    arguments: { style: 'arguments', explicit: plain, strict: false },
    flatten: { style: 'flatten', explicit: flat, strict: false },
    jsonb: {
      style: 'jsonb',
      explicit: [whole],
      strict: mutation.input_style !== 'jsonb' && plain.some((slot) => slot.json),
    },
  }
  if (mutation.input_style === 'flatten') return [shapes.flatten]
  if (mutation.input_style === 'jsonb') return hasInput ? [shapes.arguments, shapes.jsonb] : [shapes.jsonb]
  if (args.length === 0) return [shapes.arguments]
  return hasInput ? [shapes.arguments, shapes.flatten, shapes.jsonb] : [shapes.arguments, shapes.jsonb]
}

/** Returns the token claims that a mutation passes to its SQL function (`inject`), in declared order. */
export function injectSlots(mutation: AuthoredMutation): readonly CallSlot[] {
  return Object.entries(mutation.inject ?? {}).map(([parameter, source]) => ({
    name: toSnakeCase(parameter),
    label: `inject ${parameter}`,
    value: { from: 'inject', source },
    ref: null,
    json: false,
  }))
}

function isInputObject(index: TypeIndex, type: string): boolean {
  const ref = parseTypeRef(type)
  return ref !== null && !isListRef(ref) && index.get(ref.name)?.kind === 'input'
}

function flatten(index: TypeIndex, argument: string, type: string): readonly CallSlot[] {
  const ref = parseTypeRef(type)
  const named = ref === null || isListRef(ref) ? undefined : index.get(ref.name)
  if (named?.kind !== 'input') return [slotOf(index, [argument], type)]
  return named.element.fields.map((field) => slotOf(index, [argument, field.name], field.type))
}

function slotOf(index: TypeIndex, path: readonly string[], type: string): CallSlot {
  const ref = parseTypeRef(type)
  const named = ref === null ? undefined : index.get(namedTypeOf(ref).name)
  const input = named?.kind === 'input'
  return {
    name: toSnakeCase(path.at(-1) ?? ''),
    label: path.join('.'),
    value: { from: input ? 'json' : 'argument', path },
    ref,
    json: input || (named?.kind === 'scalar' && named.base.group === 'json'),
  }
}
