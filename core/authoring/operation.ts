import type { SourceLocation } from '../schema/authored.ts'
import { withMarks } from './access-marks.ts'
import { brandOf } from './brand.ts'
import { VALIDATE } from './field-options.ts'
import { bareMember, decoratorFault } from './members.ts'
import type { OperationKeyOptions } from './option-interfaces.ts'
import {
  either,
  extra,
  flag,
  isPlainObject,
  json,
  type OptionRule,
  type OptionRules,
  oneOf,
  readOptions,
  record,
  rule,
  text,
  textOrTexts,
} from './options.ts'
import { declare, type EmitScope, reportFault, takeOrder } from './registry.ts'
import { declareValidators, type RuleSource } from './rules.ts'
import { isWrapped, type TypeSource } from './type-source.ts'

/** Declares an argument of an operation: its type, or an object with its type and options. */
export type ArgumentSource =
  | TypeSource
  | {
      readonly type: TypeSource
      /** Makes the argument optional for the client. */
      readonly default?: unknown
      readonly description?: string
      readonly deprecated?: string
      /** Validation rules for its value, checked before any SQL runs. */
      readonly validate?: RuleSource
      /** For a query: search a `tsvector` column for the value, instead of comparing a field with it. */
      readonly fullText?: string | FullTextOptions
    }

/** Options of an argument whose text selects rows by full-text search. */
export interface FullTextOptions {
  readonly column: string
  /**
   * How the database reads the search text of the client, as in PostgreSQL's `plainto_tsquery` and its variants.
   * Default `plain`: rows must contain all words.
   */
  readonly query?: 'plain' | 'phrase' | 'websearch'
  /** Text search configuration of PostgreSQL, which determines stemming and stop words. Default `english`. */
  readonly config?: string
  /** `true`: sorts the rows by relevance, best match first, if the client sends no `orderBy`. Default `false`. */
  readonly rank?: boolean
}

/** Options that queries, mutations and subscriptions share (docs/reference/authoring.md#all-three). */
export interface OperationOptions extends OperationKeyOptions {
  readonly description?: string
  /** Reason for the deprecation, which clients see. Name the replacement in it. */
  readonly deprecated?: string
  readonly args?: Readonly<Record<string, ArgumentSource>>
  /** Validation rules over several arguments of the operation: `{ oneOf: ['email', 'phone'] }`. */
  readonly validate?: RuleSource
  /** The view or table that a query reads, or the SQL function that a mutation calls. */
  readonly sqlSource?: string
  /**
   * Fills SQL parameters with claims of the caller's token: `{ owner_id: 'jwt:sub' }`. Clients never see or set these
   * parameters.
   */
  readonly inject?: Readonly<Record<string, `jwt:${string}`>>
  /** Role that the caller must have. Of a list, the caller needs one role. */
  readonly requiresRole?: string | readonly string[]
  /** Scope that the caller must have. Separate several scopes by spaces; the caller needs all of them. */
  readonly requiresScope?: string
  /** Name of the policy in `[[security.policies]]` of svc.toml that allows or denies calls of the operation. */
  readonly requiresPolicy?: string
  readonly authenticated?: boolean
  readonly apiKeyRequired?: boolean
  /** `true`: clients may call the operation without a credential, even if `security.default_policy` requires one. */
  readonly public?: boolean
  /**
   * Name of the database in `[databases]` of svc.toml that runs the operation. Default: the database of the result
   * type.
   */
  readonly database?: string
  /**
   * Keys of plugins for this operation that have no option of their own, spelled as in `schema.json`:
   * `{ label: 'Customer' }`.
   */
  readonly extra?: Readonly<Record<string, unknown>>
}

export const injectMap = rule('claims', 'an object like { owner_id: "jwt:sub" }', (value) => {
  if (!isPlainObject(value)) return undefined
  const sources = Object.values(value)
  return sources.every((one) => typeof one === 'string' && /^jwt:./.test(one)) ? { ...value } : undefined
})

const argumentMap = rule('arguments', 'an object like { id: ID }', (value) =>
  isPlainObject(value) ? value : undefined,
)

/** Conversion of the options of an operation to keys of `schema.json`, in the order in which the keys are written. */
export const OPERATION_RULES = {
  description: text('description'),
  deprecated: text('deprecated'),
  args: argumentMap('arguments'),
  validate: VALIDATE,
  sqlSource: text('sql_source'),
  inject: injectMap('inject'),
  requiresRole: textOrTexts('requires_role'),
  requiresScope: text('requires_scope'),
  requiresPolicy: text('requires_policy'),
  authenticated: flag('authenticated'),
  apiKeyRequired: flag('api_key_required'),
  public: flag('public'),
  database: text('database'),
  extra,
} satisfies Record<Exclude<keyof OperationOptions, keyof OperationKeyOptions>, OptionRule>

