import { withKeyOptions } from './key-options.ts'
import type { FieldKeyOptions } from './option-interfaces.ts'
import { count, extra, flag, json, type OptionRule, oneOf, record, rule, text, textOrTexts, texts } from './options.ts'
import { RULES_WANTED, type RuleSource, readRules, ruleProblem } from './rules.ts'

/** Options of a field of a type, interface or input. */
export interface FieldOptions extends FieldKeyOptions {
  readonly description?: string
  /** Deprecation reason, with a replacement. */
  readonly deprecated?: string
  /** Default value. Makes an input field optional for the client. */
  readonly default?: unknown
  /** Scope that is required to read the field. The caller needs all scopes of a text with spaces. */
  readonly requiresScope?: string
  /** Role that is required to read the field; one of them, if it is a list. */
  readonly requiresRole?: string | readonly string[]
  /** Effect of a missing right: the field is null (`mask`, the default), or the operation fails (`reject`). */
  readonly onDeny?: 'mask' | 'reject'
  /** `false` excludes the field from the filter argument `where`. Default `true`. */
  readonly filterable?: boolean
  /** `false` excludes the field from the sort argument `orderBy`. Default `true`. */
  readonly orderable?: boolean
  /** `true`: the field is not read from the database. */
  readonly computed?: boolean
  /** `true` includes the field in full-text search. */
  readonly searchable?: boolean
  /** Name of the filter input that replaces the derived one. */
  readonly filterType?: string
  /** The allowed operators, for example `['_eq', '_in']`. Default: all that the type has. */
  readonly filterOperators?: readonly string[]
  /**
   * Name of the hierarchy of a path field. Filters can compare the path with rows of the hierarchy's type, by their
   * ids.
   */
  readonly hierarchy?: string
  /** Options of a vector field: number of dimensions (or bits) of each value, and the distance function of filters. */
  readonly vectorConfig?: {
    readonly dimensions?: number
    readonly distanceMetric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
  }
  /** Column of the source. Default: the name of the field in snake_case. */
  readonly column?: string
  /**
   * Columns of a relation. `from`: column of this type's source; `to`: column of the target's source. For a composite
   * key, lists in the same order.
   */
  readonly relation?: { readonly from: string | readonly string[]; readonly to: string | readonly string[] }
  /** Name of the policy in `[[security.policies]]` that allows or denies reading the field. */
  readonly authorize?: string
  /** SQL expression that computes the field from columns of its source. `{name}` stands for a field of `requires`. */
  readonly sql?: string
  /** Validation rules for values of clients: inputs and arguments. Fields of output types are not validated. */
  readonly validate?: RuleSource
  /** Keys of plugins, spelled as in schema.json: `{ label: 'Customer' }`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

const METRICS = ['cosine', 'l2', 'l1', 'inner_product', 'hamming', 'jaccard']

/** Rule for the option `validate` of all elements that have this option. */
export const VALIDATE = rule(RULES_WANTED, readRules, ruleProblem)('validate')

const OWN_RULES = {
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
  sql: text('sql'),
  extra,
} satisfies Record<Exclude<keyof FieldOptions, 'validate' | keyof FieldKeyOptions>, OptionRule>

/** Rules for the options of a field, in the order of `schema.json`. */
export const FIELD_RULES = withKeyOptions(OWN_RULES, ['field'])

/** The rules of input fields, a subset of the options of fields. */
export const INPUT_FIELD_RULES = {
  description: OWN_RULES.description,
  deprecated: OWN_RULES.deprecated,
  default: OWN_RULES.default,
  validate: VALIDATE,
  extra,
} satisfies Partial<Record<keyof FieldOptions, OptionRule>>
