/** A validation rule for client input, in the form of the compiled schema (docs/guides/validate-input.md#the-rules). */
export type Rule = RuleBody & {
  /** Replaces the default message of the rule. */
  readonly message?: string
}

type RuleBody =
  | { readonly type: 'required' }
  | { readonly type: 'pattern'; readonly value: string }
  | { readonly type: 'length'; readonly value: Bounds }
  | { readonly type: 'range'; readonly value: Bounds }
  | { readonly type: 'enum'; readonly value: readonly string[] }
  | { readonly type: 'checksum'; readonly value: Checksum }
  /** Name of a function of the schema author, of kind `validator`. */
  | { readonly type: 'custom'; readonly value: string }
  | { readonly type: 'cross_field'; readonly value: CrossField }
  | { readonly type: 'conditional'; readonly value: Conditional }
  | { readonly type: 'one_of'; readonly value: { readonly fields: readonly FieldName[] } }
  | { readonly type: 'any_of'; readonly value: { readonly fields: readonly FieldName[] } }
  | {
      readonly type: 'conditional_required'
      readonly value: { readonly if_field_present: FieldName; readonly then_required: readonly FieldName[] }
    }
  | {
      readonly type: 'required_if_absent'
      readonly value: { readonly absent_field: FieldName; readonly then_required: readonly FieldName[] }
    }
  | { readonly type: 'all' | 'any'; readonly value: readonly Rule[] }

export type RuleType = Rule['type']

/** Smallest and largest allowed value, both inclusive. An absent bound is not checked. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

export const CHECKSUMS = ['luhn', 'mod97'] as const
export type Checksum = (typeof CHECKSUMS)[number]

export const CROSS_OPERATORS = ['lt', 'lte', 'eq', 'gte', 'gt'] as const
export type CrossOperator = (typeof CROSS_OPERATORS)[number]

/**
 * Reference from a validation rule to another field of the same input: the name as written, for messages, and the name
 * in the API.
 */
export interface FieldName {
  readonly written: string
  readonly wire: string
}

export interface CrossField {
  readonly field: FieldName
  readonly operator: CrossOperator
}

export interface Conditional {
  readonly condition: string
  readonly then_rules: readonly Rule[]
}

/**
 * Validation rules in the spelling of authors: the name of a rule, an object of rules, `{ type, value }`, or a list of
 * these.
 */
export type AuthoredRules = string | Readonly<Record<string, unknown>> | readonly AuthoredRules[]
