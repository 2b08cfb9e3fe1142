import { FEDERATED_FIELD_RULES, type FederatedFieldOptions } from './federation-options.ts'
import { count, extra, flag, json, type OptionRule, oneOf, record, rule, text, textOrTexts, texts } from './options.ts'
import { RULES_WANTED, type RuleSource, readRules, ruleProblem } from './rules.ts'

/** Options of a field of a type, interface or input. */
export interface FieldOptions extends FederatedFieldOptions {
  readonly description?: string
  /** Why it is deprecated, and what to use instead. */
  readonly deprecated?: string
  /** Default value. Makes an input field optional for the client. */
  readonly default?: unknown
  /** Scope that is required to read the field; several with spaces between them: all of them. */
  readonly requiresScope?: string
  /** Role that is required to read the field; of several one will do. */
  readonly requiresRole?: string | readonly string[]
  /** What a missing right does: the field becomes null (`mask`, the default), or the operation fails (`reject`). */
  readonly onDeny?: 'mask' | 'reject'
  /** Member of the `where` input. Default true. */
  readonly filterable?: boolean
  /** Member of the `orderBy` input. Default true. */
  readonly orderable?: boolean
  /** Not read from the database. */
  readonly computed?: boolean
  /** Takes part in text search. */
  readonly searchable?: boolean
  /** Name of the filter input that replaces the derived one. */
  readonly filterType?: string
  /** The only operators allowed, for example `['_eq', '_in']`. */
  readonly filterOperators?: readonly string[]
  /** Of a path: name of the hierarchy with whose rows it is compared by their ids. */
  readonly hierarchy?: string
  /** Of a vector: how many numbers or bits each value has, and the only distance that is offered. */
  readonly vectorConfig?: {
    readonly dimensions?: number
    readonly distanceMetric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
  }
  /** Column of the source, where it is not the snake_case name of the field. */
  readonly column?: string
  /** `from`: column of this type's source; `to`: column of the target's. Of a key of several columns each a list, in the same order. */
  readonly relation?: { readonly from: string | readonly string[]; readonly to: string | readonly string[] }
  /** Name of the policy in `[[security.policies]]` that allows or denies reading the field. */
  readonly authorize?: string
  /** Validation rules for values of clients: inputs and arguments. Fields of output types are not validated. */
  readonly validate?: RuleSource
  /** Keys that plugins add, as schema.json spells them: `{ label: 'Customer' }`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const METRICS = ['cosine', 'l2', 'l1', 'inner_product', 'hamming', 'jaccard']

/** `validate`, wherever it may stand. */
export const VALIDATE = rule(RULES_WANTED, readRules, ruleProblem)('validate')

/** In the order of `schema.json`. */
export const FIELD_RULES = {
  description: text('description'),
  deprecated: text('deprecated'),
  default: json('default'),
  requiresScope: text('requires_scope'),
  requiresRole: textOrTexts('requires_role'),
  onDeny: oneOf('mask', 'reject')('on_deny'),
  filterable: flag('filterable'),
  orderable: flag('orderable'),
  computed: flag('computed'),
  searchable: flag('searchable'),
  filterType: text('filter_type'),
  filterOperators: texts('filter_operators'),
  hierarchy: text('hierarchy'),
  vectorConfig: {
    ...record({ dimensions: count('dimensions'), distanceMetric: oneOf(...METRICS)('distance_metric') })(
      'vector_config',
    ),
    wants: `an object with dimensions (a whole number), distanceMetric (${METRICS.join(', ')}), or both`,
  },
  column: text('column'),
  relation: record({ from: textOrTexts('from'), to: textOrTexts('to') }, ['from', 'to'])('relation'),
  authorize: text('authorize'),
  ...FEDERATED_FIELD_RULES,
  extra,
} satisfies Record<Exclude<keyof FieldOptions, 'validate'>, OptionRule>

/** The options that make sense for what a client sends. */
export const INPUT_FIELD_RULES = {
  description: FIELD_RULES.description,
  deprecated: FIELD_RULES.deprecated,
  default: FIELD_RULES.default,
  validate: VALIDATE,
  extra,
} satisfies Partial<Record<keyof FieldOptions, OptionRule>>
