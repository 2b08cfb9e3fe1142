import { withKeyOptions } from './key-options.ts'
import type { FieldKeyOptions } from './option-interfaces.ts'
import { count, extra, flag, json, type OptionRule, oneOf, record, rule, text, textOrTexts, texts } from './options.ts'
import { RULES_WANTED, type RuleSource, readRules, ruleProblem } from './rules.ts'

/** Options of `field()`, for a field of a type, interface or input. */
export interface FieldOptions extends FieldKeyOptions {
  readonly description?: string
  /** Reason for the deprecation, which clients see. Name the replacement in it. */
  readonly deprecated?: string
  /** Default value of an input field, which a client may then omit. */
  readonly default?: unknown
  /** Scope that a caller needs to read the field. Separate several scopes by spaces; the caller needs all of them. */
  readonly requiresScope?: string
  /** Role that a caller needs to read the field. Of a list, the caller needs one role. */
  readonly requiresRole?: string | readonly string[]
  /**
   * Result for a caller that may not read the field: the field is null (`mask`, the default), or the operation fails
   * (`reject`).
   */
  readonly onDeny?: 'mask' | 'reject'
  /** `false` excludes the field from the filter argument `where`. Default `true`. */
  readonly filterable?: boolean
  /** `false` excludes the field from the sort argument `orderBy`. Default `true`. */
  readonly orderable?: boolean
  /** `true`: the field has no column, because its value does not come from the database. */
  readonly computed?: boolean
  /** `true`: the argument `search` of list queries searches the text of this field. */
  readonly searchable?: boolean
  /** Name of the input type for filters on this field, in place of the one that svc derives from the field's type. */
  readonly filterType?: string
  /**
   * Filter operators that clients may use on the field, such as `['_eq', '_in']`. Default: all operators of its type.
   */
  readonly filterOperators?: readonly string[]
  /**
   * Name of the `hierarchy()` that the paths of this `LTree` field belong to. Clients can then filter the paths by ids
   * of rows of the hierarchy.
   */
  readonly hierarchy?: string
  /**
   * Options of a vector field: the number of dimensions (or bits) of each value, and the distance function that filters
   * use.
   */
  readonly vectorConfig?: {
    readonly dimensions?: number
    readonly distanceMetric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
  }
  /** Column of the type's view or table. Default: the name of the field in snake_case. */
  readonly column?: string
  /**
   * Columns that join the rows of this type (`from`) to the rows of the field's type (`to`). For a composite key, both
   * are lists in the same order.
   * `through` names the join table of a many-to-many relation: its column `from` has the values of the relation's
   * `from`, and its column `to` those of the relation's `to`.
   */
  readonly relation?: {
    readonly from: string | readonly string[]
    readonly to: string | readonly string[]
    readonly through?: {
      readonly sqlSource: string
      readonly from: string | readonly string[]
      readonly to: string | readonly string[]
    }
  }
  /** Name of the policy in `[[security.policies]]` that allows or denies reading the field. */
  readonly authorize?: string
  /**
   * SQL expression that computes the field from columns of the type's view or table. `{name}` stands for a field that
   * the option `requires` lists.
   */
  readonly sql?: string
  /**
   * Validation rules for values that clients send, in inputs and arguments. Fields of output types are not validated.
   */
  readonly validate?: RuleSource
  /**
   * Keys of plugins for this field that have no option of their own, spelled as in `schema.json`:
   * `{ label: 'Customer' }`.
   */
  readonly extra?: Readonly<Record<string, unknown>>
}

const METRICS = ['cosine', 'l2', 'l1', 'inner_product', 'hamming', 'jaccard']

/**
 * Conversion of the option `validate` (validation rules) to the key `validate` of `schema.json`, shared by fields,
 * inputs and operations.
 */
export const VALIDATE = rule('rules', RULES_WANTED, readRules, ruleProblem)('validate')

const ENDS = { from: textOrTexts('from'), to: textOrTexts('to') }
const THROUGH = record({ sqlSource: text('sql_source'), ...ENDS }, ['sqlSource', 'from', 'to'])('through')

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
  relation: record({ ...ENDS, through: THROUGH }, ['from', 'to'])('relation'),
  authorize: text('authorize'),
  sql: text('sql'),
  extra,
} satisfies Record<Exclude<keyof FieldOptions, 'validate' | keyof FieldKeyOptions>, OptionRule>

/**
 * Conversion of the options of an output field to keys of `schema.json`, in the order in which the keys are written.
 */
export const FIELD_RULES = withKeyOptions(OWN_RULES, ['field'])

/**
 * Conversion of the options of an input field to keys of `schema.json`; an input field accepts fewer options than an
 * output field.
 */
export const INPUT_FIELD_RULES = {
  description: OWN_RULES.description,
  deprecated: OWN_RULES.deprecated,
  default: OWN_RULES.default,
  validate: VALIDATE,
  extra,
} satisfies Partial<Record<keyof FieldOptions, OptionRule>>