/** Conversion of the options of an argument to keys of `schema.json`, with a check of their values. */
export const ARGUMENT_RULES = {
  description: text('description'),
  deprecated: text('deprecated'),
  default: json('default'),
  validate: VALIDATE,
  fullText: either(
    text,
    record(
      {
        column: text('column'),
        query: oneOf('plain', 'phrase', 'websearch')('query'),
        config: text('config'),
        rank: flag('rank'),
      },
      ['column'],
    ),
  )('full_text'),
}

/**
 * The properties in which `query()`, `arrowQuery()`, `mutation()` and `subscription()` differ, for `declareOperation`,
 * which all of them call.
 */
export interface OperationForm {
  readonly collection: 'queries' | 'mutations' | 'subscriptions'
  readonly word: string
  readonly rules: OptionRules
  /** Keys and values that svc adds to each operation of this form in `schema.json`, such as `dataplane: 'arrow'`. */
  readonly keys?: Readonly<Record<string, unknown>>
}

/**
 * The decorator that `query()`, `mutation()` and others return. It can decorate a member of any class; the operation
 * gets the member's name.
 */
export type OperationMark = (value: unknown, context: ClassMemberDecoratorContext) => void

/**
 * Arguments of `query()`, `mutation()` and others, for both forms: decorator (type, options) and plain function (name,
 * type, options). It is one signature, because with overloads TypeScript reports a wrong option as "No overload
 * matches".
 */
export type OperationArguments<First, Options> = First extends string
  ? readonly [name: First, result: TypeSource, options?: Options]
  : readonly [result: First, options?: Options]

export type OperationResult<First> = First extends string ? void : OperationMark

/**
 * Declares an operation for `query()`, `mutation()` and others, in either form: decorator (type, options) or plain
 * function (name, type, options).
 * @param args arguments of the author's call
 * @returns the decorator, for the first form; otherwise `undefined`
 */
export function declareOperation(form: OperationForm, args: readonly unknown[], place: SourceLocation): unknown {
  const [first, second, third] = args
  const bare = bareMember(second)
  if (bare !== null) {
    return reportFault(
      place,
      `@${form.word} stands on "${bare}" without a result. Write @${form.word}(list(Post), { … })`,
    )
  }
  declareOwnValidators(typeof first === 'string' ? third : second, place)
  const order = takeOrder()
  if (typeof first === 'string') return add(form, first, second, third, { place, order, metadata: null })
  return (_value: unknown, context: unknown): void => {
    const wrong = decoratorFault(context, ['field', 'method', 'getter', 'accessor'])
    if (wrong !== null) reportFault(place, `@${form.word} ${wrong}`)
    else {
      const { name, metadata } = context as ClassMemberDecoratorContext
      add(form, String(name), first, second, { place, order, metadata })
    }
  }
}

function declareOwnValidators(options: unknown, place: SourceLocation): void {
  if (!isPlainObject(options)) return
  declareValidators(options.validate, place)
  if (!isPlainObject(options.args)) return
  for (const given of Object.values(options.args)) if (isPlainObject(given)) declareValidators(given.validate, place)
}

function add(
  form: OperationForm,
  name: string,
  source: unknown,
  options: unknown,
  { place, order, metadata }: { place: SourceLocation; order: number; metadata: object | null },
): void {
  const subject = `${form.word} "${name}"`
  const emit = (scope: EmitScope): object => {
    const type = scope.typeText(source, `the result of ${subject}`, place)
    const fault = (message: string): void => scope.fault(place, message)
    const mapped = readOptions(form.rules, options as object | undefined, subject, fault)
    if (isPlainObject(mapped.arguments)) mapped.arguments = emitArguments(mapped.arguments, subject, place, scope)
    return { name, type, ...form.keys, ...withMarks(mapped, metadata, name, scope) }
  }
  declare({ collection: form.collection, name, place, emit }, order)
}

function emitArguments(args: object, owner: string, place: SourceLocation, scope: EmitScope): object[] {
  return Object.entries(args).map(([name, given]: [string, unknown]) => {
    const subject = `argument "${name}" of ${owner}`
    const isDetailed = isPlainObject(given) && brandOf(given) === undefined && !isWrapped(given)
    const { type: source, ...options } = isDetailed ? given : { type: given }
    const type = scope.typeText(source, subject, place)
    return { name, type, ...readOptions(ARGUMENT_RULES, options, subject, (message) => scope.fault(place, message)) }
  })
}
