import { withKeyOptions } from './key-options.ts'
import {
  declareOperation,
  OPERATION_RULES,
  type OperationArguments,
  type OperationForm,
  type OperationOptions,
  type OperationResult,
} from './operation.ts'
import type { MutationKeyOptions, OperationKeyOptions } from './option-interfaces.ts'
import { flag, type OptionRule, oneOf, text } from './options.ts'
import { placeAbove } from './place.ts'
import type { TypeSource } from './type-source.ts'

/** Options of a mutation (docs/reference/authoring.md#mutation). */
export interface MutationOptions extends OperationOptions, MutationKeyOptions {
  /** The kind of change that the mutation makes to the rows of its result type. Default `CUSTOM`. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  /**
   * How svc passes an argument of an input type to the SQL function: as one parameter per field (`flatten`), or as one
   * JSONB value (`jsonb`). Default: derived from the function's signature.
   */
  readonly inputStyle?: 'flatten' | 'jsonb'
  /**
   * Binds arguments to the parameters of the SQL function by position, in the order of their declaration, with the
   * claims of `inject` last. Default: by name, with or without the prefix `p_`.
   */
  readonly call?: 'positional'
  readonly cascade?: boolean
  readonly upsertFunction?: string
}

const MUTATION_RULES = {
  ...OPERATION_RULES,
  operation: oneOf('CREATE', 'UPDATE', 'DELETE', 'CUSTOM')('operation'),
  inputStyle: oneOf('flatten', 'jsonb')('input_style'),
  call: oneOf('positional')('call'),
  cascade: flag('cascade'),
  upsertFunction: text('upsert_function'),
} satisfies Record<Exclude<keyof MutationOptions, keyof (OperationKeyOptions & MutationKeyOptions)>, OptionRule>

/** What `mutation()` adds to the common declaration of operations: its list in `schema.json` and its options. */
export const MUTATION: OperationForm = {
  collection: 'mutations',
  word: 'mutation',
  rules: withKeyOptions(MUTATION_RULES, ['operation', 'mutation']),
}

/**
 * Declares a mutation: `@mutation(() => User, { sqlSource: 'fn_create_user', operation: 'CREATE', args: { input:
 * CreateUser } }) createUser!: unknown`, or `mutation('createUser', User, { … })`.
 */
export function mutation<First extends TypeSource | string>(
  ...args: OperationArguments<First, MutationOptions>
): OperationResult<First> {
  return declareOperation(MUTATION, args, placeAbove(mutation)) as OperationResult<First>
}
