import { ARROW_QUERY } from './arrow-query.ts'
import { ENUM_RULES, VALUE_RULES } from './enum.ts'
import { ERROR } from './error.ts'
import { FIELD_RULES, INPUT_FIELD_RULES } from './field-options.ts'
import { HIERARCHY_RULES } from './hierarchy.ts'
import { INPUT } from './input.ts'
import { INTERFACE } from './interface.ts'
import { MUTATION } from './mutation.ts'
import { OBSERVER_RULES, RETRY_RULES } from './observer.ts'
import { ARGUMENT_RULES } from './operation.ts'
import type { OptionRules } from './options.ts'
import { QUERY } from './query.ts'
import { SCALAR_RULES } from './scalar.ts'
import { SUBSCRIPTION } from './subscription.ts'
import { TYPE } from './type.ts'
import { UNION_RULES } from './union.ts'

/**
 * The options of all elements, by the names of the elements in schema.json. The Python package for authors is generated
 * from this table.
 */
export const OPTION_TABLES = {
  type: TYPE.rules,
  interface: INTERFACE.rules,
  input: INPUT.rules,
  error: ERROR.rules,
  field: FIELD_RULES,
  input_field: INPUT_FIELD_RULES,
  enum: ENUM_RULES,
  enum_value: VALUE_RULES,
  union: UNION_RULES,
  scalar: SCALAR_RULES,
  query: QUERY.rules,
  arrow_query: ARROW_QUERY.rules,
  mutation: MUTATION.rules,
  subscription: SUBSCRIPTION.rules,
  argument: ARGUMENT_RULES,
  observer: OBSERVER_RULES,
  retry: RETRY_RULES,
  hierarchy: HIERARCHY_RULES,
} satisfies Readonly<Record<string, OptionRules>>
