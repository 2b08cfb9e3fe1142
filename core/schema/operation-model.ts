import type { SubscriptionFilter } from './authored-operations.ts'
import type {
  CompiledArgument,
  CompiledAutoParams,
  CompiledCallParameter,
  CompiledFunction,
  CompiledRead,
  CompiledSource,
} from './compiled.ts'
import type { MutationKeys, OperationKeys, QueryKeys } from './key-interfaces.ts'
import type { Rule } from './rules.ts'
import type { InputFieldModel, NamedType } from './type-model.ts'
import type { TypeRef } from './type-ref.ts'

export interface ArgumentModel extends InputFieldModel {
  readonly compiled: CompiledArgument
}

interface OperationModelBase {
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  readonly named: NamedType
  readonly list: boolean
  readonly description: string | undefined
  readonly deprecated: string | undefined
  /** Declared arguments by wire name. `autoParams` decides about the generated ones. */
  readonly arguments: ReadonlyMap<string, ArgumentModel>
  /** Validation rules about several arguments together. */
  readonly rules: readonly Rule[]
  /** Does any argument have a validation rule, itself or in a nested input? */
  readonly hasRules: boolean
  readonly inject: readonly { readonly parameter: string; readonly claim: string }[]
  readonly requiresRole: readonly string[]
  readonly requiresScope: string | undefined
  readonly requiresPolicy: string | undefined
  readonly authenticated: boolean
  readonly apiKeyRequired: boolean
  readonly public: boolean
  /** Keys that plugins own, as in the artifact. */
  readonly keys: OperationKeys
}

export interface QueryModel extends OperationModelBase {
  readonly kind: 'query'
  /**
   * `arrow`: only the Arrow transport serves the query, and it is in `SchemaModel.arrowQueries`. `graphql`: all other
   * protocols serve it.
   */
  readonly dataplane: 'graphql' | 'arrow'
  readonly source: CompiledSource
  readonly document: string | null
  readonly relay: boolean
  readonly autoParams: CompiledAutoParams
  readonly typeColumn: string
  readonly argumentReads: ReadonlyMap<string, CompiledRead>
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly rowFilter: string | undefined
  readonly idArg: string | undefined
  /** `true` if APIs offer aggregate queries over the rows of this query. */
  readonly aggregate: boolean
  readonly additionalViews: readonly string[]
  readonly keys: OperationKeys & QueryKeys
}

export interface MutationModel extends OperationModelBase {
  readonly kind: 'mutation'
  readonly function: CompiledFunction
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  readonly call: readonly CompiledCallParameter[]
  readonly namedCall: boolean
  readonly cascade: boolean
  /**
   * A mutation that inserts or updates by calling the SQL function in the option `upsert_function`; `null`: the option
   * is not set.
   */
  readonly upsert: {
    readonly mutation: MutationModel
    /** Does the function have the parameter `resolution`, for `merge-duplicates` or `ignore-duplicates`? */
    readonly resolves: boolean
  } | null
  readonly keys: OperationKeys & MutationKeys
}

export interface SubscriptionModel extends OperationModelBase {
  readonly kind: 'subscription'
  /** Name of the type whose changed rows the subscription sends. */
  readonly entityType: string
  /** Where the columns that must equal token claims (`inject`) are read from, by column name. */
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly topic: string | undefined
  /** Kinds of changes to send: `INSERT`, `UPDATE`, `DELETE`. Empty: all three. */
  readonly operations: readonly string[]
  readonly filter: SubscriptionFilter | undefined
  readonly durable: boolean
  readonly replay: boolean
}

export type OperationModel = QueryModel | MutationModel | SubscriptionModel
