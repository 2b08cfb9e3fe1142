import {
  declareOperation,
  OPERATION_RULES,
  type OperationArguments,
  type OperationForm,
  type OperationOptions,
  type OperationResult,
} from './operation.ts'
import { flag, type OptionRule, oneOf, text, texts } from './options.ts'
import { placeAbove } from './place.ts'
import type { TypeSource } from './type-source.ts'

/** Options of a mutation (docs/reference/authoring.md#mutation). */
export interface MutationOptions extends OperationOptions {
  /** The kind of change to the entity. Default `CUSTOM`. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  /** Pass an `input` argument as one parameter per field, or as one JSONB value. Default: by the function's signature. */
  readonly inputStyle?: 'flatten' | 'jsonb'
  /**
   * Bind arguments to the function's parameters by position, in the order of their declaration, claims last. Default: by
   * name, with or without the prefix `p_`.
   */
  readonly call?: 'positional'
  /** Views that the mutation changes. Cached results that read them are removed. */
  readonly invalidates?: readonly string[]
  readonly cacheUpdate?: boolean
  readonly cascade?: boolean
  readonly upsertFunction?: string
}

const MUTATION_RULES = {
  ...OPERATION_RULES,
  operation: oneOf('CREATE', 'UPDATE', 'DELETE', 'CUSTOM')('operation'),
  inputStyle: oneOf('flatten', 'jsonb')('input_style'),
  call: oneOf('positional')('call'),
  invalidates: texts('invalidates'),
  cacheUpdate: flag('cache_update'),
  cascade: flag('cascade'),
  upsertFunction: text('upsert_function'),
} satisfies Record<keyof Required<MutationOptions>, OptionRule>

const MUTATION: OperationForm = { collection: 'mutations', word: 'mutation', rules: MUTATION_RULES }

/**
 * Declares a mutation: `@mutation(() => User, { sqlSource: 'fn_create_user', operation: 'CREATE', args: { input:
 * CreateUser } }) createUser!: unknown`, or `mutation('createUser', User, { … })`.
 */
export function mutation<First extends TypeSource | string>(
  ...args: OperationArguments<First, MutationOptions>
): OperationResult<First> {
  return declareOperation(MUTATION, args, placeAbove(mutation)) as OperationResult<First>
}
