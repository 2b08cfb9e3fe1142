import type { SourceLocation } from '../schema/authored.ts'
import { brandOf, type Named, namedHandle } from './brand.ts'
import { markClass } from './class-element.ts'
import { bareMember } from './members.ts'
import { apart, type OptionRule, readOptions, rule, text } from './options.ts'
import { placeAbove } from './place.ts'
import { declare } from './registry.ts'
import { RULES_WANTED, type RuleSource, readRules, ruleProblem } from './rules.ts'
import type { ScalarFunctions } from './scalar-functions.ts'
import type { ClassMark } from './type.ts'
import type { ClassSource } from './type-source.ts'

/** Options of the decorator `@scalar` and the function `scalar()`. */
export interface ScalarOptions {
  /** Name in the schema. Default: the name of the class. */
  readonly name?: string
  readonly description?: string
  readonly specifiedByUrl?: string
  /**
   * The built-in scalar whose JSON format, filter operators and column type the custom scalar has. Default `String`.
   */
  readonly baseType?: Named<'scalar'>
  /** Validation rules for values that clients send. Allowed are pattern, length, range, enum, checksum, all and any. */
  readonly validationRules?: RuleSource
  /**
   * Expression over `value` that must be true for a value from a client, such as `value % 5 == 0`. It is checked after
   * `validationRules`.
   */
  readonly eloExpression?: string
}

/** Second argument of `scalar('Money', …)`: options and conversion functions of the scalar. */
export interface ScalarDefinition extends Omit<ScalarOptions, 'name'>, Partial<ScalarFunctions> {}

/** The object that `scalar('Money', …)` returns. Export it if it has functions, because the server imports them. */
export type ScalarHandle = Named<'scalar'> & Partial<ScalarFunctions>

const baseType = rule('scalar', 'a built-in scalar', (value) => {
  const brand = brandOf(value)
  return brand?.kind === 'scalar' && brand.builtin === true ? brand.name : undefined
})

const fn = rule('function', 'a function', (value) => (typeof value === 'function' ? value : undefined))

/** Conversion of the options of a custom scalar to keys of `schema.json`, with a check of their values. */
export const SCALAR_RULES = {
  name: apart,
  description: text('description'),
  specifiedByUrl: text('specified_by_url'),
  baseType: baseType('base_type'),
  validationRules: rule('rules', RULES_WANTED, readRules, ruleProblem)('validation_rules'),
  eloExpression: text('elo_expression'),
  serialize: fn('serialize'),
  parse: fn('parse'),
  parseLiteral: fn('parse_literal'),
} satisfies Record<keyof Required<ScalarOptions & ScalarFunctions>, OptionRule>

/**
 * Declares a custom scalar: `export const Money = scalar('Money', { baseType: Decimal, parse })`, or
 * `@scalar({ baseType: Decimal }) export class Money { static parse(value: unknown) { … }
 * }`. The base type of `@scalar` without options is String. A scalar with functions must be exported, because the
 * server imports them from its module.
 */
export function scalar(target: ClassSource, context: ClassDecoratorContext): void
export function scalar(options?: ScalarOptions): ClassMark
export function scalar(name: string, definition?: ScalarDefinition): ScalarHandle
export function scalar(first?: unknown, second?: unknown): unknown {
  const place = placeAbove(scalar)
  if (typeof first === 'string') {
    const definition: ScalarDefinition = second ?? {}
    const { serialize, parse, parseLiteral } = definition
    const functions = Object.entries({ serialize, parse, parseLiteral }).filter(([, value]) => value !== undefined)
    const handle = namedHandle('scalar', first, Object.fromEntries(functions))
    add(first, handle, definition, place)
    return handle
  }
  const mark = (target: object, context: unknown, options: ScalarOptions | undefined): void => {
    const name = markClass('scalar', 'scalar', target, context, options?.name, place)
    if (name !== null) add(name, target, options, place)
  }
  if (bareMember(second) !== null) return mark(first as object, second, undefined)
  return (target: object, context: unknown): void => mark(target, context, first as ScalarOptions | undefined)
}

function add(name: string, target: object, options: object | undefined, place: SourceLocation): void {
  declare({
    collection: 'custom_scalars',
    name,
    place,
    functions: target,
    emit: (scope) => {
      const mapped = readOptions(SCALAR_RULES, options, `scalar "${name}"`, (message) => scope.fault(place, message))
      const { serialize: _s, parse: _p, parse_literal: _l, ...data } = mapped
      return { name, ...data, ...(scope.locate(target) ?? {}) }
    },
  })
}
