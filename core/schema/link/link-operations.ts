import type { CompiledArgument, CompiledMutation, CompiledQuery, CompiledSubscription } from '../compiled.ts'
import { haveRules } from '../have-rules.ts'
import type { ArgumentModel, MutationModel, NamedType, QueryModel, SubscriptionModel } from '../model.ts'
import { isListRef } from '../type-ref.ts'
import type { LinkContext } from './link-context.ts'
import { linkInject, linkInputField, linkRoles, NO_RULES } from './link-fields.ts'
import { DEFAULT_TYPE_COLUMN } from './link-types.ts'

/** One shared empty map, since most operations need it. It is never written to. */
const EMPTY: ReadonlyMap<string, never> = new Map<string, never>()

export function linkQuery(context: LinkContext, query: CompiledQuery): QueryModel {
  const base = linkOperation(context, query)
  const { named } = base
  const ownTypeColumn = named.kind === 'interface' || named.kind === 'union' ? named.typeColumn : DEFAULT_TYPE_COLUMN
  return Object.freeze({
    ...base,
    kind: 'query',
    dataplane: query.dataplane ?? 'graphql',
    source: context.source(query.source),
    document: query.jsonb_column ?? null,
    relay: query.relay === true,
    autoParams: Object.freeze(query.auto_params),
    typeColumn: query.type_column ?? ownTypeColumn,
    argumentReads: toMap(query.argument_reads),
    injectReads: toMap(query.inject_reads),
    rowFilter: query.row_filter,
    idArg: query.id_arg,
    aggregate: query.aggregate !== false && base.list && isCounted(named),
    additionalViews: query.additional_views ?? [],
    keys: query,
  })
}

export function linkMutation(context: LinkContext, mutation: CompiledMutation): MutationModel {
  const model: Omit<MutationModel, 'upsert'> = {
    ...linkOperation(context, mutation),
    kind: 'mutation',
    function: context.function(mutation.function),
    operation: mutation.operation,
    call: mutation.call,
    namedCall: mutation.named_call,
    cascade: mutation.cascade === true,
    keys: mutation,
  }
  return Object.freeze({ ...model, upsert: linkUpsert(context, mutation, model) })
}

function linkUpsert(
  context: LinkContext,
  { upsert }: CompiledMutation,
  model: Omit<MutationModel, 'upsert'>,
): MutationModel['upsert'] {
  if (upsert === undefined) return null
  const { resolves } = upsert
  const argument = { name: 'resolution', wire_name: 'resolution', type: 'String!' }
  const mutation: MutationModel = Object.freeze({
    ...model,
    // An upsert that ignores an existing row need not return it.
    type: { ...model.type, nullable: true },
    arguments: resolves ? new Map(model.arguments).set('resolution', linkArgument(context, argument)) : model.arguments,
    function: context.function(upsert.function),
    call: upsert.call,
    namedCall: upsert.named_call,
    upsert: null,
  })
  return { mutation, resolves }
}

export function linkSubscription(context: LinkContext, subscription: CompiledSubscription): SubscriptionModel {
  const { operation } = subscription
  const base = linkOperation(context, subscription)
  return Object.freeze({
    ...base,
    kind: 'subscription',
    entityType: subscription.entity_type ?? base.named.name,
    injectReads: toMap(subscription.inject_reads ?? {}),
    topic: subscription.topic,
    operations: operation === undefined ? [] : typeof operation === 'string' ? [operation] : operation,
    filter: subscription.filter,
    durable: subscription.durable === true,
    replay: subscription.replay === true,
  })
}

function linkOperation(context: LinkContext, operation: CompiledQuery | CompiledMutation | CompiledSubscription) {
  const type = context.ref(operation.type)
  const { rules = NO_RULES } = operation
  const args: ReadonlyMap<string, ArgumentModel> =
    operation.arguments.length === 0
      ? EMPTY
      : new Map(operation.arguments.map((argument) => [argument.wire_name, linkArgument(context, argument)]))
  return {
    name: operation.name,
    wireName: operation.wire_name,
    type,
    named: context.named(type),
    list: isListRef(type),
    description: operation.description,
    deprecated: operation.deprecated,
    arguments: args,
    rules,
    hasRules: rules.length > 0 || haveRules(args.values()),
    inject: linkInject(operation.inject),
    requiresRole: linkRoles(operation.requires_role),
    requiresScope: operation.requires_scope,
    requiresPolicy: operation.requires_policy,
    authenticated: operation.authenticated === true,
    apiKeyRequired: operation.api_key_required === true,
    public: operation.public === true,
    keys: operation,
  }
}

function linkArgument(context: LinkContext, argument: CompiledArgument): ArgumentModel {
  return Object.freeze({ ...linkInputField(context, argument), compiled: argument })
}

function toMap<T>(record: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  const entries = Object.entries(record)
  return entries.length === 0 ? EMPTY : new Map(entries)
}

function isCounted(named: NamedType): boolean {
  return (named.kind === 'object' || named.kind === 'interface') && named.aggregate !== null
}
