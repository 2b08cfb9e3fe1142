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
  /** Data plane of the query. `arrow`: the query is in `SchemaModel.arrowQueries`. */
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
  /** `true` if fronts offer aggregates of the query's rows. */
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
   * The mutation that calls the `upsert_function`, and whether that function can resolve duplicates; `null` without
   * such a function.
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
  /** Name of the type whose rows the subscription watches. */
  readonly entityType: string
  /** Columns that must equal a claim, by injected parameter. */
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly topic: string | undefined
  /** Kinds of changes to send: `INSERT`, `UPDATE`, `DELETE`; an empty list: all three. */
  readonly operations: readonly string[]
  readonly filter: SubscriptionFilter | undefined
  readonly durable: boolean
  readonly replay: boolean
}

export type OperationModel = QueryModel | MutationModel | SubscriptionModel
